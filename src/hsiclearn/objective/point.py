"""An iterate and what is known there."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .._arrays import FloatArray

__all__ = ["Point"]


class Point:
    """An iterate with its cost and Phi, and what follows from them at no further pass.

    ``stationarity = |(I - WW')Phi W|_F / |Phi|_F``: by ``|Phi W|`` it would be 0/0 where the
    optimum is a null space.
    """

    def __init__(self, W: FloatArray, cost: float, phi: FloatArray) -> None:
        self.W, self.cost, self.phi = W, cost, phi

    @cached_property
    def phi_W(self) -> FloatArray:
        """``Phi W``."""
        return self.phi @ self.W

    @cached_property
    def rayleigh(self) -> FloatArray:
        """``W' Phi W``, (q, q)."""
        return self.W.T @ self.phi_W

    @cached_property
    def norm(self) -> float:
        """``|Phi|_F``, kept off zero so that it can divide."""
        return max(float(np.linalg.norm(self.phi)), np.finfo(float).tiny)

    @cached_property
    def residual(self) -> FloatArray:
        """``(I - WW') Phi W``, half the Riemannian gradient."""
        return self.phi_W - self.W @ self.rayleigh

    @cached_property
    def stationarity(self) -> float:
        """Scale-free size of the gradient on the manifold."""
        return float(np.linalg.norm(self.residual)) / self.norm
