"""Types that the benchmarks share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Figures", "FloatArray", "Progress", "Rows"]

Array: TypeAlias = NDArray[Any]
FloatArray: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = tuple[FloatArray, Array]
"""A table, and its target."""
Figures: TypeAlias = dict[str, Any]
"""What was measured, by name."""
Progress: TypeAlias = Callable[[int, int, str], None]
"""Hears how much is done, how much there is, and what is next or was last."""
