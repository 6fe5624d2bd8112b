"""What kind of target y is."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_array

from .._arrays import Array
from ..exceptions import DegenerateDataError
from ..gamma import check_symmetric

__all__ = [
    "MOST_CLASSES",
    "TARGETS",
    "Kind",
    "class_codes",
    "detect_target",
    "is_missing",
    "kind_of_integers",
    "kind_of_target",
    "most_classes",
    "read_target",
    "validate_target",
]

TARGETS = ("classes", "real", "multilabel", "precomputed")

MOST_CLASSES = 20
"""Different integers that may be classes."""

_CLEARLY_CLASSES = 10  # different integers: digits
_CLEARLY_A_QUANTITY = 40
_TINY = 5  # different integers, which are classes however few the rows are


class Kind(NamedTuple):
    """What y is, and what speaks against it where the rule is not sure; ``""`` where it is."""

    target: str
    doubt: str = ""


def detect_target(y: Any) -> str:
    """The rule behind ``target="auto"``: see :func:`kind_of_target`."""
    return kind_of_target(y).target


def kind_of_target(y: Any) -> Kind:
    """What y is, by the type of its entries.

    1. A categorical column: classes.
    2. Floating point, one or several columns: real.
    3. Integers, one column: see :func:`kind_of_integers`.
    4. Booleans or strings, one column: classes.
    5. Several columns of 0 and 1: multilabel.
    6. Dates and durations: an error, since they may be meant either way.
    """
    if "categor" in str(getattr(y, "dtype", "")).lower():
        return Kind("classes")
    array = np.asarray(y)
    _refuse_dates(array)
    if array.dtype.kind == "O":
        array = np.array(array.tolist())
    several = array.ndim == 2 and array.shape[1] > 1
    if array.dtype.kind == "f":
        return Kind("real")
    if not several:
        return kind_of_integers(array) if array.dtype.kind in "iu" else Kind("classes")
    if array.dtype.kind in "iub" and np.isin(array, (0, 1)).all():
        return Kind("multilabel")
    raise ValueError(
        f"target='auto' cannot tell what y is: {array.shape[1]} columns of dtype {array.dtype} "
        "that are not all 0 or 1. Pass target='real' (and float columns) or one column of labels."
    )


def kind_of_integers(y: Array) -> Kind:
    """Whole numbers are classes if there are at most 20 different ones, and not many for n rows.

    Many are more than ``max(5, n / 2)``: most classes would have one row. It is in doubt where
    they are classes and more than 10, and where they are a quantity and at most 40, or numbered
    0, 1, 2 ... or 1, 2, 3 ... without a gap with ten rows each or more, as encoders do.
    """
    different = np.unique(y)
    n, count = np.size(y), different.size
    seen = f"{count} different integers in {n} rows"
    if count <= min(MOST_CLASSES, max(_TINY, n / 2)):
        return Kind("classes", seen if count > _CLEARLY_CLASSES else "")
    numbered = different[0] in (0, 1) and different[-1] - different[0] == count - 1
    like_codes = count <= _CLEARLY_A_QUANTITY or (numbered and n >= 10 * count)
    return Kind("real", seen if like_codes else "")


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


def read_target(y: Any, target: str) -> Array:
    """Y as an array: labels as a vector, anything else as a matrix of finite numbers."""
    if target == "classes":
        return _as_labels(y)
    y = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y")
    return y[:, None] if y.ndim == 1 else y


def validate_target(y: Any, target: str) -> Array:
    """Y as an array fit for its kind, or an error that says what was seen."""
    y = read_target(y, target)
    if target == "classes":
        return y
    if target == "multilabel" and not np.isin(y, (0.0, 1.0)).all():
        raise ValueError(
            "target='multilabel' needs a matrix of 0 and 1. Got values from "
            f"{y.min():g} to {y.max():g}."
        )
    if target == "precomputed" and y.shape[0] != y.shape[1]:
        raise ValueError(
            "target='precomputed' needs y as a kernel matrix of shape (n_samples, n_samples). "
            f"Got shape {y.shape}."
        )
    if target == "precomputed":
        check_symmetric(y, "y", rtol=1e-6)  # a kernel in float32 is symmetric to 1e-7
        y = 0.5 * (y + y.T)
    elif not np.any(y != y[0]):
        raise DegenerateDataError(
            f"y is constant over {y.shape[0]} rows: nothing depends on it. Pass a target that "
            "varies."
        )
    return y


def _as_labels(y: Any) -> Array:
    """Labels as a vector; missing ones are an error."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(
            f"target='classes' needs one label per row, a vector. Got shape {labels.shape}. "
            "For several outputs use target='real' or 'multilabel'."
        )
    if labels.dtype.kind in "fc":
        return check_array(labels, ensure_2d=False, dtype=None, input_name="y")
    if labels.dtype.kind == "O":
        missing = int(np.count_nonzero(is_missing(labels)))
        if missing:
            raise ValueError(
                f"Input y contains NaN: {missing} of {labels.size} labels are missing. Drop those "
                "rows, or give them a label of their own."
            )
    return labels


def class_codes(labels: Array, name: str = "y") -> tuple[Array, Array]:
    """The different labels in order, and the number of each row's among them."""
    try:
        return np.unique(labels, return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in labels})
        raise ValueError(
            f"The labels in {name} must be comparable. Got a mixture of {kinds}: make them strings."
        ) from error


def is_missing(labels: Array) -> list[bool]:
    """None, NaN and pandas' NA, which is equal to nothing and has no truth value."""

    def missing(label: Any) -> bool:
        try:
            return label is None or bool(label != label)  # noqa: PLR0124
        except TypeError:
            return True

    return [missing(label) for label in labels]
