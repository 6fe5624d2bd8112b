r"""``H K H`` for a Gaussian kernel of one column, at a cost that does not depend on its rank.

Pair by pair it is exact. Row by row K is interpolated between the nodes of cells that the column is
cut into, see ``cells.py``. A pivoted factor needs a column for every bandwidth that the tails of y
are long; here these are cells of few rows, and cost little. Between nodes K is ``F F'``, see
``gaussian_root.py``, and ::

    Gamma = E (F F' - k 1' - 1 k' + c 1 1') E'      E the shares of rows among nodes
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import iadd
from typing import Any, NamedTuple, final

import numpy as np
from scipy.linalg import block_diag
from scipy.sparse import csr_array, diags_array

from .._arrays import Array, FloatArray, array_namespace
from .._columns import AbstractColumn, Column, fold
from .._weights import are_same, total_weight
from ._base import AbstractGamma
from .cells import Cells, cells_of
from .gaussian_root import gaussian_root
from .pair_tiles import GaussianPairs, PairTiles
from .row_factor import CellFactor, RowFactor

_MOST_NODES = 10  # beyond, only rounding is left
_MANY = 20_000  # chosen rows: of fewer, rows that had neighbours may be far from all others
_ALL = slice(None)
_BLOCK = 512  # nodes at a time
_CHUNK = 50_000  # rows at a time


class Points(NamedTuple):
    """Values of y with weights that sum to one: what a kernel is centred by."""

    y: FloatArray
    weights: FloatArray


@final
@dataclass(frozen=True, eq=False, repr=False)
class GaussianColumn(AbstractGamma):
    """``Gamma_ij = K_ij - k_i - k_j + c``, K the Gaussian kernel of one column y.

    Parameters
    ----------
    y : array, shape (n_samples,)
        Or a handle to one that is elsewhere.
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
    weights : array, shape (n_samples,), default=None
        Of the rows, where they are what it is centred by.
    """

    y: Column
    bandwidth: float
    _: KW_ONLY
    n_nodes: int = 5
    light: float = 0.0
    factor: float = 1.0
    centre: Points | None = None
    weights: Column | None = None

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
        return cells_of(self.y, self.bandwidth, self.n_nodes, self.light, self.weights)

    @cached_property
    def _centre(self) -> Points:
        """The rows stand at the nodes by their shares."""
        if self.centre is not None:
            return self.centre

        grid, v = self._grid, self.weights

        def task(place: slice, _: FloatArray) -> FloatArray:
            parts = ((rows, _shares_matrix(grid, rows)) for rows in _chunks(place))
            total: FloatArray = sum(E.sum(axis=0) if v is None else v[r] @ E for r, E in parts)
            return total

        return Points(grid.nodes, fold(self.y, task, iadd, "centre") / self._total)

    @cached_property
    def _total(self) -> float:
        """Of the weights of rows."""
        return self.n_samples if self.weights is None else total_weight(self.weights)

    def _kernel(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Nothing is near what is at infinity."""
        with np.errstate(invalid="ignore"):
            K: FloatArray = np.subtract.outer(a, b)
        if np.isinf(a).any() and np.isinf(b).any():
            K[np.isnan(K)] = np.inf
        K /= self.bandwidth
        K *= K
        K *= -0.5
        return np.exp(K, out=K)

    @cached_property
    def _root(self) -> FloatArray:
        return gaussian_root(self._grid.nodes, self.bandwidth)

    def _mean_kernel(self, a: FloatArray) -> FloatArray:
        """The mean kernel value at each of a, some at a time."""
        points, weights = self._centre
        parts = (a[i : i + _BLOCK] for i in range(0, a.size, _BLOCK))
        return np.concatenate([self._kernel(part, points) @ weights for part in parts])

    @cached_property
    def _means(self) -> tuple[FloatArray, float]:
        """The means k at the nodes, and c.

        A row at infinity is near itself alone: of its mean 1 / n is left, and as much of c. Where
        rows have weights it is the mean share of such a row, by weight.
        """
        points, weights = self._centre
        if self.centre is not None:
            k = self._mean_kernel(self._grid.nodes)
            return k, float(weights @ self._mean_kernel(points))
        k = self._root @ (self._root.T @ weights)
        c = float(weights @ k)
        if np.isinf(self._grid.nodes[-1]):
            alone = self._weight_at_infinity / self._total
            k[-1] += alone
            c += float(weights[-1]) * alone
        return k, c

    @property
    def _weight_at_infinity(self) -> float:
        """What a row there weighs."""
        if (v := self.weights) is None:
            return 1.0
        cells, last = self._grid.cells, self._grid.first.size - 2

        def sums(place: slice, some: Array) -> FloatArray:
            there = v[place][some == last]
            return np.array([there.sum(), there @ there])

        total, squares = fold(cells, sums, iadd, "far")
        return float(squares / total)

    @cached_property
    def _row_means(self) -> FloatArray:
        k = self._means[0]
        parts = (_shares_matrix(self._grid, r) for r in _chunks(slice(0, self.n_samples)))
        return np.concatenate([E @ k for E in parts])

    def _means_of(self, rows: slice) -> FloatArray:
        """Of some rows, made for these where the others are elsewhere."""
        if isinstance(self.y, AbstractColumn):
            return self._E(rows) @ self._means[0]
        return self._row_means[rows]

    @cached_property
    def _core(self) -> tuple[FloatArray, FloatArray]:
        """``roots, signs``: Gamma at the nodes is ``roots diag(signs) roots'``.

        What the means add, ``[k, 1] [[0, -1], [-1, c]] [k, 1]'``, has two roots of its own.
        """
        (k, c), F = self._means, self._root
        values, vectors = np.linalg.eigh([[0.0, -1.0], [-1.0, c]])
        means = np.column_stack([k, np.ones_like(k)]) @ vectors
        signs = self.factor * np.concatenate([np.ones(F.shape[1]), values])
        return np.concatenate([F, means], axis=1), signs

    def _E(self, rows: slice = _ALL) -> csr_array:
        return _shares_matrix(self._grid, rows)

    def __getstate__(self) -> dict[str, Any]:
        """Where rows are elsewhere, what is made of all of them goes there made."""
        if isinstance(self.y, AbstractColumn):
            _ = self._means
        return self.__dict__

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """Exact but for k, which is interpolated."""
        K = self._kernel(self.y[rows], self.y[cols])
        K -= self._means_of(cols)
        K -= self._means_of(rows)[:, None] - self._means[1]
        K *= self.factor
        return K

    def tiles_on(self, like: Array) -> PairTiles:
        """As pair by pair here."""
        return self.gaussian_pairs.tiles_on(like)

    @property
    def gaussian_pairs(self) -> GaussianPairs:
        """All of it."""
        Y = np.asarray(self.y)[:, None] / self.bandwidth
        return GaussianPairs(Y, self._row_means, self._means[1], self.factor)

    def apply(self, V: Array) -> Array:
        """``E roots diag(signs) roots' E'V``, O(n k)."""
        E, (roots, signs) = self._E(), self._core
        product: Array = E @ ((roots * signs) @ (roots.T @ (E.T @ V)))
        return product

    def take(self, index: Array) -> GaussianColumn:
        """The same function of two rows, on chosen rows; few of them need no light cells."""
        light = self.light if index.size >= _MANY else 0.0
        return replace(self, y=self.y[index], light=light, centre=self._centre, weights=None)

    def centered_on(self, index: Array, weights: Array | None = None) -> GaussianColumn:
        """Centred by the chosen rows."""
        return replace(self, y=self.y[index], centre=None, weights=weights)

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Eigenpairs of ``R roots diag(signs) roots' R'``, ``R'R = E'E``, spread over the rows.

        No two cells have a row in common: E'E and its root R are blocks of nodes by nodes.
        """
        E, (roots, signs) = self._E(), self._core
        if weights is not None:
            E = diags_array(weights).dot(E).tocsr()
        gram, cuts = (E.T @ E).tocsr(), self._grid.first
        blocks = (gram[i:j, i:j].toarray() for i, j in pairwise(cuts))
        pairs = [np.linalg.eigh(block) for block in blocks]
        least = 1e-14 * max(float(squares[-1]) for squares, _ in pairs)
        R = block_diag(*[(Q * np.sqrt(np.maximum(g, 0.0))).T[g > least] for g, Q in pairs])
        back = block_diag(*[(Q / np.sqrt(np.maximum(g, least)))[:, g > least] for g, Q in pairs])
        basis, T = np.linalg.qr(R @ roots)
        values, vectors = np.linalg.eigh((T * signs) @ T.T)
        top = np.argsort(-np.abs(values), kind="stable")[:max_rank]
        top = top[np.abs(values[top]) > 1e-12 * np.max(np.abs(values))]
        return E @ (back @ (basis @ vectors[:, top])), values[top]

    def _sizes(self, row_means: Array) -> Array:
        """``a_i^2 = |Gamma_ii|``, as ``|Gamma_ij| <= a_i a_j`` for a definite Gamma."""
        xp, diagonal = array_namespace(row_means), 1.0 - 2.0 * row_means + self._means[1]
        return xp.sqrt(abs(self.factor) * xp.clip(diagonal, min=0.0))

    def absolute_form(self, g: FloatArray) -> float:
        """``(sum_i a_i g_i)^2``."""
        return float(self._sizes(self._row_means) @ g) ** 2

    def row_factor(self) -> RowFactor:
        """Shares among the nodes of a cell."""
        return CellFactor(
            self._grid,
            lambda: self._core,
            means=lambda: self._means[0],
            row_means=self._means_of,
            sizes=self._sizes,
        )

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
        return self.is_centered_by(None)

    def is_centered_by(self, weights: Column | None) -> bool:
        """Where it is centred by its own rows, with these weights."""
        return self.centre is None and are_same(self.weights, weights)

    @property
    def is_psd(self) -> bool:
        """As a kernel is, less its mean anywhere."""
        return self.factor >= 0

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"GaussianColumn(n_samples={self.n_samples}, n_slots={self.n_slots})"


def _shares_matrix(grid: Cells, rows: slice) -> csr_array:
    """The shares of rows among all nodes."""
    cells, shares = grid.cells[rows], grid.shares(rows)
    slots = grid.first[cells][:, None] + np.arange(shares.shape[1])
    inside = slots < grid.first[cells + 1][:, None]
    indptr = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
    shape = (cells.size, grid.nodes.size)
    return csr_array((shares[inside], slots[inside], indptr), shape=shape)


def _chunks(rows: slice) -> Iterator[slice]:
    starts = range(rows.start, rows.stop, _CHUNK)
    return (slice(i, min(i + _CHUNK, rows.stop)) for i in starts)
