"""Double precision where digits matter."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import in_dtype, numpy_dtype


def double_sum(array: Array, weights: tuple[Array, Array] | None = None) -> Array:
    """The sum of a matrix: of each row in its own precision, of these sums in double.

    A sum in another precision than the array's would first copy it. Rows and columns may count as
    often as two vectors say.
    """
    xp = array_namespace(array)
    if weights is None:
        return xp.sum(xp.sum(array, axis=-1), dtype=xp.float64)
    return xp.sum(weights[0] * double_sums(array, 1, weights[1]))


def double_sums(array: Array, axis: int, weights: Array | None = None) -> Array:
    """The sums along an axis of a matrix, in double precision from there on.

    What is summed may count as often as a vector says.
    """
    if weights is not None:
        w = in_dtype(weights, numpy_dtype(array))
        array = array * (w[None, :] if axis == 1 else w[:, None])
    return in_dtype(array_namespace(array).sum(array, axis=axis), np.float64)


def doubles(part: tuple[Array, ...]) -> tuple[Array, ...]:
    """Arrays in double precision, but for codes and numbers of rows."""
    return tuple(in_dtype(a, np.float64) if numpy_dtype(a).kind == "f" else a for a in part)
