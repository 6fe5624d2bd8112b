"""Sums over pairs at W = 0, where a kernel is constant: nothing but Gamma and X."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, to_host, zeros_beside
from ...gamma import FactorPart
from .tiles import Gathered, RowTile, RowTiles, add_gathered, no_sums


def products_at_zero(
    tiles: RowTiles, t: int, V: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """``X'SX V`` and ``X'DX V`` at W = 0, where one feature, the row scale of term t, is all.

    ``S = Gamma o s s'``, D its row sums; without V, V = I. Two passes over the rows as for any
    other W, ``sum_i E_ik s_i [x_i'V, 1]`` first; without V the first is enough for ``X'SX``.
    """
    rows, factor, d = tiles.rows, tiles.factor, tiles.rows.width
    k, W = (d, np.zeros((rows.n_features, 1))) if V is None else (V.shape[1], V)

    def scale(tile: RowTile) -> Array:
        s = tile.scales[t]
        if s is None:
            return tile.ones()
        return array_namespace(s).astype(s[:, None], tile.w.dtype)

    shapes, there = [(1, k + 1)], tiles.like

    def sum_up(part: FactorPart, some: Iterator[RowTile]) -> Gathered:
        slots, [sums] = part.slots, no_sums(part.slots.size, shapes, there)[1]
        for tile in some:
            tile.gather(sums[:, :, :k], scale(tile), tile.x if V is None else tile.w)
            tile.gather(sums[:, :, k:], scale(tile), tile.ones())
        return slots, [sums]

    start = partial(no_sums, factor.n_slots, shapes, there)

    def to_numpy(total: Gathered) -> Gathered:
        return total[0], [to_host(sums) for sums in total[1]]

    _, [A] = tiles.fold(
        W, [], sum_up, add_gathered, start=start, finish=to_numpy, width=k, name="gather"
    )
    B = np.tensordot(factor.roots, A, (0, 0))  # (rank, 1, k + 1)
    core = factor.roots * factor.signs
    T: FloatArray = np.tensordot(core, B, (1, 0))
    rounding = 1e-12 * np.abs(core) @ (np.abs(factor.roots.T) @ np.abs(A[:, 0, k]))
    has_degrees = bool(np.any(np.abs(T[:, 0, k]) > rounding))  # a centred Gamma has none

    placed = beside(T, there, np.float64)

    def grams(_: FactorPart, some: Iterator[RowTile]) -> Array:
        degrees = ((tile, tile.scatter(scale(tile), placed[:, :, k:])) for tile in some)
        return sum((tile.gram(D[:, 0]) for tile, D in degrees), zeros_beside((d, d), there))

    def products(_: FactorPart, some: Iterator[RowTile]) -> Array:
        out = zeros_beside((rows.n_features, 2 * k), there)
        for tile in some:
            values = tile.scatter(scale(tile), placed)
            xp, w = array_namespace(values), in_dtype(tile.w, np.float64)
            both = xp.concat([values[:, :k], float(has_degrees) * values[:, k:] * w], axis=1)
            out += tile.transposed(both)
        return out

    scatter = partial(tiles.fold, finish=to_host, width=2 * k, name="scatter")
    if V is not None:
        total = scatter(V, [], products)
        return total[:, :k], total[:, k:]
    XDX = scatter(W, [], grams) if has_degrees else np.zeros((d, d))
    XSX = (B[:, 0, :d].T * factor.signs) @ B[:, 0, :d]
    return rows.whole_sum(XSX), rows.whole_sum(XDX)
