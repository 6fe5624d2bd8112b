"""Double precision where digits matter."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import in_dtype, numpy_dtype


def double_sum(array: Array) -> Array:
    """The sum of a matrix: of each row in its own precision, of these sums in double.

    A sum in another precision than the array's would first copy it.
    """
    xp = array_namespace(array)
    return xp.sum(xp.sum(array, axis=-1), dtype=xp.float64)


def double_sums(array: Array, axis: int) -> Array:
    """The sums of rows or columns of a matrix, in double precision from there on."""
    return in_dtype(array_namespace(array).sum(array, axis=axis), np.float64)


def doubles(part: tuple[Array, ...]) -> tuple[Array, ...]:
    """Arrays in double precision, but for codes and numbers of rows."""
    return tuple(in_dtype(a, np.float64) if numpy_dtype(a).kind == "f" else a for a in part)
