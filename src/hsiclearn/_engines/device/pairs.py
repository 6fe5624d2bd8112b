"""All pairs in tiles on a device, in any namespace, within a budget of its memory.

A tile is a product of two blocks of rows; blocks (I, J) with J >= I, the other half by symmetry.
Tiles of few rows are in double precision, of many in that of the rows; sums are in double; what
crosses to the host are sums of d x d numbers or fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, final

import numpy as np

from ..._arrays import FloatArray
from ..._devices import beside, in_dtype, to_host, within_memory
from ..._result import EngineError
from ..._rows import AbstractRows, DeviceRows, projected_covariance
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel
from .._base import AbstractEngine
from .._tile import group_by_pair
from ..hessian_blocks import Moments, assemble
from ..linear.scales import has_scales
from .pair_sums import PairSums

R = TypeVar("R")

_ARRAYS = 6  # of a tile at once
_SMALLEST, _LARGEST = 64, 8192  # rows of a tile
_IN_DOUBLE = 20_000  # rows, as on the host; of more, tiles are in the precision of the rows
_MOST_WITH_SCALES = 5000  # rows that come to the host, where each looks for its neighbours
_NOISE = 6e-8  # of the total, in single precision


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
        groups = group_by_pair(kernel, _for_scales(X, kernel), gamma.row_weights)
        self._groups = tuple(group.beside(self._like) for group in groups)
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

    def _sum(self, ask: Callable[[PairSums], R]) -> R:
        """What tiles answer; of half the size where the device has no memory for them."""
        rows, gamma, groups = self._rows, self._tiles_of_gamma, self._groups
        return within_memory(
            lambda size: ask(PairSums(rows, gamma, groups, size, self._like)),
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
