"""Directions that say nothing, since rows hardly differ along them."""

from __future__ import annotations

import numpy as np

from .._arrays import Array

__all__ = ["FLAT", "hardly_vary"]

FLAT = 1e-6
"""Standard deviation, relative to that of the widest direction, that is rounding."""

_NARROW = 0.05  # of the bandwidth: distances change by some 0.1 %


def hardly_vary(deviations: Array, bandwidth: float | None) -> Array:
    """Which directions add nothing to the kernel, by the standard deviation of rows along each.

    A kernel wider than all the rows sees no direction but by its width beside the others; one
    without a bandwidth sees every direction that varies at all.
    """
    deviations = np.asarray(deviations, dtype=np.float64)
    widest = float(deviations.max())
    scale = 0.0 if bandwidth is None else min(bandwidth, widest)
    return (deviations <= FLAT * widest) | (deviations < _NARROW * scale)
