"""The logarithmic kernel: the example of docs/how_to/add_a_kernel.md."""

from __future__ import annotations

from dataclasses import dataclass

from hsiclearn._arrays import Array, array_namespace
from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.kernels import DIFFERENCE, AbstractKernel

__all__ = ["Logarithmic"]


@dataclass(frozen=True)
class Logarithmic(AbstractKernel):
    """``f(b) = -log(1 + b/s^2)`` on differences.

    Parameters
    ----------
    bandwidth : float, default=1.0
        The scale s > 0.
    """

    bandwidth: float = 1.0
    pair = DIFFERENCE

    def __post_init__(self) -> None:
        if not self.bandwidth > 0.0:
            raise InvalidKernelError(f"Logarithmic needs bandwidth > 0. Got {self.bandwidth}.")

    def f(self, beta: Array) -> Array:
        """``-log(1 + b/s^2)``."""
        return -array_namespace(beta).log1p(beta / self.bandwidth**2)

    def df(self, beta: Array) -> Array:
        """``-1 / (s^2 + b)``."""
        return -1.0 / (self.bandwidth**2 + beta)

    def d2f(self, beta: Array) -> Array:
        """``1 / (s^2 + b)^2``."""
        return 1.0 / (self.bandwidth**2 + beta) ** 2
