r"""``H K H`` for a Gaussian kernel of one column, at a cost that does not depend on its rank.

Pair by pair it is exact. Row by row K is interpolated: the range of y is cut into cells a fifth
of the bandwidth wide, only those that hold rows, and inside a cell ::

    K(y, y') ~ sum_k l_k(y) K(y_k, y')      l_k the Lagrange polynomials of m Gauss nodes y_k

so row i has m shares ``l_k(y_i)``, which sum to one, among the nodes of its cell. The error of K
falls by a factor of 50 with each node (4: 3e-6, 5: 6e-8, 6: 2e-9) and is a multiple of the Legendre
polynomial P_m of the place in the cell, whose mean is 0, also when weighted by a polynomial of
lower degree: of sums over the rows of a cell little of it is left, a tenth and less. A pivoted
factor needs a column for every bandwidth that the tails of y are long; here these are cells of few
rows, and cost little.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander
from scipy.sparse import csr_array

from .._arrays import Array, FloatArray
from ._base import AbstractGamma
from .light_cells import light_cells
from .row_factor import CellFactor, RowFactor

_CELLS_PER_BANDWIDTH = 5
_MOST_NODES = 10  # beyond, only rounding is left
_MANY = 20_000  # chosen rows: of fewer, rows that had neighbours may be far from all others
_ALL = slice(None)


class Points(NamedTuple):
    """Values of y with weights that sum to one: what a kernel is centred by."""

    y: FloatArray
    weights: FloatArray


class Cells(NamedTuple):
    """Cells that hold rows, their nodes, and where each row stands in its own."""

    cells: Array  # (n,)
    place: FloatArray  # (n,), in -1 .. 1; NaN in a cell of one value
    nodes: FloatArray  # of all cells, one after the other
    first: Array  # (n_cells + 1,): the nodes of cell c are first[c] : first[c + 1]


@final
@dataclass(frozen=True, eq=False, repr=False)
class GaussianColumn(AbstractGamma):
    """``Gamma_ij = K_ij - k_i - k_j + c``, K the Gaussian kernel of one column y.

    Parameters
    ----------
    y : array, shape (n_samples,)
    bandwidth : float
    n_nodes : int, default=5
        Nodes of a cell, where K is interpolated.
    light : float, default=0.0
        The share of pairs that are in cells not interpolated: see ``light_cells.py``.
    factor : float, default=1.0
        Gamma is so many times that.
    centre : Points or None
        ``k_i = sum_p weight_p K(y_i, y_p)``, and c is the mean of k over them. None means the rows
        themselves: then Gamma is ``H K H``.
    """

    y: FloatArray
    bandwidth: float
    _: KW_ONLY
    n_nodes: int = 5
    light: float = 0.0
    factor: float = 1.0
    centre: Points | None = None

    @property
    def n_samples(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return self.y.shape[0]

    @property
    def n_slots(self) -> int:
        """Nodes of all cells: a table of so many squared numbers is kept."""
        return self._grid.nodes.size

    @cached_property
    def _grid(self) -> Cells:
        """A cell of few values has one node for each instead: exact, and cheaper.

        A light cell has one node for all its rows; far ones share a node at infinity.
        """
        m, width = self.n_nodes, self.bandwidth / _CELLS_PER_BANDWIDTH
        values, rank, repeats = np.unique(self.y, return_inverse=True, return_counts=True)
        corners = np.floor(values / width)
        starts = np.flatnonzero(np.diff(corners, prepend=np.nan) != 0)
        counts = np.diff(starts, append=values.size)
        rows = np.add.reduceat(repeats, starts)
        means = np.add.reduceat(repeats * values, starts) / rows
        light, far = light_cells(
            (corners[starts] + 0.5) * width, rows, self.bandwidth, width, self.light
        )
        alone = np.repeat((counts <= m) & ~light, counts)  # values that are a cell of their own
        begins = alone.copy()
        begins[starts] = True
        heads = np.flatnonzero(begins)
        of = np.cumsum(np.isin(heads, starts)) - 1  # the cell of the grid that a head is in
        has_nodes = ~(alone[heads] | light[of])
        place = 2.0 * (values / width - corners) - 1.0
        place[np.repeat(~has_nodes, np.diff(heads, append=values.size))] = np.nan
        inside = 0.5 * (_gauss(m) + 1.0)
        single = np.where(alone[heads], values[heads], means[of])
        nodes = [
            (corners[h] + inside) * width if full else single[i : i + 1]
            for i, (h, full) in enumerate(zip(heads, has_nodes, strict=True))
            if not far[of[i]]
        ]
        kept = ~far[of]
        cell = np.where(kept, np.cumsum(kept) - 1, np.count_nonzero(kept))
        widths = [*np.where(has_nodes, m, 1)[kept], *[1][: int(not kept.all())]]
        nodes += [np.array([np.inf])][: int(not kept.all())]
        # Of the smallest type: sorting takes a pass for each byte.
        cells = np.repeat(cell, np.diff(heads, append=values.size))[rank]
        cells = cells.astype(np.min_scalar_type(len(widths)))
        first = np.concatenate([[0], np.cumsum(widths)])
        return Cells(cells, place[rank], np.concatenate(nodes), first)

    def _shares(self, rows: slice) -> FloatArray:
        """``l_k(y_i)``; in a cell of one node that is 1, and 0 beyond."""
        place = self._grid.place[rows]
        shares = _lagrange(place, self.n_nodes)
        shares[np.isnan(place)] = np.eye(1, self.n_nodes)
        return shares

    @cached_property
    def _centre(self) -> Points:
        """The rows stand at the nodes by their shares."""
        if self.centre is not None:
            return self.centre
        return Points(self._grid.nodes, self._E().sum(axis=0) / self.n_samples)

    def _kernel(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Nothing is near what is at infinity."""
        with np.errstate(invalid="ignore"):
            K: FloatArray = np.subtract.outer(a, b)
        K[np.isnan(K)] = np.inf
        K /= self.bandwidth
        K *= K
        K *= -0.5
        return np.exp(K, out=K)

    @cached_property
    def _means(self) -> tuple[FloatArray, float]:
        """The means k at the nodes, and c.

        A row at infinity is near itself alone: of its mean 1 / n is left, and as much of c.
        """
        points, weights = self._centre
        k = self._kernel(self._grid.nodes, points) @ weights
        c = float(weights @ self._kernel(points, points) @ weights)
        if self.centre is None and np.isinf(self._grid.nodes[-1]):
            k[-1] += 1.0 / self.n_samples
            c += float(weights[-1]) / self.n_samples
        return k, c

    @cached_property
    def _row_means(self) -> FloatArray:
        means: FloatArray = self._E() @ self._means[0]
        return means

    @cached_property
    def _table(self) -> FloatArray:
        """Gamma at the nodes."""
        (k, c), nodes = self._means, self._grid.nodes
        return self.factor * (self._kernel(nodes, nodes) - k - k[:, None] + c)

    def _E(self) -> csr_array:
        """The shares of all rows among all nodes."""
        grid, m = self._grid, self.n_nodes
        slots = grid.first[grid.cells][:, None] + np.arange(m)
        inside = slots < grid.first[grid.cells + 1][:, None]
        indptr = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
        return csr_array(
            (self._shares(_ALL)[inside], slots[inside], indptr),
            shape=(self.n_samples, grid.nodes.size),
        )

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """Exact but for k, which is interpolated."""
        k, c = self._row_means, self._means[1]
        K = self._kernel(self.y[rows], self.y[cols])
        return self.factor * (K - k[rows, None] - k[cols] + c)

    def apply(self, V: Array) -> Array:
        """``E table E'V``, O(n k)."""
        E = self._E()
        product: Array = E @ (self._table @ (E.T @ V))
        return product

    def take(self, index: Array) -> GaussianColumn:
        """The same function of two rows, on chosen rows; few of them need no light cells."""
        light = self.light if index.size >= _MANY else 0.0
        return replace(self, y=self.y[index], light=light, centre=self._centre)

    def centered_on(self, index: Array) -> GaussianColumn:
        """Centred by the chosen rows."""
        return replace(self, y=self.y[index], centre=None)

    def factors(self, max_rank: int) -> tuple[FloatArray, FloatArray]:
        """Eigenpairs of ``R table R``, ``R^2 = E'E``, spread over the rows."""
        E = self._E()
        squares, Q = np.linalg.eigh((E.T @ E).toarray())
        squares, Q = squares[keep := squares > 1e-14 * squares[-1]], Q[:, keep]
        R = np.sqrt(squares)
        values, vectors = np.linalg.eigh(R[:, None] * (Q.T @ self._table @ Q) * R)
        top = np.argsort(-np.abs(values), kind="stable")[:max_rank]
        top = top[np.abs(values[top]) > 1e-12 * np.max(np.abs(values))]
        return E @ (Q @ (vectors[:, top] / R[:, None])), values[top]

    @cached_property
    def _sizes(self) -> FloatArray:
        """``a_i^2 = |Gamma_ii|``, as ``|Gamma_ij| <= a_i a_j`` for a definite Gamma."""
        diagonal = 1.0 - 2.0 * self._row_means + self._means[1]
        return np.sqrt(abs(self.factor) * np.maximum(diagonal, 0.0))

    def absolute_form(self, g: FloatArray) -> float:
        """``(sum_i a_i g_i)^2``."""
        return float(self._sizes @ g) ** 2

    def row_factor(self) -> RowFactor:
        """Shares among the nodes of a cell."""
        grid = self._grid
        return CellFactor(grid.cells, grid.first, self._shares, self._table, self._sizes)

    def finer(self) -> GaussianColumn | None:
        """Three nodes more to a cell: an error 60,000 times as small; fewer light cells."""
        if self.n_nodes >= _MOST_NODES:
            return None
        return replace(self, n_nodes=self.n_nodes + 3, light=1e-3 * self.light)

    def scaled(self, factor: float) -> GaussianColumn:
        """``factor * Gamma``."""
        return replace(self, factor=factor * self.factor)

    @property
    def is_centered(self) -> bool:
        """Where it is centred by its own rows."""
        return self.centre is None

    @property
    def is_psd(self) -> bool:
        """As a kernel is, less its mean anywhere."""
        return self.factor >= 0

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"GaussianColumn(n_samples={self.n_samples}, n_slots={self.n_slots})"


def _gauss(m: int) -> FloatArray:
    """Nodes in -1 .. 1."""
    nodes: FloatArray = leggauss(m)[0]
    return nodes


def _lagrange(t: FloatArray, m: int) -> FloatArray:
    """``l_k(t) = w_k sum_j (j + 1/2) P_j(t) P_j(t_k)`` of m Gauss nodes and weights, (t, nodes)."""
    nodes, weights = leggauss(m)
    at_nodes = weights[:, None] * (np.arange(m) + 0.5) * legvander(nodes, m - 1)
    shares: FloatArray = legvander(t, m - 1) @ at_nodes.T
    return shares
