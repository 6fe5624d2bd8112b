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
from ..._estimators import AlternativeHSIC, BaseHSIC, SemiSupervisedHSIC
from ..._paradigms import as_column, kind_of_target
from ..._paradigms import read_labels as read_classes
from ..._result import digest_of
from ..._rows import as_rows
from ...inspection import feature_importances, feature_shares
from ...inspection.fitted import deviations, fitted_step
from .._names import names_for
from .._targets import Colouring

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
        given=given,
        fitted_to=_fitted_to(step, origin, given),
    )


def _read_fitted_on(
    fitted_on: Mapping[str, Any] | None,
) -> tuple[int | None, Sequence[str] | None, int]:
    """Rows, names of columns, and number of other columns, as told; None for what is not told."""
    told = {} if fitted_on is None else dict(fitted_on)
    unknown = sorted(set(map(str, told)) - set(_KEYS))
    n_rows, labels, others = (told.get(key) for key in _KEYS)
    if unknown:
        raise ValueError(f"`fitted_on` may have the keys {list(_KEYS)}. Got {unknown}.")
    for name, value, least in (("n_rows", n_rows, 1), ("n_other_columns", others, 0)):
        if value is not None and (not isinstance(value, Integral) or value < least):
            raise ValueError(f"`fitted_on['{name}']` must be an integer >= {least}. Got {value!r}.")
    if isinstance(labels, str):
        raise ValueError(f"`fitted_on['labels']` must be a list of names. Got {labels!r}.")
    names = None if labels is None else [str(name) for name in labels]
    return (None if n_rows is None else int(n_rows)), names, int(others or 0)


def _origin_of(step: Any, rows: Array, fitted_on: Mapping[str, Any] | None) -> Origin:
    """Whether the rows are those of the fit, by what was recorded; and what else is told."""
    told, labels, others = _read_fitted_on(fitted_on)
    n, record = rows.shape[0], step.result_.fitted_on
    known = record.n_rows if record is not None else len(getattr(step, "labels_", ())) or None
    n_fitted = known if told is None else told
    same = n_fitted in (None, n) and _are_of_fit(step, rows)
    return Origin(same, n if same else n_fitted, None if labels is None else tuple(labels), others)


def _are_of_fit(step: Any, rows: Array) -> bool:
    """By their digest; by their mean where none was kept: of a stream, or in an early file."""
    record = step.result_.fitted_on
    if record is not None and record.X is not None:
        return bool(digest_of(as_rows(rows)) == record.X)
    mean = np.asarray(rows.mean(axis=0), dtype=np.float64).ravel()
    allowed = _MEAN * deviations(rows) + _ROUNDING * np.abs(step.mean_)
    return bool(np.all(np.abs(mean - step.mean_) <= allowed))


def _fitted_to(step: Any, origin: Origin, given: tuple[Colouring, ...]) -> tuple[bool | None, ...]:
    """By name where the names are told; else by the digest of the target, on the rows of the fit.

    It never says no then: these columns may be some of several.
    """
    if origin.labels is not None:
        return tuple(column.name in origin.labels for column in given)
    record, told = step.result_.fitted_on, None
    if given and origin.same_rows and record is not None and hasattr(step, "target_"):
        y = np.column_stack([column.values.astype(np.float64) for column in given])
        told = True if record.y == digest_of(y) else None
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
    columns = _columns_of(y, n_samples, "target" if target else "given labels")
    names = None if len(columns) > 1 else class_names

    def is_own(name: str) -> bool:
        return origin.labels is None or name in origin.labels

    return tuple(
        _column(name, column, names, step if is_own(name) else None) for name, column in columns
    )


def _columns_of(y: Any, n_samples: int, default: str) -> list[tuple[str, Any]]:
    """The columns of y with their names; ``default`` names what has no name."""
    if isinstance(y, Mapping):
        found = [(str(name), column) for name, column in y.items()]
    elif hasattr(y, "columns"):
        found = [(str(name), y[name]) for name in y.columns]
    elif (array := as_column(y)).ndim == 2:
        found = [(f"{default} {j + 1}", array[:, j]) for j in range(array.shape[1])]
    else:
        name = getattr(y, "name", None)
        found = [(default if name is None else str(name), y if np.ndim(y) == 1 else array)]
    for name, column in found:
        if np.shape(column) != (n_samples,):
            raise ValueError(
                f"y must hold one entry for each of the {n_samples} rows of X. Its column {name!r} "
                f"has shape {np.shape(column)}."
            )
    return found


def _column(
    name: str, column: Any, class_names: Sequence[str] | None, step: BaseHSIC | None
) -> Colouring:
    """A column as the estimator reads its own target, or by its type where it is not that."""
    target = getattr(step, "target_", None)
    if target == "real" or getattr(step, "guidance_", None) == "scores":
        return _quantities(name, column)
    if target == "multilabel":
        return read_labels(name, np.asarray(column).astype(int), None)
    is_partial = isinstance(step, SemiSupervisedHSIC)
    is_labels = target == "classes" or is_partial or isinstance(step, AlternativeHSIC)
    if is_labels or kind_of_target(column).target != "real":
        return read_labels(name, column, class_names, partial=is_partial)
    return _quantities(name, column)


def _quantities(name: str, column: Any) -> Colouring:
    """A column of finite numbers."""
    try:
        values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name!r} must hold numbers, as in the fit. {error}.") from error
    if not np.isfinite(values).all():
        raise ValueError(f"{name!r} must be finite. Drop rows without a value.")
    return Colouring(name, "real", values)


def read_labels(
    name: str, column: Any, class_names: Sequence[str] | None, *, partial: bool = False
) -> Colouring:
    """A column of labels; with ``partial``, -1 means that a row's class is unknown."""
    read = read_classes(column, name, partial=partial)
    names = names_for("class_names", class_names, read.names, "classes in y")
    return Colouring(name, "classes", read.codes, tuple(names))


def _found(
    model: Any,
    step: BaseHSIC,
    X: Any,
    given: tuple[Colouring, ...],
    class_names: Sequence[str] | None,
) -> Colouring | None:
    """The cluster of each row, named after its class where the estimator named it so."""
    if not hasattr(step, "labels_"):
        return None
    found = read_labels("clusters found", model.predict(X), None)
    names = found.names
    if not hasattr(step, "classes_"):
        names = tuple(f"cluster {name}" for name in names)
    elif class_names is not None and given:
        named = dict(zip(map(str, np.unique(step.classes_)), given[0].names, strict=False))
        names = tuple(named.get(name, name) for name in names)
    return replace(found, names=names)
