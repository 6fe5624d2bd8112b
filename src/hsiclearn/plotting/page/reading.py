"""A fitted model, the rows it is shown with, and what is known of them: all a page is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._estimators import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC
from ..._estimators._base import BaseHSIC
from ..._estimators._clustering import ClusterHSIC
from ...inspection import feature_importances, feature_shares
from ...inspection._fitted import fitted_step
from .._targets import Colouring
from .labelling import columns_of, labels_or_quantities, quantities, read_labels
from .origin import Origin, is_target_of, origin_of

__all__ = ["Reading", "read"]


@dataclass(frozen=True)
class Reading:
    """A model read once.

    ``rows`` are as the last step sees them and ``names`` their columns, ``n_columns`` is of X as
    given; ``origin`` is what is known of the fit; ``found`` are the clusters of a clusterer,
    ``given`` the columns of y, and ``fitted_to`` tells of each whether the model was fitted to it,
    None where nobody knows.
    """

    model: Any
    step: BaseHSIC
    rows: Array
    names: list[str]
    n_columns: int
    projection: FloatArray
    shares: FloatArray
    importances: FloatArray
    origin: Origin
    found: Colouring | None
    given: tuple[Colouring, ...]
    fitted_to: tuple[bool | None, ...]

    @property
    def paradigm(self) -> str:
        """What was asked: of a target, or for clusters of one kind or another."""
        if isinstance(self.step, SupervisedHSIC):
            return "supervised"
        if isinstance(self.step, SemiSupervisedHSIC):
            return "semi-supervised"
        return "alternative" if isinstance(self.step, AlternativeHSIC) else "unsupervised"

    @property
    def is_wide(self) -> bool:
        """Whether there are fewer rows than features: then a fit can draw any map of its rows."""
        return self.rows.shape[0] < self.rows.shape[1]

    @property
    def held_out(self) -> Any:
        """Where fits without them put the rows shown; None where that is not known of them."""
        selection = getattr(self.step, "selection_", None)
        return getattr(selection, "out_of_fold", None) if self.origin.same_rows else None

    @property
    def colourings(self) -> list[Colouring]:
        """What the rows can be coloured by, clusters first."""
        return [*([] if self.found is None else [self.found]), *self.given]


def read(
    model: Any,
    X: Any,
    y: Any = None,
    class_names: Sequence[str] | None = None,
    fitted_on: Mapping[str, Any] | None = None,
) -> Reading:
    """Project the rows, find their clusters, read y; errors name what does not fit."""
    step, rows, names = fitted_step(model, X)
    origin = origin_of(step, rows, fitted_on)
    given = () if y is None else _given(step, y, rows.shape[0], class_names, origin)
    projection = np.asarray(rows @ step.components_.T, dtype=np.float64)
    return Reading(
        model=model,
        step=step,
        rows=rows,
        names=names,
        n_columns=int(X.shape[1]) if hasattr(X, "shape") else rows.shape[1],
        projection=projection,
        shares=feature_shares(model, X),
        importances=feature_importances(model, X),
        origin=origin,
        found=_found(model, step, X, given, class_names),
        given=given,
        fitted_to=_fitted_to(step, projection, origin, given),
    )


def _fitted_to(
    step: BaseHSIC, projection: FloatArray, origin: Origin, given: tuple[Colouring, ...]
) -> tuple[bool | None, ...]:
    """By name where the names are told; else by the cost, on the rows of the fit."""
    if origin.labels is not None:
        return tuple(column.name in origin.labels for column in given)
    told = is_target_of(step, projection, given) if origin.same_rows else None
    return (told,) * len(given)


def _given(
    step: BaseHSIC, y: Any, n_samples: int, class_names: Sequence[str] | None, origin: Origin
) -> tuple[Colouring, ...]:
    """The columns of y: those of the fit as the estimator reads them, others by their type."""
    target = getattr(step, "target_", None)
    if target == "precomputed":
        if np.shape(y) != (n_samples, n_samples):
            raise ValueError(
                f"y must be a kernel matrix of shape ({n_samples}, {n_samples}), as in the fit. "
                f"Got shape {np.shape(y)}."
            )
        return ()  # a kernel has no values to colour by
    columns = columns_of(y, n_samples, "target" if target else "given labels")
    names = None if len(columns) > 1 else class_names
    return tuple(
        labels_or_quantities(name, column, names)
        if origin.labels is not None and name not in origin.labels
        else _column(step, target, name, column, names)
        for name, column in columns
    )


def _column(
    step: BaseHSIC, target: str | None, name: str, column: Any, class_names: Sequence[str] | None
) -> Colouring:
    if target == "real" or getattr(step, "guidance_", None) == "scores":
        return quantities(name, column)
    if target == "classes" or isinstance(step, AlternativeHSIC):
        return read_labels(name, column, class_names)
    if isinstance(step, SemiSupervisedHSIC):
        return read_labels(name, column, class_names, partial=True)
    if target == "multilabel":
        return read_labels(name, np.asarray(column).astype(int), None)
    return labels_or_quantities(name, column, class_names)


def _found(
    model: Any,
    step: BaseHSIC,
    X: Any,
    given: tuple[Colouring, ...],
    class_names: Sequence[str] | None,
) -> Colouring | None:
    """The cluster of each row, named after its class where the estimator named it so."""
    if not isinstance(step, ClusterHSIC):
        return None
    labels = model.predict(X)
    found = read_labels("clusters found", labels, None)
    if not hasattr(step, "classes_"):
        names = tuple(f"cluster {name}" for name in found.names)
    elif class_names is not None and given:
        named = dict(zip(map(str, np.unique(step.classes_)), given[0].names, strict=False))
        names = tuple(named.get(name, name) for name in found.names)
    else:
        names = found.names
    return Colouring(found.name, codes=found.codes, names=names)
