"""The Cauchy kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array
from ._base import AbstractKernel, Power, Scaled, check_positive
from ._pairs import DIFFERENCE


@final
@dataclass(frozen=True)
class Cauchy(AbstractKernel):
    """``f(b) = 1 / (1 + b/s^2)`` on differences: heavy tails, no exponential to pay for.

    Parameters
    ----------
    bandwidth : float, default=1.0
        The scale s > 0.
    """

    bandwidth: float = 1.0
    pair = DIFFERENCE
    definite = (1, -1, 1)  # completely monotone: a mixture of Gaussians

    def __post_init__(self) -> None:
        check_positive("Cauchy", "bandwidth", self.bandwidth)

    @property
    def power(self) -> Power:
        """Itself, a power."""
        return Power(1.0, self.bandwidth**2, -1.0)

    def f(self, beta: Array) -> Array:
        """``1 / (1 + b/s^2)``."""
        return 1.0 / (1.0 + beta / self.bandwidth**2)

    def df(self, beta: Array) -> Array:
        """``-f^2 / s^2``."""
        return -(self.f(beta) ** 2) / self.bandwidth**2

    def d2f(self, beta: Array) -> Array:
        """``2 f^3 / s^4``."""
        return 2.0 * self.f(beta) ** 3 / self.bandwidth**4

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """All three from one division."""
        f = self.f(beta)
        jet = ((1.0, f), (-1.0 / self.bandwidth**2, f * f))
        return (*jet, (2.0 / self.bandwidth**4, f * f * f)) if order == 2 else jet[: order + 1]
