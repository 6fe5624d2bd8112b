"""The inverse multiquadratic kernel."""

from __future__ import annotations

from dataclasses import dataclass

from .._arrays import Array, array_namespace
from ._base import AbstractKernel
from ._checks import check_positive
from ._pairs import DIFFERENCE

__all__ = ["InverseMultiquadratic"]


@dataclass(frozen=True)
class InverseMultiquadratic(AbstractKernel):
    """``f(b) = 1 / sqrt(b + c^2)`` on differences.

    Parameters
    ----------
    c : float, default=1.0
        Offset c > 0, the scale below which distances look alike.
    """

    c: float = 1.0
    pair = DIFFERENCE

    def __post_init__(self) -> None:
        check_positive("InverseMultiquadratic", "c", self.c)

    def f(self, beta: Array) -> Array:
        """``(b + c^2)^(-1/2)``."""
        return 1.0 / array_namespace(beta).sqrt(beta + self.c**2)

    def df(self, beta: Array) -> Array:
        """``-f^3 / 2``."""
        return self.jet(beta, 1)[1]

    def d2f(self, beta: Array) -> Array:
        """``3 f^5 / 4``."""
        return self.jet(beta, 2)[2]

    def jet(self, beta: Array, order: int) -> tuple[Array, ...]:
        """``(f, f', f'')`` from one square root."""
        f = self.f(beta)
        square = f * f
        df = -0.5 * f * square
        return (f, df, -1.5 * df * square)[: order + 1]
