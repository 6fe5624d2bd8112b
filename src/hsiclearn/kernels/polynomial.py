"""The polynomial kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import final

import numpy as np

from .._arrays import Array, array_namespace
from ..exceptions import InvalidKernelError
from ._base import AbstractKernel
from ._pairs import INNER


@final
@dataclass(frozen=True)
class Polynomial(AbstractKernel):
    """``f(b) = (b + c)^p`` on inner products.

    Parameters
    ----------
    degree : int, default=3
        The power p >= 1.
    coef0 : float, default=1.0
        The offset c >= 0. At c = 0 and p >= 2 the slope at 0 vanishes, so the start falls back
        to ``-X' Gamma X``.
    """

    degree: int = 3
    coef0: float = 1.0
    pair = INNER

    def __post_init__(self) -> None:
        if not isinstance(self.degree, Integral) or self.degree < 1:
            raise InvalidKernelError(
                f"Polynomial needs an integer `degree` >= 1. Got degree={self.degree!r}."
            )
        is_number = isinstance(self.coef0, int | float | np.number)
        if not (is_number and math.isfinite(self.coef0) and self.coef0 >= 0):
            raise InvalidKernelError(
                f"Polynomial needs a finite `coef0` >= 0. Got coef0={self.coef0!r}."
            )

    @property
    def coefficients(self) -> tuple[float, ...]:  # type: ignore[override]
        """``binomial(p, k) c^(p-k)``."""
        p, c = int(self.degree), float(self.coef0)
        return tuple(math.comb(p, k) * c ** (p - k) for k in range(p + 1))

    def f(self, beta: Array) -> Array:
        """``(b + c)^p``."""
        return _power(beta + self.coef0, self.degree)

    def df(self, beta: Array) -> Array:
        """``p (b + c)^(p-1)``."""
        return self.degree * _power(beta + self.coef0, self.degree - 1)

    def d2f(self, beta: Array) -> Array:
        """``p (p-1) (b + c)^(p-2)``."""
        p = self.degree
        return p * (p - 1) * _power(beta + self.coef0, max(p - 2, 0))


def _power(base: Array, exponent: int) -> Array:
    """Integer power by products: an order of magnitude faster than a general ``pow``."""
    if exponent == 0:
        return array_namespace(base).ones_like(base)
    if exponent == 1:
        return base
    half = _power(base, exponent // 2)
    return half * half * base if exponent % 2 else half * half
