"""The inverse multiquadratic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array, array_namespace
from ._base import AbstractKernel, Power, Scaled, check_positive
from ._pairs import DIFFERENCE

_RANGE = 1e-60, 1e60  # of c, whose fifth power is in the second derivative


@final
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
    definite = (1, -1, 1)  # completely monotone: a mixture of Gaussians

    def __post_init__(self) -> None:
        check_positive("InverseMultiquadratic", "c", self.c, _RANGE)

    @property
    def power(self) -> Power:
        """Itself, a power."""
        return Power(1.0 / self.c, self.c**2, -0.5)

    def f(self, beta: Array) -> Array:
        """``(b + c^2)^(-1/2)``."""
        return 1.0 / array_namespace(beta).sqrt(beta + self.c**2)

    def df(self, beta: Array) -> Array:
        """``-f^3 / 2``."""
        return -0.5 * self.f(beta) ** 3

    def d2f(self, beta: Array) -> Array:
        """``3 f^5 / 4``."""
        return 0.75 * self.f(beta) ** 5

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """All three from one square root."""
        f = self.f(beta)
        square = f * f
        cube = f * square
        jet = ((1.0, f), (-0.5, cube))
        return (*jet, (0.75, cube * square)) if order == 2 else jet[: order + 1]
