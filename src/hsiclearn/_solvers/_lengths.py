"""Step lengths of Barzilai and Borwein: Two-point step size gradient methods, IMA J. 1988."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray

__all__ = ["barzilai_borwein"]


def barzilai_borwein(step: FloatArray, change: FloatArray, *, long: bool) -> float | None:
    """``s's / |s'y|`` or ``|s'y| / y'y``, with y the change of the gradient along s.

    Sizes, because the curvature may be negative; None where it is nothing at all.
    """
    product = abs(float(np.vdot(step, change)))
    if product <= np.finfo(float).tiny:
        return None
    if long:
        return float(np.vdot(step, step)) / product
    return product / float(np.vdot(change, change))
