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

    With weights v all this is of the table in which row i stands v_i times: its k-th neighbour is
    the nearest with which the weights of the other rows, with ``max(v_i - 1, 0)`` copies of its own
    at distance 0, add up to k, and the median counts every row by its weight.

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
    weights: FloatArray | None = None

    @classmethod
    def of(
        cls,
        rows: FloatArray,
        n_neighbors: int,
        floor: float,
        weights: FloatArray | None = None,
    ) -> NeighbourScales:
        """Find the k-th neighbour of every row (fewer rows: the last neighbour there is)."""
        k = min(n_neighbors, rows.shape[0] - 1)
        if weights is None:
            distance, neighbor = (found[:, 0] for found in cKDTree(rows).query(rows, k=[k + 1]))
        else:
            k, wanted = n_neighbors, n_neighbors + np.minimum(weights, 1.0)
            distance, neighbor = reached(cKDTree(rows), weights, rows, wanted)
        order = np.argsort(distance, kind="stable")
        reference = int(order[_upper_median(order, weights)])
        if distance[reference] == 0.0:
            reference = int(order[_most(order, weights)])
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
        return cls(rows, n_neighbors, floor, distance, neighbor, reference, weights)

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
        k, tree = min(self.n_neighbors, self.rows.shape[0] - 1), cKDTree(self.rows)
        if self.weights is None:
            distance = tree.query(rows, k=[1, k, k + 1])[0]
            is_ours = distance[:, 0] <= 1e-9 * self.distance[self.reference]
            own = np.where(is_ours, distance[:, 2], distance[:, 1])
        else:
            nearest, at = tree.query(rows)
            is_ours = nearest <= 1e-9 * self.distance[self.reference]
            itself = np.where(is_ours, np.minimum(self.weights[at], 1.0), 0.0)
            most = max(float(self.weights.sum()) - 1.0, 0.0) + itself  # k of fewer rows
            own, _ = reached(tree, self.weights, rows, np.minimum(self.n_neighbors + itself, most))
        return 1.0 / np.maximum(own, self.lowest)


def reached(
    tree: cKDTree, weights: FloatArray, rows: FloatArray, wanted: FloatArray
) -> tuple[FloatArray, Array]:
    """How far from each of some rows the weights of ours add up to ``wanted``, and which is there.

    The farthest of all where they never do. Looked for among few neighbours first, and for rows
    where these do not suffice among twice as many.
    """
    n, distance = tree.n, np.empty(rows.shape[0])
    neighbor, open_ = np.empty(rows.shape[0], dtype=np.intp), np.arange(rows.shape[0])
    likely = float(wanted.max(initial=0.0) / weights.mean())
    count = min(n, 2 + int(min(likely, n)))
    while open_.size:
        found, index = tree.query(rows[open_], k=np.arange(1, count + 1))
        within = np.cumsum(weights[index], axis=1) >= (1.0 - 1e-12) * wanted[open_, None]
        place = np.where(within.any(axis=1), within.argmax(axis=1), count - 1)
        some = np.arange(open_.size)
        distance[open_], neighbor[open_] = found[some, place], index[some, place]
        open_ = open_[~within.any(axis=1)] if count < n else open_[:0]
        count = min(n, 2 * count)
    return distance, neighbor


def _upper_median(order: Array, weights: FloatArray | None) -> int:
    """The place in an order from which on fewer than half of the rows lie."""
    if weights is None:
        return order.size // 2
    return _place(order, weights, 0.5 * float(weights.sum()))


def _most(order: Array, weights: FloatArray | None) -> int:
    """The place of the upper 0.9 quantile."""
    if weights is None:
        return int(np.ceil(0.9 * (order.size - 1)))
    return _place(order, weights, np.ceil(0.9 * (float(weights.sum()) - 1.0) * (1.0 - 1e-12)))


def _place(order: Array, weights: FloatArray, below: float) -> int:
    """The first place with which the weights in this order are more than ``below``."""
    summed = np.cumsum(weights[order])
    return min(int(np.searchsorted(summed, below * (1.0 + 1e-12), "right")), order.size - 1)


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

    def scales_of(self, rows: FloatArray, weights: FloatArray | None = None) -> NeighbourScales:
        """The scales with all that is needed to differentiate them."""
        return NeighbourScales.of(rows, int(self.n_neighbors), float(self.floor), weights)

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
