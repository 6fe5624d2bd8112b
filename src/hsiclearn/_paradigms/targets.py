"""One reading of a target: what kind it is, and its classes or numbers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from operator import and_
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_class_weight

from .._advice import Advice
from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, as_values, count_codes, fold
from .._devices import is_foreign, numpy_dtype, to_host
from .._weights import weights_of_classes
from ..exceptions import DegenerateDataError, DependenceWarning
from ..gamma import check_symmetric
from .labels import (
    LARGEST_TABLE,
    ClassLabels,
    as_column,
    different,
    different_on_device,
    missing_among,
    read_labels,
)

TARGETS = ("classes", "real", "multilabel", "precomputed")

MOST_CLASSES = 20
"""Different integers that may be classes."""

_CLEARLY_CLASSES = 10  # different integers: digits
_CLEARLY_A_QUANTITY = 40
_TINY = 5  # different integers, which are classes however few the rows are
_HEAD = 1000  # rows that tell the type of entries
_MANY = 100_000  # different integers: no more are told apart where they are elsewhere

ClassWeight = str | Mapping[Any, float] | None


@dataclass(frozen=True, eq=False)
class Target:
    """A target that has been read and checked."""

    kind: str  # one of TARGETS
    values: Column | None = None  # classes as numbers, (n,); or numbers, (n, m)
    classes: Array | None = None  # the different labels, in order
    weights: FloatArray | None = None  # of the classes, where some were asked for
    kernel: FloatArray | None = None  # K_Y (n, n), where it was given instead of values

    @property
    def labels(self) -> Column | None:
        """The class of each row as a number, to stratify by; None for other kinds."""
        return self.values if self.kind == "classes" else None


class TargetKind(NamedTuple):
    """What y is, and what speaks against it where the rule is not sure; ``""`` where it is."""

    target: str
    doubt: str = ""


def read_target(
    y: Any,
    kind: str = "auto",
    class_weight: ClassWeight = None,
    row_weights: Column | None = None,
) -> Target:
    """Y as a target of this kind, or an error that says what was seen.

    Where rows have weights, a balanced ``class_weight`` counts rows by these.
    """
    is_asked_for = kind == "classes"
    y = _here_unless_whole(y)
    if kind == "auto":
        kind, doubt = kind_of_target(y)
        _warn_of_doubt(kind, doubt)
    values = values_of(y, kind)
    if kind == "classes":
        labels = read_labels(values)
        _check_classes_repeat(labels, numpy_dtype(values), insisted=is_asked_for)
        weights = _weights(labels, class_weight, row_weights)
        return Target(kind, labels.codes, labels.classes, weights)
    _check_numbers(values, kind)
    if class_weight is not None:
        raise ValueError(
            f"`class_weight` is for classes only. Got class_weight={class_weight!r} with "
            f"target={kind!r}. Leave it at None."
        )
    if kind == "precomputed":
        return Target(kind, kernel=0.5 * (values + values.T))
    return Target(kind, values)


def _here_unless_whole(y: Any) -> Any:
    """Y of another library on the host, but for one column of whole numbers or booleans.

    Of these the different ones are found where they are, and what comes here is their numbers.
    """
    if not is_foreign(y):
        return y
    is_column = len(y.shape) == 1 or (len(y.shape) == 2 and y.shape[1] == 1)
    return y if is_column and numpy_dtype(y).kind in "iub" else to_host(y)


def values_of(y: Any, kind: str) -> Column:
    """Y as an array: labels as a vector, none missing; anything else as a finite matrix."""
    y = _here_unless_whole(y)
    if is_foreign(y):
        if kind == "classes":
            return y[:, 0] if len(y.shape) == 2 else y
        y = to_host(y)
    if isinstance(y, AbstractColumn):
        # First looked at, where an error names the part; then read.
        y.fold(lambda _, part: bool(len(values_of(part, kind))), and_, "check")
        return y if kind == "classes" else y.map(_as_matrix)
    if kind != "classes":
        return _as_matrix(check_array(y, dtype=np.float64, ensure_2d=False, input_name="y"))
    labels = as_column(y)
    if labels.ndim != 1:
        raise ValueError(
            f"target='classes' needs one label per row, a vector. Got shape {labels.shape}. "
            "For several outputs use target='real' or 'multilabel'."
        )
    if labels.dtype.kind in "fc":
        return check_array(labels, ensure_2d=False, dtype=None, input_name="y")
    if missing := int(np.count_nonzero(missing_among(labels))):
        raise ValueError(
            f"Input y contains NaN: {missing} of {labels.size} labels are missing. Drop those "
            "rows, or give them a label of their own."
        )
    return labels


def _as_matrix(y: Array) -> FloatArray:
    return y.astype(np.float64, copy=False).reshape(y.shape[0], int(np.prod(y.shape[1:])))


def _check_numbers(y: Column, kind: str) -> None:
    """Raise unless a matrix of numbers is what its kind says, and varies."""
    if kind == "precomputed" and isinstance(y, AbstractColumn):
        raise ValueError(
            "target='precomputed' takes rows in memory, of which it is the kernel. The rows are "
            "of Dask: pass the target itself, or fit in memory."
        )
    if kind == "precomputed":
        if y.shape[0] != y.shape[1]:
            raise ValueError(
                "target='precomputed' needs y as a kernel matrix of shape (n_samples, n_samples). "
                f"Got shape {y.shape}."
            )
        check_symmetric(y, "y", rtol=1e-6)  # a kernel in float32 is symmetric to 1e-7
    low, high = extremes(y)
    if kind == "multilabel" and not _is_binary(y):
        raise ValueError(
            "target='multilabel' needs a matrix of 0 and 1. Got values from "
            f"{low.min():g} to {high.max():g}."
        )
    varies = low.min() < high.max() if kind == "precomputed" else np.any(low < high)
    if not varies:
        raise DegenerateDataError(
            f"y is constant over {y.shape[0]} rows: nothing depends on it. Pass a target that "
            "varies."
        )


def extremes(y: Column) -> tuple[FloatArray, FloatArray]:
    """The lowest and the highest entry of each column."""
    return fold(y, _range, _wider, "check")


def _range(_: slice, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    return y.min(axis=0), y.max(axis=0)


def _wider(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
    return np.minimum(a[0], b[0]), np.maximum(a[1], b[1])


def _is_binary(y: Column) -> bool:
    return fold(y, lambda _, part: bool(np.isin(part, (0, 1)).all()), and_, "check")


def _warn_of_doubt(kind: str, doubt: str) -> None:
    """Say what was decided where it could have been otherwise."""
    end = "; naming the kind ends this warning."
    taken, other, pass_, use = (
        ("classes", "a quantity", "pass floats or target='real'", "real")
        if kind == "classes"
        else ("a quantity", "classes", "pass target='classes'", "classes")
    )
    if doubt:
        seen = f"y holds {doubt}, taken as {taken}. If they are {other},"
        message = Advice(seen, f"{pass_}{end}", f"use --target-kind {use}{end}")
        warnings.warn(message, DependenceWarning, stacklevel=5)


def _check_classes_repeat(labels: ClassLabels, dtype: np.dtype[Any], *, insisted: bool) -> None:
    """Labels of which most have one row are names of rows or quantities, unless somebody insists.

    A class for each row says nothing, whoever insists.
    """
    n, count = len(labels.codes), labels.classes.size
    few = most_classes(n)
    if count <= (max(few, n - 1) if insisted else few):
        return
    is_number = np.issubdtype(dtype, np.number)
    remedy = "pass floats or target='real'" if is_number else "pass y grouped, or as numbers"
    insist = "; target='classes' takes them as they are" if count < n else ""
    raise ValueError(
        f"y has {count} different labels in {n} rows: too many for classes, of which most "
        f"would have one row. If they are names of rows, pass another column; if they are "
        f"quantities, {remedy}{insist}."
    )


def _weights(
    labels: ClassLabels, class_weight: ClassWeight, row_weights: Column | None
) -> FloatArray | None:
    """The weight of each class; an error if the classes cannot be told apart."""
    classes, n = labels.classes, len(labels.codes)
    if classes.size < 2:
        raise DegenerateDataError(
            f"y must hold at least 2 classes. Got 1 class, {classes.tolist()!r}, in {n} rows: "
            "there is nothing to tell apart."
        )
    if classes.size > LARGEST_TABLE:
        raise ValueError(
            f"At most {LARGEST_TABLE} classes can be told apart: a table of classes by classes is "
            f"kept. Got {classes.size} in {n} rows. Group them, or leave rare ones out."
        )
    if class_weight is None:
        return None
    if class_weight == "balanced":  # as scikit-learn has it, from the numbers of rows alone
        if row_weights is None:
            return n / (classes.size * count_codes(labels.codes))
        counts = weights_of_classes(labels.codes, row_weights, classes.size)
        return counts.sum() / (classes.size * np.maximum(counts, np.finfo(float).tiny))
    weights: FloatArray = compute_class_weight(class_weight, classes=classes, y=classes)
    if not (np.all(np.isfinite(weights)) and weights.min() >= 0 and weights.max() > 0):
        raise ValueError(
            "`class_weight` must hold finite weights >= 0, not all 0. Got "
            f"{dict(zip(classes.tolist(), np.asarray(weights).tolist(), strict=True))}."
        )
    return weights


def is_categorical(y: Any) -> bool:
    """Whether y is a column of categories, of pandas, of polars or of Dask."""
    return getattr(y, "is_categorical", False) or "categor" in str(getattr(y, "dtype", "")).lower()


def kind_of_target(y: Any, n_samples: float | None = None) -> TargetKind:
    """What y is, by the type of its entries; ``n_samples`` is the sum of weights, if rows have any.

    1. A categorical column: classes.
    2. Floating point, one or several columns: real.
    3. Integers, one column: see :func:`kind_of_integers`.
    4. Booleans or strings, one column: classes.
    5. Several columns of 0 and 1: multilabel.
    6. Dates and durations: an error, since they may be meant either way.
    """
    if is_categorical(y):
        return TargetKind("classes")
    y = _here_unless_whole(y)
    if is_foreign(y):
        is_whole = numpy_dtype(y).kind in "iu"
        return kind_of_integers(y, n_samples) if is_whole else TargetKind("classes")
    array = as_values(y)
    head = array
    if isinstance(array, AbstractColumn):
        head = array[np.arange(min(len(array), _HEAD))]
        if array.dtype.kind == "O" and array.ndim == 1:  # a later entry may be of another kind
            array.fold(lambda _, part: read_labels(part).classes.size > 0, and_, "check")
    _refuse_dates(head)
    if head.dtype.kind == "O":
        head = np.array(head.tolist())
    array = array if isinstance(array, AbstractColumn) else head
    several = head.ndim == 2 and head.shape[1] > 1
    if head.dtype.kind == "f":
        return TargetKind("real")
    if not several:
        is_whole = head.dtype.kind in "iu"
        return kind_of_integers(array, n_samples) if is_whole else TargetKind("classes")
    if head.dtype.kind in "iub" and _is_binary(array):
        return TargetKind("multilabel")
    raise ValueError(
        f"target='auto' cannot tell what y is: {head.shape[1]} columns of dtype {head.dtype} "
        "that are not all 0 or 1. Pass target='real' (and float columns) or one column of labels."
    )


def kind_of_integers(y: Column, n_samples: float | None = None) -> TargetKind:
    """Whole numbers are classes if there are at most 20 different ones, and not many for n rows.

    Many are more than ``max(5, n / 2)``: most classes would have one row. It is in doubt where
    they are classes and more than 10, and where they are a quantity and at most 40, or numbered
    0, 1, 2 ... or 1, 2, 3 ... without a gap with ten rows each or more, as encoders do.
    """
    different = (
        to_host(different_on_device(y))
        if is_foreign(y)
        else fold(y, lambda _, part: np.unique(_known(part)), _different, "classes")
    )
    n, count = y.shape[0] if n_samples is None else n_samples, different.size
    seen = f"{count} different integers in {y.shape[0]} rows"
    if count <= min(MOST_CLASSES, max(_TINY, n / 2)):
        return TargetKind("classes", seen if count > _CLEARLY_CLASSES else "")
    numbered = different[0] in (0, 1) and different[-1] - different[0] == count - 1
    is_known = count < _MANY
    like_codes = count <= _CLEARLY_A_QUANTITY or (is_known and numbered and n >= 10 * count)
    return TargetKind("real", seen if like_codes else "")


def _known(y: Array) -> Array:
    return y[~missing_among(y)] if y.dtype.kind == "O" else y


def _different(a: Array, b: Array) -> Array:
    """Numbers of two parts: beyond a hundred thousand nobody asks how many there are."""
    return different(a, b, "y")[:_MANY]


def most_classes(n_samples: int) -> float:
    """With more different labels than that, most have one row, from which nothing is learnt."""
    return max(MOST_CLASSES, n_samples / 2)


def _refuse_dates(array: Array) -> None:
    first = array.flat[0] if array.size and array.dtype.kind == "O" else None
    if array.dtype.kind in "mM" or isinstance(first, date | timedelta | np.datetime64):
        raise ValueError(
            "target='auto' does not take dates or durations: every one of them would be a class "
            f"of its own. Got {array.dtype if first is None else type(first).__name__}. Pass what "
            "is meant, such as days as floats, (y - y.min()) / np.timedelta64(1, 'D'), or "
            "target='classes'."
        )
