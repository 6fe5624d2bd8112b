r"""Sums over pairs of rows, from which every estimator and every null distribution follows.

With ``Kc = HKH`` of X and ``Lc = HLH`` of Y, the centred kernel matrices of the two sides::

    products        Tr(Kc Kc), Tr(Kc Lc), Tr(Lc Lc)
    traces          Tr(Kc), Tr(Lc)
    diagonals       sum_i Kc_ii Lc_ii, and the same of each side with itself

The biased estimator is ``Tr(Kc Lc) / (n - 1)^2``. The unbiased one (Song et al., 2012) needs no
other sums: it is the biased one with L replaced by ``L - D``, D such that ``H(L - D)H`` has a zero
diagonal, ::

    n (n - 3) HSIC_u = Tr(Kc Lc) - n/(n - 2) [ sum_i Kc_ii Lc_ii - Tr(Kc) Tr(Lc) / n(n - 1) ]

Where rows count differently, row i v_i times, n is the sum of the v_i, and every sum over rows and
over pairs of rows is that over the repeated ones, such as ``Tr(Kc) = sum_i v_i Kc_ii``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray
from .._engines import Block, Schedule, Sums, Workspace
from .._threads import map_in_order, single_threaded_blas, with_single_threaded_blas
from .side import AbstractSide

_ROUNDING = 1e-12  # share of the sum with the diagonals
_TYPICAL = 200  # rows that tell the typical kernel value
_FEWEST_BLOCKS = 5  # the spread of fewer says nothing


@dataclass(frozen=True, eq=False)
class CenteredSums:
    """Sums of the centred matrices: entry 0 is the side of X, entry 1 that of Y."""

    n: float
    products: FloatArray
    traces: FloatArray
    diagonals: FloatArray

    def without_diagonals(self, estimator: str) -> FloatArray:
        """The products, without the part of the diagonals where the estimator is unbiased."""
        if estimator == "biased":
            return self.products
        n = float(self.n)
        chance = np.outer(self.traces, self.traces) / (n * (n - 1.0))
        return self.products - n / (n - 2.0) * (self.diagonals - chance)

    def divisor(self, estimator: str) -> float:
        """What turns a sum over pairs into an estimate."""
        n = float(self.n)
        return (n - 1.0) ** 2 if estimator == "biased" else n * (n - 3.0)

    def hsic(self, estimator: str) -> FloatArray:
        """HSIC of either side with either."""
        return self.without_diagonals(estimator) / self.divisor(estimator)

    def is_flat(self, estimator: str) -> bool:
        """Whether a side does not vary, as the estimator sees it, but for rounding.

        Without diagonals that may be: of rows that are equal but one, say, every entry that is left
        can be had from a number per row and one per column.
        """
        left = self.without_diagonals(estimator).diagonal()
        return bool(np.any(left <= _ROUNDING * self.products.diagonal()))

    def cka(self, estimator: str) -> float:
        """At most 1 in size, as both estimators are inner products; no side may be flat."""
        return float(np.clip(alignment(self.without_diagonals(estimator)), -1.0, 1.0))


def alignment(H: FloatArray) -> float:
    """``H_xy / sqrt(H_xx H_yy)``; 0 where a side does not vary."""
    xx, yy = H.diagonal()
    return float(H[0, 1] / (np.sqrt(xx) * np.sqrt(yy))) if xx > 0.0 and yy > 0.0 else 0.0


def centre_in_place(K: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """``HKH`` of a symmetric matrix, or ``R HKH R`` with weighted means, written over it."""
    if weights is None:
        means = K.mean(axis=0)
        K -= means
        K -= (means - means.mean())[:, None]
        return K
    share, r = weights / weights.sum(), np.sqrt(weights)
    means = share @ K
    K -= means
    K -= (means - means @ share)[:, None]
    K *= r
    K *= r[:, None]
    return K


def dense_sums(K: FloatArray, L: FloatArray, weights: FloatArray | None = None) -> CenteredSums:
    """From two centred matrices, ``R Kc R`` and ``R Lc R`` where rows have weights."""
    d = np.stack([K.diagonal(), L.diagonal()])
    n, traces = K.shape[0], d.sum(axis=1)
    if weights is not None:
        n, d = float(weights.sum()), d / np.sqrt(weights)
    return CenteredSums(n, _inner_products(K, L), traces, d @ d.T)


def _inner_products(K: FloatArray, L: FloatArray) -> FloatArray:
    xy = np.vdot(K, L)
    return np.array([[np.vdot(K, K), xy], [xy, np.vdot(L, L)]])


@with_single_threaded_blas
def exact_sums(x: AbstractSide, y: AbstractSide) -> CenteredSums:
    """From two full matrices: 16 n^2 bytes."""
    K, L = (centre_in_place(side.matrix(), side.weights) for side in (x, y))
    return dense_sums(K, L, x.weights)


@with_single_threaded_blas
def sums_in_tiles(x: AbstractSide, y: AbstractSide) -> CenteredSums:
    r"""One pass over the symmetric half of the pairs, in threads and in bounded memory.

    ``Tr(Kc Lc) = sum K o L - (2/n) k.l + (1'k)(1'l)/n^2`` with row sums k and l. A typical value
    is subtracted from each K first: centring removes it anyway, and digits are not lost to it.
    With weights it is ``R K R`` that is summed, with ``k = R K R r`` and r in the place of 1.
    """
    n, r, typical = x.total, x.roots(), (_typical_value(x), _typical_value(y))

    def task(blocks: Iterable[Block], workspace: Workspace) -> Sums:
        products = np.zeros((2, 2))
        row_sums, diagonals = np.zeros((2, r.size)), np.zeros((2, r.size))
        for rows, cols in blocks:
            K, L = x.tile(rows, cols, workspace[0]), y.tile(rows, cols, workspace[1])
            K -= typical[0]
            L -= typical[1]
            if x.weights is not None:
                R = np.outer(r[rows], r[cols])
                K *= R
                L *= R
            products += (1.0 if rows == cols else 2.0) * _inner_products(K, L)
            for sums, tile in zip(row_sums, (K, L), strict=True):
                sums[rows] += tile @ r[cols]
                if rows != cols:
                    sums[cols] += r[rows] @ tile
            if rows == cols:
                diagonals[:, rows] = K.diagonal(), L.diagonal()
        return products, row_sums, diagonals

    products, k, diagonals = Schedule(r.size).sum_over(task)
    total = (k * r).sum(axis=1)
    centred = products - 2.0 / n * (k @ k.T) + np.outer(total, total) / n**2
    d = diagonals - 2.0 / n * k * r + (total / n**2)[:, None] * r**2
    traces, d = d.sum(axis=1), d / r
    return CenteredSums(n, centred, traces, d @ d.T)


def _typical_value(side: AbstractSide) -> float:
    some = np.unique(np.linspace(0, side.n_samples - 1, _TYPICAL).astype(np.intp))
    return float(side.take(some).matrix().mean())


@dataclass(frozen=True, eq=False)
class BlockValues:
    """Unbiased HSIC of either side with either, 2 x 2 for each block of rows."""

    values: FloatArray

    @property
    def n_blocks(self) -> int:
        """Their number."""
        return self.values.shape[0]

    def hsic(self) -> tuple[float, float]:
        """The mean over blocks and its standard error."""
        xy = self.values[:, 0, 1]
        return float(xy.mean()), float(xy.std(ddof=1) / np.sqrt(self.n_blocks))

    def cka(self) -> tuple[float, float]:
        """The ratio of the means and its standard error, by leaving out one block at a time."""
        m = self.n_blocks
        rest = (self.values.sum(axis=0) - self.values) / (m - 1)
        left_out = np.clip([alignment(means) for means in rest], -1.0, 1.0)
        error = np.sqrt((m - 1) / m * np.sum((left_out - left_out.mean()) ** 2))
        return float(np.clip(alignment(self.values.mean(axis=0)), -1.0, 1.0)), float(error)


def block_values(
    x: AbstractSide, y: AbstractSide, block_size: int, rng: np.random.Generator
) -> BlockValues:
    """The mean over blocks of rows, each by itself."""
    order = order_in_blocks(x.n_samples, block_size, rng)

    def task(index: Array) -> FloatArray:
        return exact_sums(x.take(index), y.take(index)).hsic("unbiased")

    with single_threaded_blas():
        return BlockValues(np.array(list(map_in_order(task, order))))


def order_in_blocks(n: int, block_size: int, rng: np.random.Generator) -> Array:
    """Rows in a random order, cut into blocks; the few that do not fill one are left out."""
    n_blocks = n // block_size
    if n_blocks < _FEWEST_BLOCKS:
        raise ValueError(
            f"engine='block' needs at least {_FEWEST_BLOCKS} blocks. Got {n} rows in blocks of "
            f"{block_size}: pass block_size <= {n // _FEWEST_BLOCKS}, or use engine='tiled'."
        )
    return rng.permutation(n)[: n_blocks * block_size].reshape(n_blocks, block_size)
