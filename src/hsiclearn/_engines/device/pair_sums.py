"""Sums over the pairs of rows of a device, tile by tile, in any namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, to_host
from ..._rows import AbstractRows
from ...kernels import Pair
from .._tile import Group, Tile, Workspace
from ..hessian_blocks import degree_grams, spread, thin_columns

Columns = Callable[[slice], Array]
"""Columns of some rows, on the device."""


class Products(NamedTuple):
    """The total, ``S V`` and the row sums of S, block by block of rows."""

    total: Array
    SV: list[Array]
    degree: list[Array]


class PairSums:
    """The pairs of rows cut into tiles of one size."""

    def __init__(
        self,
        rows: AbstractRows,
        gamma: Callable[[slice, slice], Array],
        groups: tuple[Group, ...],
        size: int,
        like: Array,
    ) -> None:
        self.rows, self.gamma, self.groups = rows, gamma, groups
        n, self.n_features = rows.shape
        self.blocks = [slice(i, min(i + size, n)) for i in range(0, n, size)]
        self.like = like
        self.xp = array_namespace(self.like)

    def projected(self, V: FloatArray) -> Array:
        """``XV``, in the dtype of the rows."""
        parts = [self.own(block) @ beside(V, self.like) for block in self.blocks]
        return self.xp.concat(parts, axis=0)

    def own(self, block: slice) -> Array:
        """Rows in the precision of tiles."""
        return beside(self.rows.at(block), self.like)

    def zero(self, *shape: int) -> Array:
        """A sum of nothing, in double precision."""
        return beside(np.zeros(shape), self.like, np.float64)

    def doubles(self, block: slice) -> Array:
        """Rows in double precision."""
        return in_dtype(self.rows.at(block), np.float64)

    def _weigh(self, array: Array, rows: slice, cols: slice) -> tuple[float, Array]:
        return 1.0, array * self.gamma(rows, cols)

    def visited(
        self, group: Group, w: Array, z: Array | None = None
    ) -> Iterator[tuple[int, list[tuple[int, Tile]]]]:
        """The tiles of every block of rows, by number, each with the number of its columns."""
        beta = group.pair.beta_factors(w)
        beta_dot = None if z is None else group.pair.beta_dot_factors(w, z)
        none = Workspace()
        for i, rows in enumerate(self.blocks):
            yield (
                i,
                [
                    (j, Tile(group, beta, beta_dot, self._weigh, rows, self.blocks[j], none, None))
                    for j in range(i, len(self.blocks))
                ],
            )

    def total(self, W: FloatArray) -> Array:
        """``sum Gamma o f``."""
        w, total = self.projected(W), self.zero()
        for group in self.groups:
            for _, tiles in self.visited(group, w):
                for _, tile in tiles:
                    factor, values = tile.jet(0)[0]
                    total = total + _both(tile) * factor * _doubles_of_sum(values)
        return total

    def contract(self, W: FloatArray) -> tuple[Array, Array]:
        """The total and ``X' c L(S) X``: half the products with X, and row sums apart."""
        d = self.n_features
        w, total, matrix = self.projected(W), self.zero(), self.zero(d, d)
        for group in self.groups:
            half, degree = self.zero(d, d), _degrees(self)
            for i, tiles in self.visited(group, w):
                SX = self.zero(tiles[0][1].rows.stop - tiles[0][1].rows.start, d)
                for j, tile in tiles:
                    (f_factor, f), (factor, S) = tile.jet(1)
                    total = total + _both(tile) * f_factor * _doubles_of_sum(f)
                    product = in_dtype(S @ self.own(tile.cols), np.float64)
                    SX = SX + (0.5 * _both(tile) * factor) * product
                    _add_sums(degree, i, j, factor, S)
                half = half + self.doubles(self.blocks[i]).T @ SX
            matrix = matrix + self._contracted(group.pair, half + half.T, degree)
        return total, matrix

    def _contracted(self, pair: Pair, XSX: Array, degree: list[Array]) -> Array:
        if not pair.is_difference:
            return pair.combined(XSX, XSX)
        XDX = self.zero(self.n_features, self.n_features)
        for block, sums in zip(self.blocks, degree, strict=True):
            x = self.doubles(block)
            XDX = XDX + x.T @ (sums[:, None] * x)
        return pair.combined(XDX, XSX)

    def products(
        self, group: Group, w: Array, V: Columns, z: Array | None = None, order: int = 1
    ) -> Products:
        """``S V`` and row sums, of the derivative of that order; of Sdot with z."""
        total, degree = self.zero(), _degrees(self)
        k = V(slice(0, 1)).shape[1]
        SV = [self.zero(block.stop - block.start, k) for block in self.blocks]
        for i, tiles in self.visited(group, w, z):
            for j, tile in tiles:
                if z is not None:
                    factor, S = tile.dot_weights()[1]
                else:
                    jet = tile.jet(order)
                    total = total + _both(tile) * jet[0][0] * _doubles_of_sum(jet[0][1])
                    factor, S = jet[order]
                SV[i] = SV[i] + factor * in_dtype(S @ V(tile.cols), np.float64)
                if j > i:
                    SV[j] = SV[j] + factor * in_dtype(S.T @ V(tile.rows), np.float64)
                _add_sums(degree, i, j, factor, S)
        return Products(total, SV, degree)

    def _applied(
        self, W: FloatArray, V: Columns, Z: FloatArray | None
    ) -> tuple[Array, list[Array]]:
        """The total, and ``c L(S) V`` block by block."""
        w, z = self.projected(W), None if Z is None else self.projected(Z)
        total, out = self.zero(), [self.zero(1, 1)] * len(self.blocks)
        for group in self.groups:
            found = self.products(group, w, V, z)
            total = total + found.total
            for i, block in enumerate(self.blocks):
                own = in_dtype(V(block), np.float64)
                out[i] = out[i] + group.pair.contraction(found.SV[i], found.degree[i], own)
        return total, out

    def applied(self, W: FloatArray, V: Columns, Z: FloatArray | None) -> list[Array]:
        """``c L(S) V``, or with Z its derivative."""
        return self._applied(W, V, Z)[1]

    def product(self, W: FloatArray, V: FloatArray, Z: FloatArray | None) -> tuple[Array, Array]:
        """The total and ``X' c L(S) X V``."""
        v = self.projected(V)
        total, parts = self._applied(W, lambda rows: v[rows, ...], Z)
        return total, self._times_rows(parts)

    def _times_rows(self, parts: list[Array]) -> Array:
        total = self.zero(self.n_features, parts[0].shape[1])
        for block, part in zip(self.blocks, parts, strict=True):
            total = total + self.doubles(block).T @ part
        return total

    def at_zero(self, t: int, V: FloatArray | None) -> tuple[Array, Array]:
        """``X'SX V`` and ``X'DX V``, ``S = Gamma o s s'``."""
        v = self.xp.concat([self.own(block) for block in self.blocks], axis=0)
        v = v if V is None else self.projected(V)
        scales = [s for group in self.groups for _, _, s in group.terms][t]
        one = self.xp.ones_like(v[:, 0]) if scales is None else scales
        SV, degree = [self.zero(1, 1)] * len(self.blocks), _degrees(self)
        for i, rows in enumerate(self.blocks):
            for cols in self.blocks:
                S = self.gamma(rows, cols) * one[rows][:, None] * one[cols][None, :]
                SV[i] = SV[i] + in_dtype(S @ v[cols, ...], np.float64)
                degree[i] = degree[i] + _row_sums(S)
        own = [in_dtype(v[block, ...], np.float64) for block in self.blocks]
        DV = [sums[:, None] * part for sums, part in zip(degree, own, strict=True)]
        return self._times_rows(SV), self._times_rows(DV)

    def second_derivatives(self, W: FloatArray) -> list[tuple[FloatArray, ...]]:
        """Moments and grams of every group, as in ``hessian_blocks.py``, on the host.

        All in double precision but the tiles.
        """
        (d, q), w = W.shape, self.projected(W)
        out: list[tuple[FloatArray, ...]] = []
        thin = thin_columns(w)
        for group in self.groups:
            T = self.products(group, w, lambda rows: thin[rows, ...], order=2).SV
            grams, moments = 0.0, []
            for block, T_thin in zip(self.blocks, T, strict=True):
                x, own = self.doubles(block), in_dtype(w[block, ...], np.float64)
                grams = grams + degree_grams(group.pair, x, own, T_thin)
            for a in range(1 + q):
                columns = thin[:, 1 : 1 + q] if a else thin[:, 1 + q :]
                TV = self.products(group, w, self._spread(thin, a), order=2).SV
                moments.append(to_host(self._moments(columns, TV)))
            mirror = moments[0].reshape(-1, d, d).transpose(2, 0, 1).reshape(d, -1)
            out.append((np.concatenate(moments[1:], axis=1), mirror, to_host(grams)))
        return out

    def _spread(self, thin: Array, a: int) -> Columns:
        """``X_a``, rows times a thin column; X itself times the first."""
        return lambda rows: thin[rows, a][:, None] * self.own(rows)

    def _moments(self, thin: Array, TV: list[Array]) -> Array:
        """``X_b' T V`` one below the other, b the thin columns."""
        total = self.zero(1, 1)
        for block, part in zip(self.blocks, TV, strict=True):
            columns = spread(self.doubles(block), in_dtype(thin[block, ...], np.float64))
            total = total + columns.T @ part
        return total


def _degrees(tiles: PairSums) -> list[Array]:
    return [tiles.zero(block.stop - block.start) for block in tiles.blocks]


def _both(tile: Tile) -> float:
    """How many times a tile stands for its pairs."""
    return 1.0 if tile.on_diagonal else 2.0


def _doubles_of_sum(array: Array) -> Array:
    """The sum, in double precision."""
    xp = array_namespace(array)
    return xp.sum(array, dtype=xp.float64)


def _row_sums(S: Array) -> Array:
    xp = array_namespace(S)
    return xp.sum(S, axis=1, dtype=xp.float64)


def _add_sums(degree: list[Array], i: int, j: int, factor: float, S: Array) -> None:
    """Row sums of a tile, and of its mirror image."""
    degree[i] = degree[i] + factor * _row_sums(S)
    if j > i:
        degree[j] = degree[j] + factor * _row_sums(S.T)
