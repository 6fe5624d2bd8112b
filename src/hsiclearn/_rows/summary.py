"""Mean, range and sanity of the columns, from one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray
from ..exceptions import DegenerateDataError
from ._base import AbstractRows, Block

_SMALLEST = 1e-140  # spread: the square of a millionth of it is still a number
_LARGEST = 1e70  # a Hessian multiplies four entries


@dataclass(frozen=True)
class Summary:
    """Column statistics of finite rows."""

    mean: FloatArray
    lowest: FloatArray
    highest: FloatArray


def summarise(rows: AbstractRows, name: str = "X") -> Summary:
    """One pass over uncentred rows; an error if an entry is not finite or too large to square."""

    def task(_: slice, block: Block) -> tuple[FloatArray, FloatArray, FloatArray]:
        low, high = block.min(axis=0), block.max(axis=0)
        if rows.is_sparse:
            low, high = low.toarray().ravel(), high.toarray().ravel()
        with np.errstate(invalid="ignore", over="ignore"):  # reported by name, below
            total = np.asarray(block.sum(axis=0, dtype=np.float64))
        return total, low.astype(np.float64), high.astype(np.float64)

    total = np.zeros(rows.n_features)
    lowest, highest = np.full(rows.n_features, np.inf), np.full(rows.n_features, -np.inf)
    for part, low, high in rows.map(task):
        bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high)))  # both survive min and max
        if bad.size:
            raise ValueError(
                f"{name} must be finite. {bad.size} columns hold NaN or infinite entries, the "
                f"first of them column {bad[0]}: impute or drop."
            )
        check_magnitude(low, high)
        total += part
        np.minimum(lowest, low, out=lowest)
        np.maximum(highest, high, out=highest)
    return Summary(total / rows.n_samples, lowest, highest)


def varying_columns(summary: Summary, n_samples: int, n_components: int = 1) -> Array:
    """A mask of the columns that vary; an error if none does, or none enough to be squared.

    All columns where there are fewer than components: constants must fill up.
    """
    varying = summary.lowest < summary.highest
    if not varying.any():
        raise DegenerateDataError(
            f"All {varying.size} columns of X are constant over {n_samples} rows: no direction can "
            "carry dependence. Pass data that vary."
        )
    widest = float(np.max(summary.highest - summary.lowest))
    if widest < _SMALLEST:
        raise DegenerateDataError(
            f"X must vary by {_SMALLEST:g} at least, so that squares do not vanish. Its widest "
            f"column varies by {widest:.3g}. Divide X by its largest entry first."
        )
    if n_components > np.count_nonzero(varying):
        varying[:] = True
    return varying


def check_directions(W: FloatArray) -> None:
    """Raise unless the columns of a start, on the columns of X that vary, are independent."""
    rank = np.linalg.matrix_rank(W) if np.all(np.isfinite(W)) else 0
    if rank < W.shape[1]:
        raise ValueError(
            f"The {W.shape[1]} directions of `init` must be finite and independent on the "
            f"columns that vary. Their rank is {rank}."
        )


def is_far_from_zero(rows: AbstractRows, summary: Summary) -> bool:
    """Whether a column has no zeros and a mean that dwarfs its range, such as a year.

    Squares of such a column cancel: a mean of 10 ranges costs two digits, more than single
    precision can spare. A column with zeros has its mean within its range.
    """
    limit = 1.0 if rows.dtype == np.float32 else 10.0
    return bool(np.any(np.abs(summary.mean) > limit * (summary.highest - summary.lowest)))


def check_magnitude(low: FloatArray, high: FloatArray) -> None:
    """Raise unless squares of numbers between these are finite."""
    largest = float(max(np.max(np.abs(low), initial=0.0), np.max(np.abs(high), initial=0.0)))
    if largest > _LARGEST:
        raise ValueError(
            f"The squares of X must be finite: |X| <= {_LARGEST:g}. The largest entry seen is "
            f"{largest:g}. Scale the columns."
        )
