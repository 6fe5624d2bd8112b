"""What rows are coloured or ordered by: a class or a number each, and nothing where y has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from .._arrays import Array, FloatArray
from .._devices import here
from .._estimators import AlternativeHSIC, BaseHSIC, SemiSupervisedHSIC
from .._paradigms import (
    as_column,
    is_categorical,
    is_minus_one,
    kind_of_target,
    missing_among,
    read_labels,
)
from ._names import names_for

_KINDS = ("classes", "real")


@dataclass(frozen=True, eq=False)
class Colouring:
    """A class or a quantity for each row, which rows are coloured or ordered by.

    Of ``"classes"`` the ``values`` number the ``names``, -1 where a class is unknown; those of a
    ``"real"`` kind are NaN where a row has none. ``note`` says how many have none, if any;
    ``fitted_to`` whether a model was fitted to it, None where nobody knows.
    """

    name: str
    kind: str
    values: Array
    names: tuple[str, ...] = ()
    note: str = ""
    fitted_to: bool | None = None

    @property
    def is_classes(self) -> bool:
        """Whether rows fall into classes."""
        return self.kind == "classes"

    @property
    def rank(self) -> Array:
        """What to sort rows by, so that those without a value are last."""
        unknown = self.is_classes & (self.values < 0)
        return np.where(unknown, len(self.names), self.values)

    @property
    def sizes(self) -> list[dict[str, Any]]:
        """The classes by ``name`` and ``n_rows``."""
        counts = np.bincount(self.values[self.values >= 0], minlength=len(self.names))
        return [{"name": name, "n_rows": n} for name, n in zip(self.names, counts, strict=True)]

    @property
    def n_unknown(self) -> int:
        """Rows whose class is unknown."""
        return int(np.count_nonzero(self.values < 0))


def read_colouring(
    y: Array | None, n_samples: int, kind: str | None, *, partial: bool = False
) -> Colouring | None:
    """Y as it is drawn; with ``partial``, -1 among classes means that a class is not known."""
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"`target` must be None or one of {list(_KINDS)}. Got {kind!r}.")
    if y is None:
        return None
    values = one_per_row(y, n_samples)
    absent = missing_among(values)
    kind = kind or _kind_of(y, values[~absent], None)
    if partial and kind == "classes":
        absent = absent | is_minus_one(values)
    word, count = "not known" if partial else "missing", int(np.count_nonzero(absent))
    if count == n_samples:
        raise ValueError(
            f"`y` must hold a value for some of the rows. All {n_samples} are {word}: pass y=None "
            "to draw the rows without."
        )
    note = f"{word} ({count:,})" if count else ""
    if kind == "real":
        return Colouring("y", kind, _numbers(values, absent), note=note)
    read = read_labels(values, partial=partial)
    classes = read.classes
    if classes.dtype.kind == "f" and np.all((np.abs(classes) < 2**53) & (classes % 1 == 0)):
        classes = classes.astype(np.int64)  # integers that became floats because some are missing
    return Colouring("y", kind, read.codes, tuple(map(str, classes)), note)


def target_kind(model: Any, y: Array | None, n_samples: int, kind: str | None) -> str | None:
    """How to read y: as asked, else numbers as the estimator read its own target.

    Fractions are no classes, whatever the estimator was fitted to.
    """
    if y is None or kind is not None:
        return kind
    last = _last(model)
    own = getattr(last, "target_", None)
    if getattr(last, "guidance_", None) == "labels":
        own = "classes"
    values = one_per_row(y, n_samples)
    return _kind_of(y, values[~missing_among(values)], own)


def is_partial(model: Any) -> bool:
    """Whether -1 means "not known" to this estimator."""
    last = _last(model)
    return isinstance(last, SemiSupervisedHSIC) and getattr(last, "guidance_", None) != "scores"


def one_per_row(y: Array, n_samples: int) -> Array:
    """Y as a vector with one entry per row."""
    values = as_column(y)
    if values.shape != (n_samples,):
        remedy = "Of several outputs, pass the column to colour by."
        if values.ndim == 2 and values.shape[0] == values.shape[1]:
            remedy = "Of a kernel matrix no colours can be made: pass labels to colour by."
        raise ValueError(
            f"`y` must hold one value per row, shape ({n_samples},). Got shape {values.shape}. "
            f"{remedy}"
        )
    return values


def columns_of(y: Any, n_samples: int, default: str) -> list[tuple[str, Any]]:
    """The columns of y with their names; ``default`` names what has no name."""
    y = here(y)
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


def column_of(
    step: BaseHSIC | None, name: str, column: Any, class_names: Sequence[str] | None
) -> Colouring:
    """A column as the estimator reads its own target; without one, by its type."""
    target = getattr(step, "target_", None)
    if target == "real" or getattr(step, "guidance_", None) == "scores":
        return _quantities(name, column)
    if target == "multilabel":
        return labels_of(name, np.asarray(column).astype(int), None)
    is_partial = isinstance(step, SemiSupervisedHSIC)
    is_labels = target == "classes" or is_partial or isinstance(step, AlternativeHSIC)
    if is_labels or kind_of_target(column).target != "real":
        return labels_of(name, column, class_names, partial=is_partial)
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


def labels_of(
    name: str, column: Any, class_names: Sequence[str] | None, *, partial: bool = False
) -> Colouring:
    """A column of labels; with ``partial``, -1 means that a row's class is unknown."""
    read = read_labels(column, name, partial=partial)
    names = names_for("class_names", class_names, read.names, "classes in y")
    return Colouring(name, "classes", read.codes, tuple(names))


def _last(model: Any) -> Any:
    """The last step, also of pipelines within pipelines; it may be anyone's transformer."""
    while isinstance(model, Pipeline):
        model = model[-1]
    return model


def _kind_of(y: Array, known: Array, own: str | None) -> str:
    """By the type of y itself for a categorical column, else by the values that are there."""
    if is_categorical(y):
        return "classes"
    values = np.array(known.tolist()) if known.dtype.kind == "O" else known
    if own not in _KINDS or values.dtype.kind not in "fiub":
        return kind_of_target(values).target
    fractions = values.dtype.kind == "f" and bool(np.any(values != np.round(values)))
    return "real" if own == "real" or fractions else "classes"


def _numbers(values: Array, absent: Array) -> FloatArray:
    """Real values, NaN where there is none."""
    numbers = np.full(values.size, np.nan)
    try:
        numbers[~absent] = values[~absent].astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"target='real' needs numbers in y. Got dtype {values.dtype}: {error}."
        ) from error
    infinite = int(np.count_nonzero(np.isinf(numbers)))
    if infinite:
        raise ValueError(
            f"A real `y` must be finite or missing. Got {infinite} infinite values: drop those "
            "rows, or make them NaN."
        )
    return numbers
