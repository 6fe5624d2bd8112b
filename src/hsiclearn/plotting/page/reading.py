"""A fitted model, the rows it is shown with, and what is known of them: all a page is made from.

A page may show other rows than those of the fit, or colour them by another column. What is true
of the fit must not be said of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._devices import here
from ..._estimators import BaseHSIC
from ..._result import digest_of
from ..._rows import as_rows
from ...inspection import feature_importances, feature_shares
from ...inspection.fitted import deviations, fitted_step
from .._targets import Colouring, column_of, columns_of, labels_of

_MEAN = 1e-6  # in deviations: other rows of the same kind are off by 1 / sqrt(n) of them
_ROUNDING = 1e-9  # of the mean itself, for columns far from zero
_KEYS = ("n_rows", "labels", "n_other_columns")


@dataclass(frozen=True)
class Origin:
    """What is known of the fit.

    ``n_rows`` and ``labels`` (names of the columns fitted to) are None where nobody says;
    ``same_rows`` tells whether the rows shown are those of the fit; ``n_other_columns`` is how many
    columns its table had beside those that the model takes, such as labels and names.
    """

    same_rows: bool
    n_rows: int | None
    labels: tuple[str, ...] | None
    n_other_columns: int = 0


@dataclass(frozen=True)
class Reading:
    """A model read once.

    ``rows`` are as the last step sees them and ``names`` their columns, ``n_columns`` is of X as
    given; ``origin`` is what is known of the fit; ``found`` are the clusters of a clusterer, and
    ``given`` the columns of y.
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

    @property
    def is_wide(self) -> bool:
        """Whether there are fewer rows than features: then a fit can draw any map of its rows."""
        return self.rows.shape[0] < self.rows.shape[1]

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
    origin = _origin_of(step, rows, fitted_on)
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
        given=_with_origin(step, origin, given),
    )


def _origin_of(step: Any, rows: Array, fitted_on: Mapping[str, Any] | None) -> Origin:
    """Whether the rows are those of the fit, by what was recorded; and what else is told."""
    told = _checked(fitted_on)
    n, n_fitted, labels = rows.shape[0], told.get("n_rows"), told.get("labels")
    if n_fitted is None:
        record = step.result_.fitted_on
        n_fitted = len(getattr(step, "labels_", ())) or None if record is None else record.n_rows
    same = n_fitted in (None, n) and _are_of_fit(step, rows)
    return Origin(
        same_rows=same,
        n_rows=n if same else n_fitted,
        labels=None if labels is None else tuple(map(str, labels)),
        n_other_columns=told.get("n_other_columns") or 0,
    )


def _checked(fitted_on: Mapping[str, Any] | None) -> dict[str, Any]:
    told = {} if fitted_on is None else dict(fitted_on)
    unknown = sorted(set(map(str, told)) - set(_KEYS))
    if unknown:
        raise ValueError(f"`fitted_on` may have the keys {list(_KEYS)}. Got {unknown}.")
    for name, least in (("n_rows", 1), ("n_other_columns", 0)):
        value = told.get(name)
        if value is not None and (not isinstance(value, Integral) or value < least):
            raise ValueError(f"`fitted_on['{name}']` must be an integer >= {least}. Got {value!r}.")
    if isinstance(told.get("labels"), str):
        raise ValueError(f"`fitted_on['labels']` must be a list of names. Got {told['labels']!r}.")
    return told


def _are_of_fit(step: Any, rows: Array) -> bool:
    """By their digest; by their mean where none was kept: of a stream, or in an early file."""
    record = step.result_.fitted_on
    if record is not None and record.X is not None:
        return bool(digest_of(as_rows(rows)) == record.X)
    mean = np.asarray(rows.mean(axis=0), dtype=np.float64).ravel()
    allowed = _MEAN * deviations(rows) + _ROUNDING * np.abs(step.mean_)
    return bool(np.all(np.abs(mean - step.mean_) <= allowed))


def _with_origin(step: Any, origin: Origin, given: tuple[Colouring, ...]) -> tuple[Colouring, ...]:
    """Whether the model was fitted to a column: by name where the names are told.

    Else by the digest of the target, on the rows of the fit. It never says no then: these columns
    may be some of several.
    """
    if origin.labels is not None:
        return tuple(replace(column, fitted_to=column.name in origin.labels) for column in given)
    record = step.result_.fitted_on
    if given and origin.same_rows and record is not None and hasattr(step, "target_"):
        y = np.column_stack([column.values.astype(np.float64) for column in given])
        if record.y == digest_of(y):
            return tuple(replace(column, fitted_to=True) for column in given)
    return given


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
    names, own = None if len(columns) > 1 else class_names, origin.labels
    return tuple(
        column_of(step if own is None or name in own else None, name, column, names)
        for name, column in columns
    )


def _found(
    model: Any,
    step: BaseHSIC,
    X: Any,
    given: tuple[Colouring, ...],
    class_names: Sequence[str] | None,
) -> Colouring | None:
    """The cluster of each row, named after its class where the estimator named it so."""
    if not hasattr(step, "n_clusters_"):
        return None
    found = labels_of("clusters found", here(model.predict(X)), None)
    names = found.names
    if not hasattr(step, "classes_"):
        names = tuple(f"cluster {name}" for name in names)
    elif class_names is not None and given:
        named = dict(zip(map(str, np.unique(step.classes_)), given[0].names, strict=False))
        names = tuple(named.get(name, name) for name in names)
    return replace(found, names=names)
