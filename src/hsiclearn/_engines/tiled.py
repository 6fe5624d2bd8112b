"""Pairs in tiles over the symmetric half: exact, in bounded memory, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter
from typing import final

import numpy as np

from .._arrays import FloatArray
from .._threads import with_single_threaded_blas
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from ._schedule import Block, Schedule, Sums, add_to
from ._tile import Group, Memo, Tile, Workspace, group_by_pair
from .hessian_blocks import (
    Moments,
    assemble,
    column_pairs,
    degree_grams,
    moments_of,
    spread,
    thin_columns,
)
from .series import GaussianSeries

_DOUBLES_PER_PAIR = 5  # two buffers; f', f'' and Gamma where they cannot share one
_TILES_AT_WORK = 8  # assumed, not counted: the sums must not depend on the number of cores


@final
class TiledEngine(AbstractEngine):
    """Tiles of the symmetric half of the pairs, in the order of a :class:`Schedule`.

    Phi and the whole Hessian come from a series of the kernel instead where that is as exact and
    costs less: see ``series.py``. With ``series=False`` all pairs are visited.

    ``tile_size`` are rows, derived from the memory budget by default. That is bytes that tiles may
    take: it caps the tile size (512 rows at most) and says up to how many rows kernel values are
    kept between derivatives at the same W (some 3500 by default, 2000 where f, f' and f'' differ).
    ``n_threads`` is by default the number of cores this process may run on. With ``split`` the
    sums are over the pairs of a row before it with one from there on, in both orders.
    """

    name = "tiled"

    def __init__(
        self,
        X: FloatArray,
        gamma: AbstractGamma,
        kernel: AbstractKernel,
        *,
        tile_size: int | None = None,
        memory_budget: int = 96 * 2**20,
        n_threads: int | None = None,
        series: bool = True,
        split: int | None = None,
    ) -> None:
        super().__init__(X, gamma, kernel)
        self._groups = group_by_pair(kernel, X, gamma.row_weights)
        self._order = gamma.order() if split is None else None
        if self._order is not None:
            X, gamma = X[self._order], gamma.take(self._order)
            self._groups = tuple(group.reordered(self._order) for group in self._groups)
        self._X, self._weights = X, gamma  # in an order of their own
        n = X.shape[0]
        fitting = int((memory_budget / _TILES_AT_WORK / 8 / _DOUBLES_PER_PAIR) ** 0.5)
        largest = max(16, fitting)
        self._schedule = Schedule(n, tile_size, n_threads, largest_tile=largest, split=split)
        self.tile_size = self._schedule.tile_size
        # f, f' and f'' of half the pairs, one array where they are multiples of each other: where
        # that is little, Hessian products evaluate no kernel, which halves their time.
        is_one = len(kernel.terms) == 1 and kernel.terms[0][1].rate is not None
        kept = (1 if is_one else 3) * 8 * n * n / 2
        self._memo = Memo() if kept <= memory_budget / 2 else None
        is_whole = series and split is None
        self._series = GaussianSeries.of(X, gamma, kernel, memory_budget) if is_whole else None

    @with_single_threaded_blas
    def total(self, W: FloatArray) -> float:
        def task(tiles: Iterable[Tile]) -> Sums:
            total = np.zeros(1)
            for tile in tiles:
                total += _both(tile) * tile.total_and_weights()[0]
            return (total,)

        w = self._project(W)
        return sum(float(self._sum_over_tiles(group, task, w)[0][0]) for group in self._groups)

    @with_single_threaded_blas
    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        if self._series is not None and self._series.at(W):
            return self._series.contract()
        n, d = self._X.shape
        return self._contract_wide(W) if n < 2 * d else self._contract_tall(W)

    def _contract_tall(self, W: FloatArray) -> tuple[float, FloatArray]:
        """Contract tile by tile: half the products with X, but X'DX apart."""
        X, (n, d) = self._X, self._X.shape

        def task(tiles: Iterable[Tile]) -> Sums:
            total, XSX, degree = np.zeros(1), np.zeros((d, d)), np.zeros(n)
            for _, row_of_tiles in groupby(tiles, key=attrgetter("rows.start")):
                SX: FloatArray | float = 0.0
                for tile in row_of_tiles:
                    share, (factor, S) = tile.total_and_weights()
                    total += _both(tile) * share
                    # X'SX is symmetrised below: off the diagonal half of it is missing here.
                    SX = SX + (0.5 * _both(tile) * factor) * (S @ X[tile.cols])
                    _add_degree(degree, factor, S, tile)
                XSX += X[tile.rows].T @ SX
            return total, XSX, degree

        w, result, matrix = self._project(W), 0.0, np.zeros((d, d))
        for group in self._groups:
            total, half, degree = self._sum_over_tiles(group, task, w)
            result += float(total[0])
            matrix += group.pair.contracted(half + half.T, degree, X)
        return result, matrix

    def _contract_wide(self, W: FloatArray) -> tuple[float, FloatArray]:
        """Contract through ``Y = c L(S) X``: all products with X, but X'DX comes with them."""
        X, d = self._X, self._X.shape[1]
        total, Y = self._products(W, X)
        width = -(-d // 8)
        columns = [slice(j, min(j + width, d)) for j in range(0, d, width)]

        def upper(block: slice) -> FloatArray:  # X'Y is symmetric: half of it will do
            return X[:, : block.stop].T @ Y[:, block]

        matrix = np.empty((d, d))
        for block, part in zip(columns, self._schedule.in_threads(upper, columns), strict=True):
            matrix[: block.stop, block] = part
            matrix[block, : block.start] = part[: block.start].T
        return total, matrix

    @with_single_threaded_blas
    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        if self._order is None:
            return self._products(W, V, Z)[1]
        out = np.empty(V.shape)
        out[self._order] = self._products(W, V[self._order], Z)[1]
        return out

    def _products(
        self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None
    ) -> tuple[float, FloatArray]:
        """The total (zero with Z) and ``c L(S) V``, rows in the engine's own order."""

        def task(tiles: Iterable[Tile]) -> Sums:
            total, SV, degree = np.zeros(1), np.zeros(V.shape), np.zeros(V.shape[0])
            for tile in tiles:
                share, (factor, S) = tile.total_and_weights() if Z is None else tile.dot_weights()
                total += _both(tile) * share
                SV[tile.rows] += factor * (S @ V[tile.cols])
                if not tile.on_diagonal:
                    SV[tile.cols] += factor * (S.T @ V[tile.rows])
                _add_degree(degree, factor, S, tile)
            return total, SV, degree

        w, z = self._project(W), None if Z is None else self._X @ Z
        result, out = 0.0, np.zeros(V.shape)
        for group in self._groups:
            total, SV, degree = self._sum_over_tiles(group, task, w, z)
            result += float(total[0])
            out += group.pair.contraction(SV, degree, V)
        return result, out

    @with_single_threaded_blas
    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        if self._series is not None and self._series.at(W) and self._series.has_hessian:
            return self._series.hessian_blocks()
        X, w, (d, q) = self._X, self._project(W), W.shape
        thin = thin_columns(w)

        def task(tiles: Iterable[Tile]) -> Sums:
            pairs, T_thin = len(column_pairs(q)), np.zeros(thin.shape)
            sums = np.zeros((q * d, q * d)), np.zeros((d, pairs * d))
            for _, row_of_tiles in groupby(tiles, key=attrgetter("rows.start")):
                TV: FloatArray | float = 0.0
                for tile in row_of_tiles:
                    rows, (factor, T) = tile.rows, tile.jet(2)[2]
                    # The moments are symmetrised below: off the diagonal half is missing here.
                    share = 0.5 * _both(tile) * factor
                    TV = TV + share * (T @ spread(X[tile.cols], thin[tile.cols]))
                    T_thin[tile.rows] += factor * (T @ thin[tile.cols])
                    if not tile.on_diagonal:
                        T_thin[tile.cols] += factor * (T.T @ thin[tile.rows])
                add_to(sums, moments_of(spread(X[rows], thin[rows]), TV, q, d, is_half=True))
            return (*sums, T_thin)

        M = np.zeros((q, q, d, d))
        for group in self._groups:
            first, second, T_thin = self._sum_over_tiles(group, task, w)
            grams = degree_grams(group.pair, X, w, T_thin)
            M += assemble(group.pair, Moments(first + first.T, second), grams, q)
        return M

    def _project(self, W: FloatArray) -> FloatArray:
        """``XW``; from here on, what is kept belongs to this W."""
        if self._memo is not None:
            self._memo.move_to(W)
        return self._X @ W

    def _sum_over_tiles(
        self,
        group: Group,
        task: Callable[[Iterable[Tile]], Sums],
        w: FloatArray,
        z: FloatArray | None = None,
    ) -> Sums:
        """Run a task per pair of block rows and add up what they return, in order."""
        pair, weigh, memo = group.pair, self._weights.weigh, self._memo
        beta, beta_dot = pair.beta_factors(w), None if z is None else pair.beta_dot_factors(w, z)

        def run(blocks: Iterable[Block], workspace: Workspace) -> Sums:
            return task(Tile(group, beta, beta_dot, weigh, *ij, workspace, memo) for ij in blocks)

        return self._schedule.sum_over(run)


def _both(tile: Tile) -> float:
    """How often a tile's sum counts: off the diagonal, for the other half too."""
    return 1.0 if tile.on_diagonal else 2.0


def _add_degree(degree: FloatArray, factor: float, S: FloatArray, tile: Tile) -> None:
    degree[tile.rows] += factor * S.sum(axis=1)
    if not tile.on_diagonal:
        degree[tile.cols] += factor * S.sum(axis=0)
