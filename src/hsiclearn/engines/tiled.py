"""Pairs in tiles over the symmetric half: exact, in bounded memory, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

import numpy as np

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, Scaled
from ._base import AbstractEngine, mirrored
from ._threads import single_threaded_blas, thread_pool, usable_cores
from ._tile import (
    Factors,
    Group,
    group_by_pair,
    tile_bend,
    tile_dot_weights,
    tile_sum_and_weights,
)

__all__ = ["TiledEngine"]

A = TypeVar("A")
T = TypeVar("T")
Tiles = Iterator[tuple[slice, slice, FloatArray, bool]]  # rows, columns, workspace, on diagonal
_DOUBLES_PER_PAIR = 5  # beta, f, f', Gamma and one product live at once in a tile
_LARGEST_TILE = 256  # rows; beyond the second-level cache a larger tile buys nothing


class TiledEngine(AbstractEngine):
    """Tiles (I, J) with J >= I; the other half follows by symmetry.

    A task is a block of rows against all later ones, and the mirror image of that. Tasks run
    in threads, each with a single-threaded BLAS (threads inside threads are 5-20 times slower),
    and are added up in their order, so that the sum does not depend on the number of threads.

    Parameters
    ----------
    tile_size : int or None
        Rows per tile; None derives it from the memory budget.
    memory_budget : int
        Bytes all tiles at work may take together; it caps the tile size, 256 rows at most.
    n_threads : int or None
        None uses the cores this process may run on.
    """

    name = "tiled"

    def __init__(
        self,
        X: FloatArray,
        gamma: AbstractGamma,
        kernel: AbstractKernel,
        *,
        tile_size: int | None = None,
        memory_budget: int = 32 * 2**20,
        n_threads: int | None = None,
    ) -> None:
        self._groups = group_by_pair(kernel, X)
        self._order = gamma.order()
        if self._order is not None:
            X, gamma = X[self._order], gamma.take(self._order)
            self._groups = tuple(group.reordered(self._order) for group in self._groups)
        self._X, self._gamma = X, gamma
        self._n_threads = n_threads or usable_cores()
        n = X.shape[0]
        if tile_size is None:
            fitting = int((memory_budget / self._n_threads / 8 / _DOUBLES_PER_PAIR) ** 0.5)
            tile_size = _even_tile_size(n, max(16, min(_LARGEST_TILE, fitting)))
        self.tile_size = tile_size
        self._blocks = [slice(i, min(i + tile_size, n)) for i in range(0, n, tile_size)]

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        w = self._X @ W
        total = 0.0
        for group in self._groups:
            factors = Factors.of(group.pair, w)

            def task(tiles: Tiles, group: Group = group, factors: Factors = factors) -> float:
                part = 0.0
                for rows, cols, workspace, on_diagonal in tiles:
                    share, _ = self._sum_and_weights(group, factors, rows, cols, workspace)
                    part += share if on_diagonal else 2.0 * share
                return part

            total += sum(self._run(task))
        return total

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``."""
        n, d = self._X.shape
        return self._contract_wide(W) if n < 2 * d else self._contract_tall(W)

    def _contract_wide(self, W: FloatArray) -> tuple[float, FloatArray]:
        """Contract through ``Y = c L(S) X``: all products with X, but X'DX comes with them."""
        X = self._X
        total, Y = self._products(W, X)
        d = X.shape[1]
        width = -(-d // 8)
        columns = [slice(j, min(j + width, d)) for j in range(0, d, width)]

        def upper(block: slice) -> FloatArray:  # X'Y is symmetric: half of it will do
            return X[:, : block.stop].T @ Y[:, block]

        half = np.zeros((d, d))
        for block, part in zip(columns, self._in_threads(upper, columns), strict=True):
            half[: block.stop, block] = part
        return total, np.triu(half) + np.triu(half, 1).T

    def _contract_tall(self, W: FloatArray) -> tuple[float, FloatArray]:
        """Contract tile by tile: half the products with X, but X'DX apart."""
        X, w = self._X, self._X @ W
        n, d = X.shape
        total, matrix = 0.0, np.zeros((d, d))
        for group in self._groups:
            factors = Factors.of(group.pair, w)

            def task(
                tiles: Tiles, group: Group = group, factors: Factors = factors
            ) -> tuple[float, FloatArray, FloatArray]:
                part, XSX, degree = 0.0, np.zeros((d, d)), np.zeros(n)
                for rows, row_tiles in groupby(tiles, key=itemgetter(0)):
                    SX = np.zeros((rows.stop - rows.start, d))
                    for _, cols, workspace, on_diagonal in row_tiles:
                        share, (factor, S) = self._sum_and_weights(
                            group, factors, rows, cols, workspace
                        )
                        part += share if on_diagonal else 2.0 * share
                        # X'SX is symmetrised below, so the diagonal tile counts half.
                        SX += (0.5 * factor if on_diagonal else factor) * (S @ X[cols])
                        degree[rows] += factor * S.sum(axis=1)
                        if not on_diagonal:
                            degree[cols] += factor * S.sum(axis=0)
                    XSX += X[rows].T @ SX
                return part, XSX, degree

            half, degree = np.zeros((d, d)), np.zeros(n)
            for part, product, sums in self._run(task):
                total += part
                half += product
                degree += sums
            matrix += group.pair.contracted(half + half.T, degree, X)
        return total, matrix

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        if self._order is None:
            return self._products(W, V, Z)[1]
        out = np.empty(V.shape)
        out[self._order] = self._products(W, V[self._order], Z)[1]
        return out

    def _products(
        self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None
    ) -> tuple[float, FloatArray]:
        """The total (without Z) and ``c L(S) V``, rows in the engine's own order."""
        X, n = self._X, V.shape[0]
        w, z = X @ W, None if Z is None else X @ Z
        total, out = 0.0, np.zeros(V.shape)
        for group in self._groups:
            factors = Factors.of(group.pair, w, z)

            def task(
                tiles: Tiles, group: Group = group, factors: Factors = factors
            ) -> tuple[float, FloatArray, FloatArray]:
                part, SV, degree = 0.0, np.zeros(V.shape), np.zeros(n)
                for rows, cols, workspace, on_diagonal in tiles:
                    gamma = self._gamma.tile(rows, cols)
                    weights = tile_sum_and_weights if z is None else tile_dot_weights
                    share, (factor, S) = weights(group, gamma, factors, rows, cols, workspace)
                    SV[rows] += factor * (S @ V[cols])
                    degree[rows] += factor * S.sum(axis=1)
                    if on_diagonal:
                        part += share
                        continue
                    part += 2.0 * share
                    SV[cols] += factor * (S.T @ V[rows])
                    degree[cols] += factor * S.sum(axis=0)
                return part, SV, degree

            SV, degree = np.zeros(V.shape), np.zeros(n)
            for part, product, sums in self._run(task):
                total += part
                SV += product
                degree += sums
            out += group.pair.contraction(SV, degree, V)
        return total, out

    def bend(self, W: FloatArray) -> FloatArray:
        """``M[a, b]`` of ``-Phidot[Z] W = sum_b M[:, b] Z_b``."""
        X, w, n, (d, q) = self._X, self._X @ W, self._X.shape[0], W.shape
        blocks = [(a, b) for a in range(q) for b in range(a, q)]
        M = np.zeros((q, q, d, d))
        for group in self._groups:
            factors = Factors.of(group.pair, w)

            def task(
                tiles: Tiles, group: Group = group, factors: Factors = factors
            ) -> tuple[FloatArray, FloatArray]:
                XSX, degree = np.zeros((len(blocks), d, d)), np.zeros((len(blocks), n))
                for rows, cols, workspace, on_diagonal in tiles:
                    gamma = self._gamma.tile(rows, cols)
                    factor, T = tile_bend(group, gamma, factors, rows, cols, workspace)
                    for k, (a, b) in enumerate(blocks):
                        p, r = group.pair.bend_weights(w[rows], w[cols], a, b)
                        p *= T
                        product = X[rows].T @ (p @ X[cols])
                        XSX[k] += factor * product
                        degree[k, rows] += factor * (p if r is p else T * r).sum(axis=1)
                        if on_diagonal:
                            continue
                        if r is p:  # symmetric weights: the other half is the transpose
                            XSX[k] += factor * product.T
                            degree[k, cols] += factor * p.sum(axis=0)
                        else:
                            p, r = group.pair.bend_weights(w[cols], w[rows], a, b)
                            XSX[k] += factor * (X[cols].T @ ((T.T * p) @ X[rows]))
                            degree[k, cols] += factor * (T.T * r).sum(axis=1)
                return XSX, degree

            XSX, degree = np.zeros((len(blocks), d, d)), np.zeros((len(blocks), n))
            for product, sums in self._run(task):
                XSX += product
                degree += sums
            for k, (a, b) in enumerate(blocks):
                M[a, b] += group.pair.bent(XSX[k], degree[k], X)
        return mirrored(M)

    def _sum_and_weights(
        self, group: Group, factors: Factors, rows: slice, cols: slice, workspace: FloatArray
    ) -> tuple[float, Scaled]:
        gamma = self._gamma.tile(rows, cols)
        return tile_sum_and_weights(group, gamma, factors, rows, cols, workspace)

    def _tiles(self, i: int) -> Tiles:
        """The tiles of block row i and of its mirror, so that every task has as much to do."""
        workspace = np.empty(self.tile_size**2)
        last = len(self._blocks) - 1
        for k in {i: None, last - i: None}:
            for cols in self._blocks[k:]:
                yield self._blocks[k], cols, workspace, cols is self._blocks[k]

    def _run(self, task: Callable[[Tiles], T]) -> Iterator[T]:
        """Run a task per pair of block rows; yield the answers in order."""
        tasks = map(self._tiles, range((len(self._blocks) + 1) // 2))
        return self._in_threads(task, tasks)

    def _in_threads(self, task: Callable[[A], T], tasks: Iterable[A]) -> Iterator[T]:
        """Map over tasks in threads, each with a single-threaded BLAS."""
        with single_threaded_blas():
            if self._n_threads == 1 or len(self._blocks) <= 2:
                yield from map(task, tasks)
            else:
                yield from thread_pool(self._n_threads).map(task, tasks)


def _even_tile_size(n: int, largest: int) -> int:
    """At most ``largest``, in a multiple of four blocks: an even share for two or four cores."""
    n_blocks = 4 * -(-n // (4 * largest))
    return -(-n // n_blocks)
