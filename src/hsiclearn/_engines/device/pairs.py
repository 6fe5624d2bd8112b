"""All pairs in tiles on a device, in any namespace: exact, within a budget of its memory.

A tile is a product of two blocks of rows; blocks (I, J) with J >= I, the other half by symmetry.
Tiles are in the precision of the rows, sums of them in double precision, on the device; what
crosses to the host are sums of d x d numbers or fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar, final

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, to_host, within_memory
from ..._result import EngineError
from ..._rows import AbstractRows, DeviceRows, projected_covariance
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel, Pair
from .._base import AbstractEngine
from .._tile import Group, Tile, Workspace, group_by_pair
from ..hessian_blocks import Moments, assemble, degree_grams, spread, thin_columns
from ..linear.scales import has_scales

R = TypeVar("R")

_ARRAYS = 6  # of a tile at once
_SMALLEST, _LARGEST = 64, 8192  # rows of a tile
_IN_DOUBLE = 20_000  # rows, as on the host; of more, tiles are in the precision of the rows
_MOST_WITH_SCALES = 5000  # rows that come to the host, where each looks for its neighbours
_NOISE = 6e-8  # of the total, in single precision

Columns = Callable[[slice], Array]
"""Columns of some rows, on the device."""


class Products(NamedTuple):
    """The total, ``S V`` and the row sums of S, block by block of rows."""

    total: Array
    SV: list[Array]
    degree: list[Array]


@final
class DevicePairs(AbstractEngine):
    """Tiles of the symmetric half of the pairs, one after the other; the device has its threads.

    ``tile_size`` are rows, by default as many as the budget of the rows' device holds. Where an
    allocation fails, a sum begins anew with half of that.
    """

    name = "tiled"
    is_linear = True  # of rows that are not on the host
    is_pairwise = True

    def __init__(
        self,
        X: AbstractRows,
        gamma: AbstractGamma,
        kernel: AbstractKernel,
        *,
        tile_size: int | None = None,
    ) -> None:
        super().__init__(X, gamma, kernel)
        self._rows = X
        device = _device_of(X)
        is_double = X.dtype == np.float64 or X.n_samples <= _IN_DOUBLE
        self._dtype = np.dtype(np.float64 if is_double else np.float32)
        self._like = in_dtype(device.like, self._dtype)
        self._tiles_of_gamma = gamma.tiles_on(self._like)
        self._groups = tuple(
            group.beside(self._like) for group in group_by_pair(kernel, _for_scales(X, kernel))
        )
        fitting = int((device.budget / _ARRAYS / self._dtype.itemsize) ** 0.5)
        self.tile_size = tile_size or int(np.clip(fitting, _SMALLEST, _LARGEST))

    @property
    def noise(self) -> float:  # type: ignore[override]
        """Rounding of tiles, of which sums have less: measured along a line, five times that."""
        return _NOISE if self._is_single else 0.0

    @property
    def _is_single(self) -> bool:
        return self._dtype == np.float32

    def error(self, W: FloatArray, norm: float) -> EngineError:
        """Exact but for rounding, which counts in single precision only; that is an estimate.

        A squared distance is a difference of numbers of the size of ``|w|^2``, in units of the
        kernel.
        """
        if not self._is_single:
            return EngineError()
        mean = np.zeros(self._rows.n_features)
        size = float(np.trace(projected_covariance(self._rows, W, mean)))
        units = [kernel.scale for _, kernel in self.kernel.terms if kernel.scale is not None]
        far = size / min(units) ** 2 if units else 1.0
        return EngineError(float(np.finfo(np.float32).eps) * max(1.0, far), guaranteed=False)

    def refined(self, W: FloatArray, factor: float) -> AbstractEngine | None:
        """Tiles in double precision, where they were not."""
        if not self._is_single:
            return None
        doubles = DeviceRows(in_dtype(self._rows.at(slice(0, self._rows.n_samples)), np.float64))
        return DevicePairs(doubles, self.gamma, self.kernel)

    def total(self, W: FloatArray) -> float:
        return float(self._sum(lambda tiles: tiles.total(W)))

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        total, matrix = self._sum(lambda tiles: tiles.contract(W))
        return float(total), to_host(matrix)

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        V_there = beside(V, self._like)
        parts = self._sum(lambda tiles: tiles.applied(W, lambda rows: V_there[rows, ...], Z))
        return np.concatenate([to_host(part) for part in parts]).astype(np.float64)

    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        return self.total_and_product(W, V, Z)[1]

    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        return self.total_and_product(W, W, None)

    def total_and_product(
        self, W: FloatArray, V: FloatArray, Z: FloatArray | None
    ) -> tuple[float, FloatArray]:
        """The total, or 0 with Z, and ``X' c L(S) X V``."""
        total, product = self._sum(lambda tiles: tiles.product(W, V, Z))
        return float(total), to_host(product)

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        q = W.shape[1]
        parts = self._sum(lambda tiles: tiles.second_derivatives(W))
        pairs = (group.pair for group in self._groups)
        M = [
            assemble(pair, Moments(*found[:2]), found[2], q)
            for pair, found in zip(pairs, parts, strict=True)
        ]
        return np.sum(M, axis=0)

    def at_zero(self, t: int, V: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        XSX, XDX = self._sum(lambda tiles: tiles.at_zero(t, V))
        return to_host(XSX), to_host(XDX)

    def _sum(self, ask: Callable[[_Tiles], R]) -> R:
        """What tiles answer; of half the size where the device has no memory for them."""
        rows, gamma, groups = self._rows, self._tiles_of_gamma, self._groups
        return within_memory(
            lambda size: ask(_Tiles(rows, gamma, groups, size, self._like)),
            self.tile_size,
            _SMALLEST,
        )


def _device_of(rows: AbstractRows) -> DeviceRows:
    if rows.on_device is None:
        raise ValueError(f"Rows must be an array on a device. Got {rows!r}.")
    return rows.on_device


def _for_scales(rows: AbstractRows, kernel: AbstractKernel) -> FloatArray:
    """All rows where a kernel has scales of its own for each, else none."""
    if not has_scales(kernel):
        return np.zeros((0, rows.n_features))
    if rows.n_samples > _MOST_WITH_SCALES:
        raise ValueError(
            "Scales of rows are found on the host, among all of them, and at most "
            f"{_MOST_WITH_SCALES} rows of a device come there. Got {rows.n_samples} and {kernel!r}:"
            " use another kernel, such as 'gaussian', or pass X as an ndarray."
        )
    return rows.take(np.arange(rows.n_samples))


class _Tiles:
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


def _degrees(tiles: _Tiles) -> list[Array]:
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
