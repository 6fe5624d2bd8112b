"""The Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .._arrays import Array, array_namespace, exp_in_place
from ._base import AbstractKernel, Scaled, check_positive
from ._pairs import DIFFERENCE


@final
@dataclass(frozen=True)
class Gaussian(AbstractKernel):
    """``f(b) = exp(-b / 2s^2)`` on differences.

    Parameters
    ----------
    bandwidth : float, default=1.0
        The scale s > 0.
    """

    bandwidth: float = 1.0
    pair = DIFFERENCE
    definite = (1, -1, 1)

    def __post_init__(self) -> None:
        check_positive("Gaussian", "bandwidth", self.bandwidth)

    @property
    def rate(self) -> float:  # type: ignore[override]
        """``-1 / 2s^2``."""
        return -0.5 / self.bandwidth**2

    def f(self, beta: Array) -> Array:
        """``exp(-b / 2s^2)``."""
        return array_namespace(beta).exp(self.rate * beta)

    def df(self, beta: Array) -> Array:
        """``-f / 2s^2``."""
        return self.rate * self.f(beta)

    def d2f(self, beta: Array) -> Array:
        """``f / 4s^4``."""
        return self.rate**2 * self.f(beta)

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """One exponential serves all three: it is by far the dearest operation of a tile."""
        rate = self.rate
        beta *= rate
        f = exp_in_place(beta)
        return ((1.0, f), (rate, f), (rate**2, f))[: order + 1]
