"""Columns in units near one, exactly."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray

__all__ = ["in_units_near_one"]


def in_units_near_one(A: FloatArray) -> FloatArray:
    """Each column times the power of two that brings its largest entry to between 1/2 and 1.

    Powers of two change no digit: what does not depend on the unit comes out the same, bit by
    bit, and squares neither overflow nor vanish.
    """
    _, exponent = np.frexp(np.max(np.abs(A), axis=0))
    # Twice, since the power itself may be out of range.
    half = -exponent // 2
    return np.ldexp(np.ldexp(A, half), -exponent - half)
