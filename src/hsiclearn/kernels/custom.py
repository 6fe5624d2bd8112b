"""A kernel from three functions, and a check of derivatives that a user wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from ..exceptions import InvalidKernelError
from ._base import AbstractKernel
from ._pairs import DIFFERENCE, Pair, as_pair

Scalar = Callable[[Array], Array]


@final
@dataclass(frozen=True, init=False)
class Custom(AbstractKernel):
    """A kernel of your own: ``Custom(f, df, d2f, pair="difference")``.

    The derivatives are compared with finite differences when an objective is built, so a slip
    is an error and not a wrong answer.

    Parameters
    ----------
    f, df, d2f : callable
        The function of beta and its two derivatives, elementwise on arrays. Functions defined
        at module level keep the kernel picklable.
    pair : {"difference", "inner"}, default="difference"
        Whether beta is a squared distance or an inner product.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn.kernels import Custom
    >>> kernel = Custom(lambda b: np.exp(-b), lambda b: -np.exp(-b), lambda b: np.exp(-b))
    >>> float(kernel.f(np.zeros(1))[0])
    1.0
    """

    functions: tuple[Scalar, Scalar, Scalar]
    pair: Pair = DIFFERENCE

    def __init__(self, f: Scalar, df: Scalar, d2f: Scalar, pair: str | Pair = "difference") -> None:
        object.__setattr__(self, "functions", (f, df, d2f))
        object.__setattr__(self, "pair", as_pair(pair))

    def f(self, beta: Array) -> Array:
        """The user's f."""
        return self.functions[0](beta)

    def df(self, beta: Array) -> Array:
        """The user's f'."""
        return self.functions[1](beta)

    def d2f(self, beta: Array) -> Array:
        """The user's f''."""
        return self.functions[2](beta)


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
