"""The squared-distance kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array, array_namespace
from ._base import AbstractKernel
from ._pairs import DIFFERENCE


@final
@dataclass(frozen=True)
class Squared(AbstractKernel):
    """``f(b) = b`` on differences: ``k(x_i, x_j) = |W'(x_i - x_j)|^2``.

    It grows with distance: with a centred Gamma, as printed in the paper, its minimiser is the
    null space of the dependence. Use ``-Squared()`` to find dependence; it then has the
    solution of the linear kernel.
    """

    pair = DIFFERENCE
    coefficients = (0.0, 1.0)
    grows_with_distance = True

    def f(self, beta: Array) -> Array:
        """``b``."""
        return beta

    def df(self, beta: Array) -> Array:
        """``1``."""
        return array_namespace(beta).ones_like(beta)

    def d2f(self, beta: Array) -> Array:
        """``0``."""
        return array_namespace(beta).zeros_like(beta)
