"""Double precision where digits matter."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import in_dtype, numpy_dtype


def double_sum(array: Array, axis: int | None = None) -> Array:
    """The sum of an array, added up in double precision."""
    xp = array_namespace(array)
    return xp.sum(array, axis=axis, dtype=xp.float64)


def doubles(part: tuple[Array, ...]) -> tuple[Array, ...]:
    """Arrays in double precision, but for codes and numbers of rows."""
    return tuple(in_dtype(a, np.float64) if numpy_dtype(a).kind == "f" else a for a in part)
