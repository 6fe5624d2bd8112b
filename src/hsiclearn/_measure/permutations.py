r"""The statistic with the rows of Y in another order, as often as asked for.

Four ways, by what is known: two labellings, two centred matrices, thin features of the rows, or
nothing, where every order is another pass over all pairs. The unbiased statistic differs from the
biased one by a product of the two diagonals alone (:mod:`.sums`), which is permuted along.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from .._arrays import Array, FloatArray
from .._rows import batches
from .._threads import map_in_order, with_single_threaded_blas
from .linear_time import SideSums
from .side import AbstractSide, ClassSide
from .sums import centre_in_place, sums_in_tiles

_FEATURE_BYTES = 256 * 2**20  # both sides together
_BATCH = 4096  # rows
_NEGLIGIBLE = 1e-12  # share of the largest eigenvalue
_TIE = 1e-10  # share of the statistic: two orders that differ by rounding alone are equal


class Permuter(ABC):
    """``Tr(Kc Lc)`` for any order of the rows of Y, diagonals removed if unbiased."""

    n: int
    uses_threads = False
    """Whether one order keeps all cores busy already."""

    @abstractmethod
    def product(self, order: Array) -> float:
        """With row ``order[i]`` of Y beside row i of X."""


class TilePermuter(Permuter):
    """Nothing is kept: one pass over all pairs per order."""

    uses_threads = True

    def __init__(self, x: AbstractSide, y: AbstractSide, estimator: str) -> None:
        self.n, self._x, self._y, self._estimator = x.n_samples, x, y, estimator

    def product(self, order: Array) -> float:
        """From all pairs."""
        return sums_in_tiles(self._x, self._y.take(order)).product(self._estimator)


class _DiagonalPermuter(Permuter):
    """One that holds both diagonals: ``k`` of Kc and ``ell`` of Lc."""

    def __init__(self, k: FloatArray, ell: FloatArray, estimator: str) -> None:
        self.n, self._k, self._ell, self._estimator = k.size, k, ell, estimator

    @abstractmethod
    def _biased(self, order: Array) -> float:
        """``Tr(Kc Lc)``."""

    def product(self, order: Array) -> float:
        """The biased product, and what the diagonals have in it."""
        product = self._biased(order)
        if self._estimator == "biased":
            return product
        k, ell, n = self._k, self._ell, self.n
        chance = k.sum() * ell.sum() / (n * (n - 1.0))
        return float(product - n / (n - 2.0) * (k @ ell[order] - chance))


class DensePermuter(_DiagonalPermuter):
    """Two centred matrices."""

    def __init__(self, x: AbstractSide, y: AbstractSide, estimator: str) -> None:
        self._K, self._L = centre_in_place(x.matrix()), centre_in_place(y.matrix())
        super().__init__(self._K.diagonal(), self._L.diagonal(), estimator)

    def _biased(self, order: Array) -> float:
        return float(np.vdot(self._K, self._L.take(order, axis=0).take(order, axis=1)))


class ClassPermuter(_DiagonalPermuter):
    """Two labellings: the squares of the cells of their table, linear in the number of rows."""

    def __init__(self, x: ClassSide, y: ClassSide, estimator: str) -> None:
        n = x.n_samples
        self._x, self._y = x.codes.astype(np.int64) * y.n_classes, y.codes
        self._sums = [side.sizes[side.codes] for side in (x, y)]  # of the rows of K and of L
        totals = [float(sums.sum()) for sums in self._sums]
        self._grand = totals[0] * totals[1] / n**2
        k, ell = (
            1.0 - 2.0 / n * sums + total / n**2
            for sums, total in zip(self._sums, totals, strict=True)
        )
        super().__init__(k, ell, estimator)

    def _biased(self, order: Array) -> float:
        cells = np.unique(self._x + self._y[order], return_counts=True)[1].astype(np.float64)
        k, ell = self._sums
        return float(cells @ cells - 2.0 / self.n * (k @ ell[order]) + self._grand)


class FeaturePermuter(_DiagonalPermuter):
    """Principal features of both sides: ``|F' G[order]|^2``, linear in the number of rows.

    As many are kept as fit the memory, the largest first. ``dropped`` is the trace of each kernel
    matrix that is lost with the others.
    """

    def __init__(self, sums: SideSums, estimator: str) -> None:
        limit = max(8, _FEATURE_BYTES // (16 * sums.n))
        x, y = (_Principal(sums, side, limit) for side in (0, 1))
        self._F, self._s, self._G, self._t = x.values, x.signs, y.values, y.signs
        self.dropped = np.array([x.dropped, y.dropped])
        super().__init__(_diagonal(x), _diagonal(y), estimator)

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of features of either side."""
        return self._s.size, self._t.size

    def _biased(self, order: Array) -> float:
        cross = np.zeros((self._s.size, self._t.size))
        for rows in batches(self.n, _BATCH):
            cross += self._F[rows].T @ self._G[order[rows]]
        return float(self._s @ (cross * cross) @ self._t)


class _Principal:
    """The leading eigenvectors V of a centred ``F diag(s) F' = V diag(signs) V'``, with its scale.

    With ``F'F = W diag(w) W'`` its eigenvalues are those of the small ``w^1/2 W' diag(s) W w^1/2``.
    """

    def __init__(self, sums: SideSums, side: int, limit: int) -> None:
        features = sums.features[side]
        weights, W = np.linalg.eigh(sums.covariance(side, side))
        keep = weights > _NEGLIGIBLE * max(float(weights[-1]), 0.0)
        root, W = np.sqrt(weights[keep]), W[:, keep]
        small = (root[:, None] * (W.T * features.signs) @ W) * root
        values, Z = np.linalg.eigh(small)
        order = np.argsort(-np.abs(values), kind="stable")
        best = order[:limit]
        self.signs = np.sign(values[best])
        self.dropped = float(np.abs(values[order[limit:]]).sum())
        projection = (W / root) @ Z[:, best] * np.sqrt(np.abs(values[best]))
        mean = sums.shift[side] + sums.mean(side)
        self.values = np.empty((sums.n, best.size))

        def task(rows: slice) -> None:
            self.values[rows] = (features.values(rows)[0] - mean) @ projection

        for _ in map_in_order(task, batches(sums.n, _BATCH)):
            pass


def _diagonal(part: _Principal) -> FloatArray:
    return np.einsum("ij,ij,j->i", part.values, part.values, part.signs)


@with_single_threaded_blas
def draw(permuter: Permuter, count: int, rng: np.random.Generator) -> FloatArray:
    """The statistic at ``count`` random orders."""
    orders = (rng.permutation(permuter.n) for _ in range(count))
    n_threads = 1 if permuter.uses_threads else None
    return np.array(list(map_in_order(permuter.product, orders, n_threads)))


def pvalue_of(statistic: float, drawn: FloatArray) -> float:
    """``(1 + number of drawn >= statistic) / (1 + number drawn)``: never 0, never too small."""
    slack = _TIE * max(abs(statistic), float(np.abs(drawn).max(initial=0.0)))
    return float((1 + np.count_nonzero(drawn >= statistic - slack)) / (1 + drawn.size))
