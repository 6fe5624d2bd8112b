"""The linear kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array, array_namespace
from ._base import AbstractKernel
from ._pairs import INNER


@final
@dataclass(frozen=True)
class Linear(AbstractKernel):
    """``f(b) = b`` on inner products: ``k(x_i, x_j) = x_i'WW'x_j``.

    Phi does not depend on W, so the solution is closed form: the top eigenvectors of
    ``X' Gamma X``.
    """

    pair = INNER
    coefficients = (0.0, 1.0)

    def f(self, beta: Array) -> Array:
        """``b``."""
        return beta

    def df(self, beta: Array) -> Array:
        """``1``."""
        return array_namespace(beta).ones_like(beta)

    def d2f(self, beta: Array) -> Array:
        """``0``."""
        return array_namespace(beta).zeros_like(beta)
