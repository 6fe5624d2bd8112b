"""What an objective is to a solver: something that can be evaluated at W."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .._arrays import Array, FloatArray
from .point import Point


class AbstractObjective(ABC):
    """A function of the subspace spanned by W, to be minimised over ``W'W = I``.

    ``phi(W)`` is the symmetric matrix with ``gradient(W) = 2 Phi W``. Where a Hessian is known
    as well, :meth:`point` returns a :class:`CurvedPoint`.
    """

    X: FloatArray
    engine: str
    engine_reason: str = ""
    n_samples: int
    n_features: int
    noise: float = 0.0
    """Changes of the cost below this share of it are not to be trusted."""

    def rounding(self, point: Point) -> float:
        """How far rounding may have moved Phi at a point, as a share of ``|Phi|_F``."""
        return 0.0

    @abstractmethod
    def point(self, W: Array) -> Point:
        """Cost and Phi at W."""

    def cost(self, W: Array) -> float:
        """The value at W."""
        return self.point(W).cost

    def phi(self, W: Array) -> FloatArray:
        """The matrix Phi at W, d x d."""
        return self.point(W).phi

    def gradient(self, W: Array) -> FloatArray:
        """The Euclidean gradient, ``2 Phi W``."""
        return 2.0 * self.point(W).phi_W
