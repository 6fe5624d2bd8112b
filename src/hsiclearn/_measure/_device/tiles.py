"""Sums over all pairs of rows on a device: tiles of the symmetric half, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import beside, to_host, within_memory
from ..._rows import batches
from ..sums import BlockValues, CenteredSums, order_in_blocks
from .numbers import double_sum, double_sums
from .sides import DeviceSide

_COPIES = 12  # of a tile, with temporary ones of either side
_FEWEST, _MOST = 256, 8192  # rows of a tile: more than that keeps no device busier
_TYPICAL = 200  # rows that tell the typical kernel value


class Marginals(NamedTuple):
    """Of either side, on the device: row sums of ``K - shift``, and the diagonal of ``HKH``.

    Where rows have weights, so has what is summed.
    """

    shifts: tuple[float, float]
    row_sums: tuple[Array, Array]
    diagonals: tuple[Array, Array]


Columns = list[tuple[slice, float]]
"""Tiles beside a block of rows, with their weights: 1 on the diagonal, else 2."""


def in_tiles(n: int, size: int) -> Iterator[tuple[slice, Columns]]:
    """Blocks of at most ``size`` of n rows, in even shares, each with the columns from there on."""
    cut = list(batches(n, -(-n // -(-n // size))))
    for i, rows in enumerate(cut):
        yield rows, [(cols, 1.0 if cols == rows else 2.0) for cols in cut[i:]]


def tile_rows(side: DeviceSide) -> int:
    """How many rows a tile may have."""
    numbers = side.budget // (8 * _COPIES)
    return int(np.clip(isqrt(max(numbers, 1)), _FEWEST, _MOST))


def shift_of(side: DeviceSide) -> float:
    """A typical value: centring removes it anyway, and digits are not lost to it."""
    some = np.unique(np.linspace(0, side.n_samples - 1, _TYPICAL).astype(np.int64))
    part = side.chosen(beside(some, side.like, np.int64))
    return float(to_host(double_sum(side.block(part, part)))) / some.size**2


def sums_on_device(x: DeviceSide, y: DeviceSide) -> tuple[CenteredSums, Marginals]:
    r"""One pass over the symmetric half of the pairs, as :func:`~.sums.sums_in_tiles` makes it.

    What comes to the host is some numbers.
    """
    return within_memory(lambda size: _sums(x, y, size), tile_rows(x), _FEWEST)


def _sums(x: DeviceSide, y: DeviceSide, size: int) -> tuple[CenteredSums, Marginals]:
    xp, n, v = array_namespace(x.like), x.total, x.weights_there()
    sides, shifts = (x, y), (shift_of(x), shift_of(y))
    tiles = list(in_tiles(x.n_samples, size))
    products: list[Array] = []
    row_sums: list[list[Array]] = [[0.0] * len(tiles) for _ in sides]
    diagonals: list[list[Array]] = [[] for _ in sides]
    for i, (rows, columns) in enumerate(tiles):
        for j, (cols, weight) in enumerate(columns, start=i):
            K, L = (side.tile(rows, cols) - s for side, s in zip(sides, shifts, strict=True))
            left, right = (None, None) if v is None else (v[rows], v[cols])
            both = None if v is None else (left, right)
            found = [double_sum(a * b, both) for a, b in ((K, K), (K, L), (L, L))]
            products.append(weight * xp.stack(found))
            for k, tile in enumerate((K, L)):
                row_sums[k][i] = row_sums[k][i] + double_sums(tile, 1, right)
                if j > i:
                    row_sums[k][j] = row_sums[k][j] + double_sums(tile, 0, left)
                else:
                    diagonals[k].append(xp.astype(xp.linalg.diagonal(tile), xp.float64))
    k = xp.stack([xp.concat(parts) for parts in row_sums])
    d = xp.stack([xp.concat(parts) for parts in diagonals])
    counted = k if v is None else k * v
    total, kk = xp.sum(counted, axis=1), counted @ k.T
    d = d - 2.0 / n * k + total[:, None] / n**2
    counted = d if v is None else d * v
    traces, dd = xp.sum(counted, axis=1), counted @ d.T
    numbers = [xp.sum(xp.stack(products), axis=0), total, kk, traces, dd]
    found = to_host(xp.concat([xp.reshape(part, (-1,)) for part in numbers]))
    xx, xy, yy = found[:3]
    grand, kk, traces = found[3:5], found[5:9].reshape(2, 2), found[9:11]
    products_2 = np.array([[xx, xy], [xy, yy]])
    centred = products_2 - 2.0 / n * kk + np.outer(grand, grand) / n**2
    sums = CenteredSums(n, centred, traces, found[11:].reshape(2, 2))
    return sums, Marginals(shifts, (k[0, :], k[1, :]), (d[0, :], d[1, :]))


def blocks_on_device(
    x: DeviceSide, y: DeviceSide, block_size: int, rng: np.random.Generator
) -> BlockValues:
    """Rows in the order that they would have on the host, cut into blocks."""
    order = order_in_blocks(x.n_samples, block_size, rng)
    return BlockValues(
        np.array([sums_on_device(x.take(i), y.take(i))[0].hsic("unbiased") for i in order])
    )
