"""The array namespace: the one seam between the mathematics and an array library.

Kernels, Gammas, tiles and linear algebra ask an array for its own library instead of
importing one, so that arrays on another device need no second version of a formula.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "FloatArray", "array_namespace"]

Array = Any
"""An array of any library that follows the array API standard."""

FloatArray = npt.NDArray[np.float64]
"""A float64 array on the host."""


def array_namespace(array: Array) -> Any:
    """Return the module whose functions work on ``array`` (``numpy`` for an ndarray)."""
    if isinstance(array, np.ndarray):
        return np
    return array.__array_namespace__()
