"""Products at W = 0, where the kernel is constant and one feature, the row scale, is all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._arrays import Array, FloatArray
from .tiles import RowTile, RowTiles


def forms_at_zero(tiles: RowTiles, t: int) -> tuple[FloatArray, FloatArray]:
    """``X'SX`` and ``X'DX`` for ``S = Gamma`` times the scales of term t."""
    d, factor = tiles.rows.n_features, tiles.factor
    no_W = np.zeros((d, 1))

    def sum_up(some: Iterator[RowTile]) -> FloatArray:
        sums = np.zeros((factor.n_slots, 1, d + 1))
        for tile in some:
            tile.gather(sums[:, :, :d], _scale(tile, t), tile.x)
            tile.gather(sums[:, :, d:], _scale(tile, t), tile.ones())
        return sums

    A = np.zeros((factor.n_slots, 1, d + 1))
    for part in tiles.visit(no_W, [], sum_up):
        A += part
    B = np.tensordot(factor.roots, A, (0, 0))[:, 0]  # (rank, d + 1)
    core = (factor.roots * factor.signs) @ B[:, d]

    def grams(some: Iterator[RowTile]) -> FloatArray:
        parts = ((tile, tile.scatter(_scale(tile, t), core[:, None, None])) for tile in some)
        return sum((tile.gram(D[:, 0]) for tile, D in parts), np.zeros((d, d)))

    XDX = np.zeros((d, d))
    if np.any(np.abs(core) > 1e-12 * np.abs(A).max()):  # a centred Gamma has no degrees
        for part in tiles.visit(no_W, [], grams):
            XDX += part
    return (B[:, :d].T * factor.signs) @ B[:, :d], XDX


def products_at_zero(tiles: RowTiles, t: int, V: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``X'SX V`` and ``X'DX V``, ``S = Gamma o s s'``, s the row scales of term t, D its sums.

    Two passes over the rows, as for any other W: ``sum_i E_ik s_i [x_i'V, 1]`` first.
    """
    rows, (d, k) = tiles.rows, V.shape
    weights = _spread_sums(tiles, t, V)

    def products(some: Iterator[RowTile]) -> FloatArray:
        out = np.zeros((d, 2 * k))
        for tile in some:
            values = tile.scatter(_scale(tile, t), weights)
            both = np.concatenate([values[:, :k], values[:, k:] * tile.w], axis=1)
            out += rows.transposed(tile.x, both)
        return out

    total = np.zeros((d, 2 * k))
    for part in tiles.visit(V, [], products):
        total += part
    return total[:, :k], total[:, k:]


def _spread_sums(tiles: RowTiles, t: int, V: FloatArray) -> FloatArray:
    """``sum_l core_kl sum_i E_il s_i [x_i'V, 1]``, (slots, 1, k + 1)."""
    factor, k = tiles.factor, V.shape[1]

    def sum_up(some: Iterator[RowTile]) -> FloatArray:
        sums = np.zeros((factor.n_slots, 1, k + 1))
        for tile in some:
            tile.gather(sums, _scale(tile, t), np.concatenate([tile.w, tile.ones()], axis=1))
        return sums

    A = np.zeros((factor.n_slots, 1, k + 1))
    for part in tiles.visit(V, [], sum_up):
        A += part
    core = factor.roots * factor.signs
    weights: FloatArray = np.tensordot(core @ factor.roots.T, A, (1, 0))
    rounding = 1e-12 * np.abs(core) @ np.abs(factor.roots.T) @ np.abs(A[:, 0, k])
    if np.all(np.abs(weights[:, 0, k]) <= rounding):  # a centred Gamma has no degrees
        weights[:, 0, k] = 0.0
    return weights


def _scale(tile: RowTile, t: int) -> Array:
    s = tile.scales[t]
    return tile.ones() if s is None else s[:, None].astype(tile.w.dtype)
