"""The problem on the columns chosen for it, as many as asked for or as rows held out say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..._arrays import Array
from ..._linalg import Basis, independent_columns
from ..._progress import tell
from ..._threads import side_by_side
from ..metric import FREE, RELEVANCE
from ..problem import FEWEST_ROWS, AbstractRule, Drawn, Fitted, SupervisedProblem
from ..sample import Views
from .counts import CountPath, counts_between, largest_count, path_of_counts, searches
from .screening import dense_columns
from .sets import ColumnSearch

AUTO_COUNT = "auto"

_Q_UNKNOWN = 2  # directions to look for columns with, where a rule is to choose how many


@dataclass(frozen=True, eq=False)
class ChosenColumns:
    """A problem on some of its columns, which these are, and how their number was chosen."""

    problem: SupervisedProblem
    mask: Array
    path: CountPath | None = None

    def used_by(self, fitted: Fitted) -> Array:
        """These; of a fit with columns weighed those alone whose weight is not 0."""
        if fitted.metric in (RELEVANCE, FREE):
            return np.asarray(self.basis.lift(fitted.result.W).any(axis=1))
        return self.mask

    @property
    def basis(self) -> Basis:
        """The columns chosen, in those there were."""
        return Basis.of_columns(self.mask)


def choose_columns(
    rule: AbstractRule, problem: SupervisedProblem, asked: int | str | None
) -> ChosenColumns:
    """One set of columns for all directions; None asks for all.

    Where the rule holds rows out, every split chooses columns of its own without them, so that
    what they say of the fit is said of the choice as well. Where rows are plenty, columns are
    chosen on those that fits are compared on, and fresh rows judge.
    """
    d = problem.data.rows.n_features
    if asked is None or (not isinstance(asked, str) and asked >= d):
        return ChosenColumns(problem, np.ones(d, dtype=bool))
    is_free = isinstance(asked, str)
    least = (problem.q or 1) if is_free else int(asked)
    if least > largest_count(d):
        what = "n_components" if is_free else "n_features_to_select"
        raise ValueError(
            f"No more than {largest_count(d)} columns can be selected, unless all are: so many "
            f"are looked at together. Got {what}={least} of {d} columns that vary. Pass fewer, or "
            "n_features_to_select=None for all."
        )
    holds_out = (is_free or rule.holds_rows_out) and problem.data.rows.n_samples >= FEWEST_ROWS
    data, dense = dense_columns(problem.data, holds_out=holds_out)
    there = problem.in_basis(dense, drawn=data.drawn)
    search = _Search(rule, there, d if is_free else int(asked), holds_out=holds_out)
    path = search.path() if is_free else None
    k = int(asked) if path is None else path.chosen
    tell(f"choosing {k} of {d} columns")
    found = search.on_columns(k, path)
    return found if dense.is_identity else replace(found, mask=_lifted(dense, found.mask))


def _lifted(basis: Basis, mask: Array) -> Array:
    lifted: Array = basis.lift(mask[:, None].astype(np.float64))[:, 0] > 0.0
    return lifted


class _Search:
    """Searches on all rows looked at, and on those of every split."""

    def __init__(
        self, rule: AbstractRule, problem: SupervisedProblem, most: int, *, holds_out: bool
    ) -> None:
        data = problem.data
        self._problem, self._sample = problem, data.sample
        self._splits = data.splits if holds_out else []
        self.q = problem.q or min(_Q_UNKNOWN, most)
        self._kernels = rule.kernels(problem, self.q)
        self._groups = data.sample_groups
        self._parts = searches(self._sample, self._splits, self.q, self._kernels, self._groups)

    def path(self) -> CountPath:
        """Losses by the number of columns."""
        if not self._splits:
            raise ValueError(
                f"n_features_to_select='auto' holds rows out and needs at least {FEWEST_ROWS}. Got "
                f"{self._sample.n_samples} rows: pass a number."
            )
        counts = counts_between(self._sample.X.shape[1], self.q)
        return path_of_counts(self._sample, self._splits, self._parts, counts)

    def on_columns(self, k: int, path: CountPath | None) -> ChosenColumns:
        """The problem on the k best columns."""
        data, sample, d = self._problem.data, self._sample, self._sample.X.shape[1]
        if k >= d:
            return ChosenColumns(self._problem, np.ones(d, dtype=bool), path)
        whole = ColumnSearch(sample.X, sample.gamma, self.q, self._kernels, self._groups)
        looked = self._parts if data.is_fresh and self._parts else [whole, *self._parts]
        found = side_by_side([partial(_mask, one, k) for one in looked], sample.n_samples)
        basis: Basis = Basis.of_columns(found[0])
        drawn: Callable[[], Drawn] | None = None
        if self._parts:
            parts = tuple(Basis.of_columns(mask) for mask in found[-len(self._parts) :])
            X, views = np.ascontiguousarray(basis.lower(sample.X)), Views(sample.X, basis, parts)
            seen = replace(sample, X=X, views=views), self._splits
            drawn = lambda: seen  # noqa: E731
        self._check_init(basis, k)
        is_weighed = data.metrics == (RELEVANCE,)  # which is of columns, also of more than rows
        problem = self._problem.in_basis(basis, drawn=drawn, keep_columns=is_weighed)
        return ChosenColumns(problem, found[0], path)

    def _check_init(self, basis: Basis, k: int) -> None:
        """A start that is given must be one in the columns chosen, too."""
        init = self._problem.init
        if isinstance(init, str):
            return
        rank = independent_columns(basis.coordinates(init)).shape[1]
        if rank < init.shape[1]:
            raise ValueError(
                f"The {init.shape[1]} directions of `init` must be independent on the {k} columns "
                f"chosen by n_features_to_select. Their rank there is {rank}. Pass directions of "
                "more columns, or leave init='auto'."
            )


def _mask(search: ColumnSearch, k: int) -> Array:
    return search.best(k).mask(search.X.shape[1])
