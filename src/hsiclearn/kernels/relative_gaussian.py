"""The Gaussian kernel with a scale per row, set by its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import final

import numpy as np
from scipy.spatial import cKDTree

from .._arrays import Array, FloatArray
from ..exceptions import DegenerateDataError, InvalidKernelError
from ._base import LARGEST, SMALLEST, AbstractKernel, Scaled, check_positive
from ._pairs import DIFFERENCE
from .gaussian import Gaussian

_UNIT = Gaussian(1.0)


@dataclass(frozen=True)
class NeighbourScales:
    r"""``sigma_i = max(d_i, floor * d_m)``, d_i the distance of row i to its k-th neighbour.

    m is the row whose distance is the upper median; where that is zero, the 0.9 quantile. The
    floor keeps duplicate rows from taking a scale of zero.

    Of rows ``w = XW`` the scales are functions of W, differentiable wherever no two neighbours
    tie: with ``R_i = x_i - x_nb(i)`` and ``c_i = dF/dsigma_i``, a floored row hands ``floor c_i``
    on to row m, and ::

        dF/dW = 2 Phi W,   Phi = R' diag(c_i / d_i) R / 2
    """

    rows: FloatArray
    n_neighbors: int
    floor: float
    distance: FloatArray
    neighbor: Array
    reference: int

    @classmethod
    def of(cls, rows: FloatArray, n_neighbors: int, floor: float) -> NeighbourScales:
        """Find the k-th neighbour of every row (fewer rows: the last neighbour there is)."""
        k = min(n_neighbors, rows.shape[0] - 1)
        distance, neighbor = (found[:, 0] for found in cKDTree(rows).query(rows, k=[k + 1]))
        order = np.argsort(distance, kind="stable")
        reference = int(order[order.size // 2])
        if distance[reference] == 0.0:
            reference = int(order[int(np.ceil(0.9 * (order.size - 1)))])
        if distance[reference] == 0.0:
            raise DegenerateDataError(
                "RelativeGaussian needs rows at a distance from each other: about 90 % of "
                f"the {rows.shape[0]} rows have {k} duplicates or more. Remove duplicates, raise "
                "n_neighbors, or use the Gaussian kernel."
            )
        if not SMALLEST < distance[reference] < LARGEST:
            raise DegenerateDataError(
                f"RelativeGaussian needs neighbours {SMALLEST:g} to {LARGEST:g} apart, so that no "
                f"square is lost. Typical ones are {distance[reference]:.3g} apart: scale the "
                "columns, e.g. by StandardScaler."
            )
        return cls(rows, n_neighbors, floor, distance, neighbor, reference)

    @property
    def lowest(self) -> float:
        """The floor, as a distance."""
        return self.floor * float(self.distance[self.reference])

    @cached_property
    def inverse(self) -> FloatArray:
        """``s_i = 1/sigma_i``."""
        return 1.0 / np.maximum(self.distance, self.lowest)

    def phi(self, c: FloatArray, X: FloatArray) -> FloatArray:
        """The part of Phi that comes from the scales; ``c = dF/dsigma``."""
        floored = self.distance < self.lowest
        weights = np.where(floored, 0.0, c)
        weights[self.reference] += self.floor * float(c[floored].sum())
        weights /= np.where(weights == 0.0, 1.0, self.distance)
        R = X - X[self.neighbor]
        return 0.5 * (R.T @ (weights[:, None] * R))

    def inverse_at(self, rows: FloatArray) -> FloatArray:
        """``1/sigma`` of other rows, by their neighbours among ours; one of ours keeps its own."""
        k = min(self.n_neighbors, self.rows.shape[0] - 1)
        distance = cKDTree(self.rows).query(rows, k=[1, k, k + 1])[0]
        is_ours = distance[:, 0] <= 1e-9 * self.distance[self.reference]
        own = np.where(is_ours, distance[:, 2], distance[:, 1])
        return 1.0 / np.maximum(own, self.lowest)


@final
@dataclass(frozen=True)
class RelativeGaussian(AbstractKernel):
    """``f(b) = exp(-b s_i s_j / 2)`` on differences, ``s_i = 1/sigma_i``.

    ``sigma_i = max(d_i, floor * median_j d_j)``, where d_i is the distance of row i to its k-th
    neighbour and the median is the upper one. The floor keeps duplicate rows from taking a scale
    of zero; where that median is itself zero, the 0.9 quantile takes its place.

    The neighbours are those in the space of all columns, except in the clustering estimators:
    there they are those of the projected rows, and the scales move with W.

    Parameters
    ----------
    n_neighbors : int, default=7
        The neighbour k >= 1 that sets a row's scale (fewer rows: the last neighbour there is).
    floor : float, default=0.5
        Smallest scale, as a share of the median scale.
    """

    n_neighbors: int = 7
    floor: float = 0.5
    pair = DIFFERENCE
    has_row_scales = True

    def __post_init__(self) -> None:
        check_positive("RelativeGaussian", "floor", self.floor)
        if not isinstance(self.n_neighbors, Integral) or self.n_neighbors < 1:
            raise InvalidKernelError(
                "RelativeGaussian needs an integer `n_neighbors` >= 1. "
                f"Got n_neighbors={self.n_neighbors!r}."
            )

    def scales_of(self, rows: FloatArray) -> NeighbourScales:
        """The scales with all that is needed to differentiate them."""
        return NeighbourScales.of(rows, int(self.n_neighbors), float(self.floor))

    def f(self, beta: Array) -> Array:
        """``exp(-t / 2)`` at ``t = s_i s_j b``."""
        return _UNIT.f(beta)

    def df(self, beta: Array) -> Array:
        """``-f / 2``; the factor ``s_i s_j`` is the tile's."""
        return _UNIT.df(beta)

    def d2f(self, beta: Array) -> Array:
        """``f / 4``; the factor ``(s_i s_j)^2`` is the tile's."""
        return _UNIT.d2f(beta)

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """One exponential serves all three."""
        return _UNIT.jet(beta, order)
