"""A Gamma pair by pair on a device: blocks of it are made there, from what rows have."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._devices import beside

PairTiles = Callable[[slice, slice], Array]
"""``Gamma[rows, cols]`` as an array of the device."""


class GaussianPairs(NamedTuple):
    """``Gamma_ij = factor (K(y_i, y_j) - k_i - k_j + c)``, K Gaussian, of all rows."""

    Y: FloatArray  # (n, m), in units of the bandwidth
    means: FloatArray  # k, (n,)
    mean: float  # c
    factor: float

    def tiles_on(self, like: Array) -> PairTiles:
        """Exact, from ``|y_i - y_j|^2`` column by column: no digit of it cancels."""
        Y, k = beside(self.Y, like), beside(self.means, like)
        xp = array_namespace(Y)

        def tile(rows: slice, cols: slice) -> Array:
            squares = 0.0
            for m in range(Y.shape[1]):
                apart = Y[rows, m][:, None] - Y[cols, m][None, :]
                squares = squares + apart * apart
            K = xp.exp(-0.5 * squares)
            return self.factor * (K - k[rows][:, None] - (k[cols][None, :] - self.mean))

        return tile


def table_tiles(codes: Array, table: FloatArray, like: Array) -> PairTiles:
    """``table[y_i, y_j]``."""
    there, numbers = beside(table, like), beside(codes, like, np.int64)
    xp = array_namespace(there)

    def tile(rows: slice, cols: slice) -> Array:
        return xp.take(xp.take(there, numbers[rows], axis=0), numbers[cols], axis=1)

    return tile


def factor_tiles(U: FloatArray, s: FloatArray, like: Array) -> PairTiles:
    """``sum_k u_ik s_k u_jk``."""
    left, right = beside(U * s, like), beside(U, like)
    return lambda rows, cols: left[rows, ...] @ right[cols, ...].T


def sum_of_tiles(parts: list[PairTiles]) -> PairTiles:
    """Of several terms."""

    def tile(rows: slice, cols: slice) -> Array:
        first, *rest = (part(rows, cols) for part in parts)
        return sum(rest, first)

    return tile
