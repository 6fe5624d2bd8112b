"""What an objective is to a solver: a function whose iterates know cost, Phi and what follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import (
    AbstractSymmetric,
    DenseSymmetric,
    Spectrum,
    SplitSpectrum,
    safe_norm,
    sine_of_largest_angle,
)
from .hessian import RiemannianHessian

if TYPE_CHECKING:
    from .objective import Objective

_TINY = float(np.finfo(float).tiny)
_SUSPECT = 1e-4  # of the cost, of whose order |Phi| is in general
_SMALL_PART = 1e-5  # of the curvature
_FAR = 0.1  # sine of the angle from an anchor, beyond which it is as good to choose another one


class AbstractObjective(ABC):
    """A function of the subspace spanned by W, to be minimised over ``W'W = I``.

    Where a Hessian is known as well, :meth:`point` returns a :class:`CurvedPoint`.
    """

    X: FloatArray
    engine: str
    engine_reason: str = ""
    n_samples: int
    n_features: int
    noise: float = 0.0
    """Changes of the cost below this share of it are not to be trusted."""
    slack: float = 0.0
    """Below this share of the cost, what Phi promises need not come true."""
    column_cost: float = 1.0
    """What a product with one more column costs, as of the engine."""

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
        """Phi at W, the symmetric d x d matrix with ``gradient(W) = 2 Phi W``."""
        return self.point(W).phi

    def gradient(self, W: Array) -> FloatArray:
        """The Euclidean gradient, ``2 Phi W``."""
        return 2.0 * self.point(W).phi_W


class Point(ABC):
    """An iterate with its cost and Phi, and what follows from them at no further pass.

    ``stationarity = |(I - WW')Phi W|_F / scale`` with ``scale = |Phi|_F``: by ``|Phi W|`` it would
    be 0/0 where the optimum is a null space. ``phi`` is Phi as an array; ``matrix`` is how it is
    worked with, which needs no array where there are many features.
    """

    objective: AbstractObjective
    W: FloatArray
    cost: float
    is_stiff: bool = False
    """Whether all eigenvalues of Phi are worth their price: set before they are asked for."""

    @property
    @abstractmethod
    def phi(self) -> FloatArray:
        """Phi, d x d."""

    @cached_property
    def matrix(self) -> AbstractSymmetric:
        """Phi, by its products and its spectrum."""
        return DenseSymmetric(self.phi)

    @cached_property
    def phi_W(self) -> FloatArray:
        """``Phi W``."""
        return self.matrix.times(self.W)

    @cached_property
    def rayleigh(self) -> FloatArray:
        """``W' Phi W``, (q, q)."""
        return self.W.T @ self.phi_W

    @cached_property
    def norm(self) -> float:
        """``|Phi|_F``, kept off zero so that it can divide."""
        return max(self.matrix.norm, _TINY)

    @property
    def scale(self) -> float:
        """What gradient and curvature are small beside: ``|Phi|_F``."""
        return self.norm

    @cached_property
    def residual(self) -> FloatArray:
        """``(I - WW') Phi W``, half the Riemannian gradient."""
        return self.phi_W - self.W @ self.rayleigh

    @cached_property
    def stationarity(self) -> float:
        """Scale-free size of the gradient on the manifold."""
        return safe_norm(self.residual) / self.scale

    @property
    def vanishes(self) -> bool:
        """Whether Phi is nothing at all."""
        return bool(self.norm <= _TINY)

    @cached_property
    def spectrum(self) -> Spectrum:
        """The lowest eigenpairs of Phi, q + 1 at least: all up to 200 features, 21 up to 2000."""
        d, q = self.W.shape
        return self.matrix.lowest(min(d, q + 1), self.W)

    @cached_property
    def step_spectrum(self) -> Spectrum:
        """The lowest q + 1 eigenpairs, no more exact than a step from here needs them."""
        return self.matrix.improved(self.W, max(1e-8, 0.05 * self.stationarity))

    def eigengap(self, spectrum: Spectrum) -> float:
        """``lambda_{q+1} - lambda_q``; infinite when q = d."""
        q = self.W.shape[1]
        values = spectrum.values
        return float(values[q] - values[q - 1]) if q < self.W.shape[0] else np.inf

    def promised_decrease(self, spectrum: Spectrum) -> float:
        """``tr(W'Phi W) - sum of the q lowest eigenvalues`` >= 0: what a spectral step promises.

        Exact to first order in the projection WW', and zero just where W is lowest.
        """
        q = self.W.shape[1]
        return float(self.rayleigh.trace() - spectrum.values[:q].sum())

    @cached_property
    def split(self) -> SplitSpectrum:
        """Spectra of Phi inside W and in its complement."""
        return self.matrix.split(self.W, in_full=self.is_stiff)


@final
class CurvedPoint(Point):
    r"""A point where the Hessian is known too.

    Where columns of X are collinear, W can lean into the directions along which no rows differ,
    and so shrink the projected rows: ``cost(W) = g(s)``, s their scale, ``Phi = g'(s) P``. If the
    best s lies below 1, Phi vanishes at the optimum and ``|Phi|`` with it, as fast as the gradient.
    What stays is Phidot, all of the curvature there. Hence ::

        scale = max(|Phi|_F, 1e-5 |P Phidot[Z] W|_F),    Z a fixed unit direction

    which is ``|Phi|_F`` elsewhere: Phidot is hundred times as large at most. So that it costs no
    pass at every point, it is looked at only where ``|Phi|`` is small beside the cost.
    """

    objective: Objective

    def __init__(
        self, objective: Objective, W: FloatArray, cost: float, matrix: AbstractSymmetric
    ) -> None:
        self.objective, self.W, self.cost, self.matrix = objective, W, cost, matrix

    def held(self, within: float = _FAR) -> CurvedPoint:
        """The point on an objective that is one smooth function from here to its neighbours.

        Held at W itself an objective has the values there that it had before; one that was held
        elsewhere is evaluated anew once W has turned away from there, by ``within`` or more.
        """
        objective, anchor = self.objective, self.objective.anchor
        if anchor is not None and sine_of_largest_angle(anchor, self.W) <= within:
            return self
        held = objective.held_at(self.W)
        if held is objective:
            return self
        if anchor is None:
            return self.bent_as(held)
        point = held.point(self.W)
        point.is_stiff = self.is_stiff
        return point

    def bent_as(self, objective: Objective) -> CurvedPoint:
        """The same cost and Phi, with the Phidot of another objective in the Hessian."""
        point = CurvedPoint(objective, self.W, self.cost, self.matrix)
        point.is_stiff = self.is_stiff
        return point

    @cached_property
    def phi(self) -> FloatArray:
        """Phi as an array, or an error where that would be too large."""
        return self.matrix.to_dense()

    @cached_property
    def scale(self) -> float:
        """``|Phi|_F``, or a small part of the curvature where Phi vanishes at the optimum."""
        if self.norm >= _SUSPECT * abs(self.cost):
            return self.norm
        return max(self.norm, _SMALL_PART * self.hessian.curvature_along_a_line)

    @cached_property
    def vanishes(self) -> bool:
        """Whether the objective is flat: Phi is rounding, as is the rest of the curvature."""
        if self.objective.clearly_exceeds_nothing(self.matrix.norm):
            return False
        flatness = self.objective.flatness
        if self.matrix.norm > flatness.phi:
            return False
        return self.hessian.curvature_along_a_line <= flatness.phi_dot

    @cached_property
    def hessian(self) -> RiemannianHessian:
        """The Riemannian Hessian here."""
        return RiemannianHessian(self)
