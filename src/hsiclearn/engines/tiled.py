"""Pairs in tiles over the symmetric half: exact, in bounded memory, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from ._tile import Factors, Group, group_by_pair, tile_products, tile_sums

__all__ = ["TiledEngine"]

T = TypeVar("T")
_DOUBLES_PER_PAIR = 5  # beta, f, f', Gamma and one product live at once in a tile


class TiledEngine(AbstractEngine):
    """Tiles (I, J) with J >= I; the other half follows by symmetry.

    A task is one block of rows against all later ones. Tasks run in threads, each with a
    single-threaded BLAS (threads inside threads are 5-20 times slower), and are added up in
    their order, so that the sum does not depend on the number of threads.

    Parameters
    ----------
    tile_size : int or None
        Rows per tile; None derives it from the memory budget.
    memory_budget : int
        Bytes all tiles at work may take together. Beyond the second-level cache a larger tile
        buys nothing, so this caps the size at 256 rows.
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
            self._groups = tuple(_reordered(group, self._order) for group in self._groups)
        self._X, self._gamma = X, gamma
        self._n_threads = n_threads or _usable_cores()
        if tile_size is None:
            fitting = int((memory_budget / self._n_threads / 8 / _DOUBLES_PER_PAIR) ** 0.5)
            tile_size = max(16, min(256, fitting))
        self.tile_size = tile_size
        n = X.shape[0]
        self._blocks = [slice(i, min(i + tile_size, n)) for i in range(0, n, tile_size)]

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        return self._sum_pairs(W, with_matrix=False)[0]

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``."""
        return self._sum_pairs(W, with_matrix=True)

    def _sum_pairs(self, W: FloatArray, *, with_matrix: bool) -> tuple[float, FloatArray]:
        X, w = self._X, self._X @ W
        n, d = X.shape
        total, matrix = 0.0, np.zeros((d, d))
        for group in self._groups:
            factors = Factors.of(group.pair, w)
            half, degree = np.zeros((d, d)), np.zeros(n)

            def block_row(
                i: int, group: Group = group, factors: Factors = factors
            ) -> tuple[float, FloatArray, FloatArray]:
                rows = self._blocks[i]
                part, SX, sums = 0.0, np.zeros((rows.stop - rows.start, d)), np.zeros(n)
                for cols in self._blocks[i:]:
                    share, S = tile_sums(group, self._gamma.tile(rows, cols), factors, rows, cols)
                    if cols is rows:  # the diagonal tile holds both halves
                        share, S = 0.5 * share, 0.5 * S
                    part += share
                    if with_matrix:
                        SX += S @ X[cols]
                        sums[rows] += S.sum(axis=1)
                        sums[cols] += S.sum(axis=0)
                return part, X[rows].T @ SX, sums

            for part, product, sums in self._run(block_row):
                total += 2.0 * part
                half += product
                degree += sums
            if with_matrix:
                XSX = half + half.T
                matrix += _contracted(group, XSX, degree, X)
        return total, matrix

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        X, order = self._X, self._order
        V = V if order is None else V[order]
        w, z = X @ W, None if Z is None else X @ Z
        out = np.zeros(V.shape)
        for group in self._groups:
            factors = Factors.of(group.pair, w, z)
            SV, degree = np.zeros(V.shape), np.zeros(V.shape[0])

            def block_row(
                i: int, group: Group = group, factors: Factors = factors
            ) -> tuple[FloatArray, FloatArray]:
                rows = self._blocks[i]
                product, sums = np.zeros((V.shape[0] - rows.start, V.shape[1])), np.zeros(
                    V.shape[0] - rows.start
                )
                for cols in self._blocks[i:]:
                    tile = self._gamma.tile(rows, cols)
                    p = tile_products(group, tile, factors, V, rows, cols)
                    here = slice(0, rows.stop - rows.start)
                    there = slice(cols.start - rows.start, cols.stop - rows.start)
                    product[here] += p.rows
                    sums[here] += p.row_sums
                    if cols is not rows:
                        product[there] += p.cols
                        sums[there] += p.col_sums
                return product, sums

            for i, (product, sums) in enumerate(self._run(block_row)):
                SV[self._blocks[i].start :] += product
                degree[self._blocks[i].start :] += sums
            out += group.pair.contraction(SV, degree, V)
        if order is None:
            return out
        unsorted = np.empty_like(out)
        unsorted[order] = out
        return unsorted

    def _run(self, block_row: Callable[[int], T]) -> Iterator[T]:
        """Run a task per block of rows; yield the answers in order."""
        tasks = range(len(self._blocks))
        if self._n_threads == 1 or len(self._blocks) == 1:
            yield from map(block_row, tasks)
            return
        with (
            _blas().limit(limits=1, user_api="blas"),
            ThreadPoolExecutor(self._n_threads) as pool,
        ):
            yield from pool.map(block_row, tasks)


def _contracted(group: Group, XSX: FloatArray, degree: FloatArray, X: FloatArray) -> FloatArray:
    """``X' c L(S) X`` from ``X'SX`` and the degrees."""
    if not group.pair.is_difference:
        return XSX
    return 2.0 * (X.T @ (degree[:, None] * X) - XSX)


def _reordered(group: Group, order: FloatArray) -> Group:
    terms = tuple((w, k, None if s is None else s[order]) for w, k, s in group.terms)
    return Group(group.pair, terms)


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
