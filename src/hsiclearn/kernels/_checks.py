"""Checks of a kernel's parameters, and of its derivatives where a user wrote them."""

from __future__ import annotations

import math

import numpy as np

from .._arrays import FloatArray
from ..exceptions import InvalidKernelError
from ._base import AbstractKernel

__all__ = ["check_derivatives", "check_positive"]


def check_positive(kernel: str, name: str, value: float) -> None:
    """Raise unless a kernel's parameter is positive and finite."""
    if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0):
        raise InvalidKernelError(
            f"{kernel} needs `{name}` > 0 and finite. Got {name}={value!r}. For a scale that "
            "suits the data use bandwidth='median'."
        )


def check_derivatives(kernel: AbstractKernel, beta: FloatArray, *, rtol: float = 1e-4) -> None:
    """Compare f' and f'' with central differences of f and f' at the values ``beta``.

    The step is 1e-5 of the spread of beta, where a central difference of a smooth function is
    right to about 1e-9 of its scale: ``rtol`` leaves ample room for honest rounding and none
    for a wrong factor or sign.
    """
    beta = np.asarray(beta, dtype=np.float64)
    h = 1e-5 * max(float(np.ptp(beta)), 1e-8)
    beta = beta + (h if kernel.pair.is_difference else 0.0)  # a distance cannot go below zero
    for name, function, derivative in (("df", kernel.f, kernel.df), ("d2f", kernel.df, kernel.d2f)):
        claimed = np.asarray(derivative(beta), dtype=np.float64)
        measured = (np.asarray(function(beta + h)) - np.asarray(function(beta - h))) / (2 * h)
        if claimed.shape != beta.shape or not np.all(np.isfinite(claimed)):
            raise InvalidKernelError(
                f"`{name}` of {kernel!r} must return finite values of the shape of beta, "
                f"{beta.shape}. Got shape {claimed.shape}, values {claimed.ravel()[:3]}."
            )
        rounding = 1e-12 * float(np.max(np.abs(function(beta)))) / h
        allowed = rtol * float(np.max(np.abs(measured))) + rounding
        worst = int(np.argmax(np.abs(claimed - measured)))
        if abs(claimed[worst] - measured[worst]) > allowed:
            raise InvalidKernelError(
                f"`{name}` of {kernel!r} disagrees with the numerical derivative: at "
                f"beta={beta[worst]:.6g} it returns {claimed[worst]:.6g}, finite differences give "
                f"{measured[worst]:.6g}. Correct `{name}` (a factor or a sign, most often)."
            )
