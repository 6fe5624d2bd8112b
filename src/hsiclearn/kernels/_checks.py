"""A check of derivatives that a user wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._arrays import FloatArray
from ..exceptions import InvalidKernelError

if TYPE_CHECKING:
    from ._base import AbstractKernel


def check_derivatives(kernel: AbstractKernel, beta: FloatArray, *, rtol: float = 1e-4) -> None:
    """Compare f' and f'' with central differences of f and f' at the values ``beta``.

    Squared distances take a step relative to each value, so that a kernel that is rough at 0
    (a Matern, say) is judged fairly. ``rtol`` leaves ample room for honest rounding and none
    for a wrong factor or sign.
    """
    beta = np.asarray(beta, dtype=np.float64)
    if kernel.pair.is_difference:
        # A narrow kernel is nothing at the distances of the data: look closer to 0 as well.
        beta = np.concatenate([beta.max(initial=1.0) * np.geomspace(1e-6, 1.0, 13), beta])
        beta = np.unique(beta[beta > 1e-6 * beta.max()])
        h = 1e-4 * beta
    else:
        h = np.full_like(beta, 1e-5 * max(float(np.ptp(beta)), 1e-8))
    for name, function, derivative in (("df", kernel.f, kernel.df), ("d2f", kernel.df, kernel.d2f)):
        value, claimed = np.asarray(function(beta)), np.asarray(derivative(beta))
        if not np.all(np.isfinite(value)):
            raise InvalidKernelError(
                f"{kernel!r} is not finite on these data: f is NaN or infinite at "
                f"beta={beta[~np.isfinite(value)][0]:.6g}. Correct `f`, or scale the columns of X."
            )
        if claimed.shape != beta.shape or not np.all(np.isfinite(claimed)):
            raise InvalidKernelError(
                f"`{name}` of {kernel!r} must return finite values of the shape of beta, "
                f"{beta.shape}. Got shape {claimed.shape}, values {claimed.ravel()[:3]}."
            )
        measured = (np.asarray(function(beta + h)) - np.asarray(function(beta - h))) / (2 * h)
        allowed = rtol * np.maximum(np.abs(claimed), np.abs(measured)) + 1e-13 * np.abs(value) / h
        # What is nothing beside the steepest slope need not be right to four digits.
        allowed = allowed + 1e-8 * np.max(np.abs(measured), initial=0.0)
        wrong = np.flatnonzero(np.abs(claimed - measured) > allowed)
        if wrong.size:
            i = wrong[0]
            raise InvalidKernelError(
                f"`{name}` of {kernel!r} disagrees with the numerical derivative: at "
                f"beta={beta[i]:.6g} it returns {claimed[i]:.6g}, finite differences give "
                f"{measured[i]:.6g}. Correct `{name}` (a factor or a sign, most often)."
            )
