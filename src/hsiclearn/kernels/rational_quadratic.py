"""The rational quadratic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array
from ._base import AbstractKernel, Power, Scaled, check_positive
from ._pairs import DIFFERENCE


@final
@dataclass(frozen=True)
class RationalQuadratic(AbstractKernel):
    """``f(b) = (1 + b / 2as^2)^(-a)`` on differences: a mixture of Gaussians of all scales.

    Parameters
    ----------
    bandwidth : float, default=1.0
        The scale s > 0.
    alpha : float, default=1.0
        The exponent a > 0; the larger, the closer to the Gaussian.
    """

    bandwidth: float = 1.0
    alpha: float = 1.0
    pair = DIFFERENCE
    definite = (1, -1, 1)  # completely monotone: a mixture of Gaussians

    def __post_init__(self) -> None:
        check_positive("RationalQuadratic", "bandwidth", self.bandwidth)
        check_positive("RationalQuadratic", "alpha", self.alpha)

    def _base(self, beta: Array) -> Array:
        return 1.0 + beta / (2.0 * self.alpha * self.bandwidth**2)

    @property
    def power(self) -> Power:
        """Itself, a power."""
        return Power(1.0, 2.0 * self.alpha * self.bandwidth**2, -self.alpha)

    def f(self, beta: Array) -> Array:
        """``t^(-a)``, ``t = 1 + b / 2as^2``."""
        return self._base(beta) ** -self.alpha

    def df(self, beta: Array) -> Array:
        """``-t^(-a-1) / 2s^2``."""
        return self._base(beta) ** (-self.alpha - 1.0) * (-0.5 / self.bandwidth**2)

    def d2f(self, beta: Array) -> Array:
        """``(a+1) t^(-a-2) / 4as^4``."""
        a = self.alpha
        return self._base(beta) ** (-a - 2.0) * ((a + 1.0) / (4.0 * a * self.bandwidth**4))

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """All three from one power, the dear operation here."""
        s2, a = self.bandwidth**2, self.alpha
        t = self._base(beta)
        f = t**-a
        jet = ((1.0, f), (-0.5 / s2, f / t))
        if order < 2:
            return jet[: order + 1]
        return (*jet, ((a + 1.0) / (4.0 * a * s2**2), f / (t * t)))
