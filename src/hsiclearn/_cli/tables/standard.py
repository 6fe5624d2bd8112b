"""Mean and standard deviation of a column."""

from __future__ import annotations

import numpy as np

from ..._arrays import FloatArray

__all__ = ["mean_and_scale"]


def mean_and_scale(values: FloatArray) -> tuple[float, float]:
    """The mean, and the population standard deviation, or 1 for a column that is constant.

    Columns that differ by rounding alone are constant too: to divide by that would make noise of
    it.
    """
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    unit = np.ldexp(1.0, int(exponent) - 1)  # a power of two: squares cannot overflow
    small = values / unit
    mean = small.mean()
    spread = small.std()
    if spread <= small.size * np.finfo(np.float64).eps * abs(mean):
        return float(mean * unit), 1.0
    return float(mean * unit), float(spread * unit)
