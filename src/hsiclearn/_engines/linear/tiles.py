"""Passes over the rows in tiles: which rows, their projections, and their part of Gamma."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from operator import iadd
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike

from ..._arrays import Array, FloatArray
from ..._rows import AbstractRows, Block, weighted_gram
from ...gamma import FactorPart, RowFactor
from .._tile import Workspace
from ..features import Features

_TILE_VALUES = 2**17  # features of a tile of rows: what a core's cache holds

R = TypeVar("R")


@dataclass(frozen=True)
class RowTile:
    """Some rows: where they stand in the table, the projected rows and their scales.

    ``chunk`` holds the rows themselves, in the order of the table, this tile those at ``chosen``.
    """

    start: int
    chunk: Block
    chosen: Array | slice
    w: Array
    scales: Sequence[FloatArray | None]
    part: FactorPart
    place: slice
    workspace: Workspace

    @property
    def index(self) -> Array:
        """Where the rows stand in the table."""
        chosen = self.chosen
        return self.start + (np.r_[chosen] if isinstance(chosen, slice) else chosen)

    @cached_property
    def x(self) -> Block:
        """The rows: copied only where they are asked for."""
        return self.chunk[self.chosen].astype(self.w.dtype, copy=False)

    def values(self, t: int, features: Features) -> Array:
        """The features of term t, in memory that the next tile uses again."""
        return features.values(self.w, self.scales[t], self.workspace[t])

    def gather(self, out: FloatArray, C: Array, V: Block) -> None:
        """Add ``sum_i E_ik c_i v_i'``."""
        self.part.gather(out, self.place, C, V)

    def scatter(self, C: Array, T: FloatArray) -> FloatArray:
        """``sum_k E_ik c_i' T_k``."""
        return self.part.scatter(self.place, C, T)

    def ones(self) -> Array:
        """A column of ones."""
        return np.ones((self.w.shape[0], 1), dtype=self.w.dtype)

    def dense_x(self) -> Array:
        """The rows as an ndarray."""
        return self.x if isinstance(self.x, np.ndarray) else self.x.toarray()

    def gram(self, weights: FloatArray) -> FloatArray:
        """``x' diag(weights) x``."""
        return weighted_gram(self.x, weights)


class RowTiles:
    """The rows of a table with a Gamma, cut into chunks for threads and tiles for caches."""

    def __init__(
        self, rows: AbstractRows, factor: RowFactor, scales: Sequence[FloatArray | None]
    ) -> None:
        self.rows, self.factor, self.scales = rows, factor, scales

    def fold(
        self,
        W: FloatArray,
        features: Sequence[Features],
        task: Callable[[FactorPart, Iterator[RowTile]], R],
        merge: Callable[[R, R], R] = iadd,
        *,
        dtype: DTypeLike | None = None,
        start: Callable[[], R] | None = None,
        finish: Callable[[R], R] | None = None,
        name: str = "sum",
    ) -> R:
        """Merge what a task answers on the tiles of every chunk: see ``AbstractRows.fold``.

        Tiles come in ``dtype``, or else in that of the rows.
        """
        dtype = self.rows.dtype if dtype is None else dtype
        widest = max((f.size for f in features), default=1)
        size = int(np.clip(_TILE_VALUES // max(widest, 1), 128, 2048))

        def run(rows: slice, block: Block) -> R:
            part, memory = self.factor.part(rows), Workspace(size * widest, dtype)
            return task(part, self._cut(W, rows, block, part, size, memory, dtype))

        row_bytes = self.rows.n_features * np.dtype(self.rows.dtype).itemsize
        tiles = max(1, self.factor.chunk_bytes // (size * row_bytes))
        return self.rows.fold(run, merge, size=tiles * size, start=start, finish=finish, name=name)

    def _cut(
        self,
        W: FloatArray,
        rows: slice,
        block: Block,
        part: FactorPart,
        size: int,
        memory: Workspace,
        dtype: DTypeLike,
    ) -> Iterator[RowTile]:
        w = self.rows.project(block, W).astype(dtype, copy=False)
        if part.order is not None:
            w = w[part.order]
        for start in range(0, w.shape[0], size):
            tile = slice(start, min(start + size, w.shape[0]))
            chosen = tile if part.order is None else part.order[tile]
            scales = [None if s is None else s[rows][chosen] for s in self.scales]
            yield RowTile(rows.start, block, chosen, w[tile], scales, part, tile, memory)


Gathered = tuple[Array, list[FloatArray]]
"""Sums for some slots: which these are, ascending, and arrays with a row for each."""


def no_sums(n_slots: int, shapes: Sequence[tuple[int, ...]]) -> Gathered:
    """Zeros for every slot."""
    return np.arange(n_slots), [np.zeros((n_slots, *shape)) for shape in shapes]


def add_gathered(total: Gathered, part: Gathered) -> Gathered:
    """``total += part``, neighbouring slots at once: no copy of either."""
    slots = part[0]
    cuts = [0, *(np.flatnonzero(np.diff(slots) != 1) + 1).tolist(), slots.size]
    for so_far, more in zip(total[1], part[1], strict=True):
        for i, j in pairwise(cuts):
            so_far[slots[i] : slots[i] + j - i] += more[i:j]
    return total


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
        return tile.ones() if s is None else s[:, None].astype(tile.w.dtype)

    shapes, width = [(1, k + 1)], factor.n_slots

    def sum_up(part: FactorPart, some: Iterator[RowTile]) -> Gathered:
        slots, [sums] = part.slots, no_sums(part.slots.size, shapes)[1]
        for tile in some:
            tile.gather(sums[:, :, :k], scale(tile), tile.x if V is None else tile.w)
            tile.gather(sums[:, :, k:], scale(tile), tile.ones())
        return slots, [sums]

    start = partial(no_sums, width, shapes)
    _, [A] = tiles.fold(W, [], sum_up, add_gathered, start=start, name="gather")
    B = np.tensordot(factor.roots, A, (0, 0))  # (rank, 1, k + 1)
    core = factor.roots * factor.signs
    T: FloatArray = np.tensordot(core, B, (1, 0))
    rounding = 1e-12 * np.abs(core) @ (np.abs(factor.roots.T) @ np.abs(A[:, 0, k]))
    has_degrees = bool(np.any(np.abs(T[:, 0, k]) > rounding))  # a centred Gamma has none

    def grams(_: FactorPart, some: Iterator[RowTile]) -> FloatArray:
        degrees = ((tile, tile.scatter(scale(tile), T[:, :, k:])) for tile in some)
        return sum((tile.gram(D[:, 0]) for tile, D in degrees), np.zeros((d, d)))

    def products(_: FactorPart, some: Iterator[RowTile]) -> FloatArray:
        out = np.zeros((rows.n_features, 2 * k))
        for tile in some:
            values = tile.scatter(scale(tile), T)
            both = np.concatenate([values[:, :k], has_degrees * values[:, k:] * tile.w], axis=1)
            out += rows.transposed(tile.x, both)
        return out

    if V is not None:
        total = tiles.fold(V, [], products, name="scatter")
        return total[:, :k], total[:, k:]
    XDX = tiles.fold(W, [], grams, name="scatter") if has_degrees else np.zeros((d, d))
    XSX = (B[:, 0, :d].T * factor.signs) @ B[:, 0, :d]
    return rows.whole_sum(XSX), rows.whole_sum(XDX)
