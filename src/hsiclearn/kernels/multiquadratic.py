"""The multiquadratic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array, array_namespace
from ._base import AbstractKernel, Power, Scaled, check_positive
from ._pairs import DIFFERENCE


@final
@dataclass(frozen=True)
class Multiquadratic(AbstractKernel):
    """``f(b) = sqrt(b + c^2)`` on differences.

    It grows with distance, so as printed in the paper it *flees* dependence. Use
    ``-Multiquadratic(c)``: for small c that is dimension reduction by distance covariance.

    Parameters
    ----------
    c : float, default=1.0
        Offset c > 0; the smaller, the closer to the plain distance.
    """

    c: float = 1.0
    pair = DIFFERENCE
    definite = (0, 1, -1)  # f itself is definite on centred weights only
    grows_with_distance = True

    def __post_init__(self) -> None:
        check_positive("Multiquadratic", "c", self.c)

    @property
    def power(self) -> Power:
        """Itself, a power."""
        return Power(self.c, self.c**2, 0.5)

    def f(self, beta: Array) -> Array:
        """``sqrt(b + c^2)``."""
        return array_namespace(beta).sqrt(beta + self.c**2)

    def df(self, beta: Array) -> Array:
        """``1 / 2f``."""
        return 0.5 / self.f(beta)

    def d2f(self, beta: Array) -> Array:
        """``-1 / 4f^3``."""
        return -0.25 / self.f(beta) ** 3

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """All three from one square root."""
        f = self.f(beta)
        inverse = 1.0 / f
        jet = ((1.0, f), (0.5, inverse))
        return (*jet, (-0.25, inverse * inverse * inverse)) if order == 2 else jet[: order + 1]
