"""Callbacks of scikit-learn, from its version 1.9 on: what a fit tells, as the tasks they follow.

A fit is a task, its stages are parts of it, and what a stage consists of are parts of that::

    fit
        choosing, 1 dimension           the candidates compared
        178 rows, dense engine          the steps of the descent, at most so many
        verifying

Before 1.9 there is no such thing, and estimators have no ``set_callbacks``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import copy
from functools import partial
from typing import Any, Self

from .._arrays import Array, FloatArray
from .._devices import is_foreign
from .._linalg import fix_signs
from .._progress import Seen, Told, aside, ask_to_stop, shown_by
from ._namespace import put_beside

try:
    from sklearn.callback import CallbackSupportMixin
except ImportError:  # before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing."""


class CallbacksMixin(CallbackSupportMixin):  # type: ignore[misc]
    """A fit that callbacks can follow, and look at while it is under way."""

    def _tasks_of_fit(self, X: Any, y: Any, sample_weight: Any = None) -> TaskTree | None:
        """Begin the task of a fit; None where nobody follows."""
        if not getattr(self, "_skl_callbacks", None):
            return None
        metadata = {} if sample_weight is None else {"sample_weight": sample_weight}
        return TaskTree(self, self._init_callback_context(max_subtasks=None), X, y, metadata)

    def _unfollowed(self) -> Self:
        """Without callbacks: a copy for work of another kind."""
        self.__dict__.pop("_skl_callbacks", None)
        return self

    def _showing(
        self,
        mean: FloatArray,
        store: Callable[[Any], None] = lambda twin: None,
        lift: Callable[[FloatArray], FloatArray] = lambda W: W,
    ) -> AbstractContextManager[None]:
        """Show directions that are told inside as the model that a fit would be if it ended there.

        ``store`` adds to the model what else it needs, ``lift`` brings them to the columns of X.
        """

        def at(V: FloatArray) -> Any:
            twin: Any = copy(self)
            W = fix_signs(lift(V))
            twin.components_, twin.n_components_, twin.mean_ = W.T, W.shape[1], mean
            store(twin)
            return twin

        return shown_by(at, first=True)


class TaskTree:
    """A listener that hands on what it hears; what a callback asks for is asked of the fit."""

    def __init__(
        self, estimator: Any, root: Any, X: Array, y: Array, metadata: dict[str, Any]
    ) -> None:
        self._root, self._X, self._y = root, X, y
        self._given = {"estimator": estimator, "X": X, "y": y, "metadata": metadata}
        self._stage: Any = None
        self._part: Any = None
        self._name, self._left = "", 0.0  # of the stage, and the parts it may still have
        aside(partial(root.call_on_fit_task_begin, **self._given))

    def __call__(self, told: Told) -> None:
        if told.is_remark:
            return
        is_new = told.stage != self._name or not (told.detail or told.is_step)
        if told.is_made and not is_new:
            self._end_part(told.seen)
            return
        self._end_part()
        if is_new or self._left < 1:
            self._begin_stage(told)
        if told.detail or told.is_step:
            self._left -= 1
            self._part = self._begun(self._stage, "step" if told.is_step else told.detail, 0)

    def finish(self) -> None:
        """The fit is done: the model is there."""
        self._end_stage()
        self._end(self._root, dict)

    def _begin_stage(self, told: Told) -> None:
        self._end_stage()
        self._name = told.stage
        self._left = float("inf") if told.at_most is None else told.at_most
        self._stage = self._begun(self._root, told.stage, told.at_most)

    def _end_stage(self) -> None:
        self._end_part()
        stage, self._stage = self._stage, None
        self._end(stage)

    def _end_part(self, seen: Seen | None = None) -> None:
        part, self._part = self._part, None
        self._end(part, None if seen is None else lambda: self._attributes(seen()))

    def _begun(self, parent: Any, name: str, at_most: int | None) -> Any:
        task = parent.subcontext(task_name=name, max_subtasks=at_most)
        aside(partial(task.call_on_fit_task_begin, **self._given))
        return task

    def _end(self, task: Any, attributes: Callable[[], dict[str, Any]] | None = None) -> None:
        if task is None:
            return
        end = partial(task.call_on_fit_task_end, **self._given)
        if aside(partial(end, reconstruction_attributes=attributes)):
            ask_to_stop()

    def _attributes(self, model: Any) -> dict[str, Any]:
        """What makes a fitted model of the estimator; beside X, as those of a fit are."""
        if is_foreign(self._X):
            put_beside(model, self._X, self._y)
        return {name: value for name, value in vars(model).items() if name.endswith("_")}
