"""Passes over the rows in tiles: which rows, their projections, and their part of Gamma."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import iadd
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import Placed, beside, in_dtype, is_foreign, to_host, zeros_beside
from ..._rows import AbstractRows, Block, weighted_gram
from ...gamma import FactorPart, PiecesPart, RowFactor
from .._tile import Workspace
from ..features import Features

_TILE_VALUES = 2**17  # features of a tile of rows: what a core's cache holds

_HOST = np.zeros(0)

R = TypeVar("R")


@dataclass(frozen=True)
class RowTile:
    """Some rows: where they stand in the table, the projected rows and their scales.

    ``chunk`` holds the rows themselves, in the order of the table, this tile those at ``chosen``.
    All arrays are where the rows are. On a device some rows only fill up the tile: no slot of Gamma
    has a share of them.
    """

    rows: AbstractRows
    start: int
    chunk: Block
    chosen: Array | slice
    w: Array
    scales: Sequence[Array | None]
    part: FactorPart
    place: slice
    workspace: Workspace

    @property
    def index(self) -> Array:
        """Where the rows stand in the table."""
        chosen = self.chosen
        return (np.r_[chosen] if isinstance(chosen, slice) else chosen) + self.start

    @cached_property
    def x(self) -> Block:
        """The rows: copied only where they are asked for."""
        if is_foreign(self.chunk):
            return array_namespace(self.w).astype(self._taken, self.w.dtype, copy=False)
        return self.chunk[self.chosen].astype(self.w.dtype, copy=False)

    @cached_property
    def _taken(self) -> Array:
        """The rows as they are on a device."""
        return array_namespace(self.chunk).take(self.chunk, self.chosen, axis=0)

    def without_filling(self, values: Array) -> tuple[Array, Array]:
        """Where the rows stand in the table, and values of each, on the host."""
        index, values = to_host(self.index), to_host(values)
        if not isinstance(self.part, PiecesPart):
            return index, values
        is_row = self.part.is_row(self.place)
        return index[is_row], values[is_row]

    def values(self, t: int, features: Features) -> Array:
        """The features of term t, in memory that the next tile uses again."""
        return features.values(self.w, self.scales[t], self.workspace[t])

    def gather(self, out: Array, C: Array, V: Block) -> None:
        """Add ``sum_i E_ik c_i v_i'``."""
        self.part.gather(out, self.place, C, V)

    def scatter(self, C: Array, T: Array) -> Array:
        """``sum_k E_ik c_i' T_k``."""
        return self.part.scatter(self.place, C, T)

    def ones(self) -> Array:
        """A column of ones."""
        return array_namespace(self.w).ones_like(self.w[:, :1])

    def dense_x(self) -> Array:
        """The rows as a dense array."""
        is_dense = isinstance(self.x, np.ndarray) or is_foreign(self.x)
        return self.x if is_dense else self.x.toarray()

    def project(self, V: Array) -> Array:
        """``x V``."""
        return self.rows.project(self._taken if is_foreign(self.chunk) else self.x, V)

    def transposed(self, V: Array) -> Array:
        """``sum_i x_i v_i'``."""
        return self.rows.transposed_there(self.x, V)

    def gram(self, weights: Array) -> Array:
        """``x' diag(weights) x``."""
        if is_foreign(self.x):
            x = in_dtype(self.x, np.float64)
            return x.T @ (weights[:, None] * x)
        return weighted_gram(self.x, weights)


class RowTiles:
    """The rows of a table with a Gamma, cut into chunks for threads and tiles for caches."""

    def __init__(
        self, rows: AbstractRows, factor: RowFactor, scales: Sequence[FloatArray | None]
    ) -> None:
        self.rows, self.factor, self.scales = rows, factor, scales

    def frame(self, V: FloatArray) -> Array:
        """What rows are projected on, on a device once a pass and not in every chunk."""
        there = self.rows.on_device
        return V if there is None else beside(V, there.like, self.rows.dtype)

    @property
    def like(self) -> Array:
        """An array where the rows are made use of."""
        there = self.rows.on_device
        return _HOST if there is None else there.like

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
        width: int = 1,
        name: str = "sum",
    ) -> R:
        """Merge what a task answers on the tiles of every chunk: see ``AbstractRows.fold``.

        Tiles come in ``dtype``, or else in that of the rows. ``width`` numbers beside the features
        are made of a row, which counts on a device.
        """
        dtype = self.rows.dtype if dtype is None else dtype
        widest = max((f.size for f in features), default=1)
        if (there := self.rows.on_device) is not None:
            frame = self.frame(W)

            def on_device(rows: slice, block: Block) -> R:
                part = self.factor.part_beside(rows, block)
                size = there.rows_within(_numbers(widest, width, part))
                return task(part, self._cut_there(frame, rows, block, part, size, dtype))

            return self.rows.fold(on_device, merge, start=start, finish=finish, name=name)
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
            yield RowTile(self.rows, rows.start, block, chosen, w[tile], scales, part, tile, memory)

    def _cut_there(
        self,
        W: Array,
        rows: slice,
        block: Array,
        part: PiecesPart,
        size: int,
        dtype: DTypeLike,
    ) -> Iterator[RowTile]:
        """The same on a device: whole pieces, and fresh arrays."""
        w, xp, fresh = self.rows.project(block, W), array_namespace(block), Workspace()
        for tile in part.tiles(size):
            chosen = part.index[tile]
            some = in_dtype(xp.take(w, chosen, axis=0), dtype)
            scales = [
                None if s is None else xp.take(s.beside(some, np.float64)[rows], chosen)
                for s in self._placed_scales
            ]
            yield RowTile(self.rows, rows.start, block, chosen, some, scales, part, tile, fresh)

    @cached_property
    def _placed_scales(self) -> list[Placed | None]:
        return [None if s is None else Placed(s) for s in self.scales]


def _numbers(D: int, width: int, part: PiecesPart) -> int:
    """Made of a row at a time: features, what they are multiplied with, and sums of pieces."""
    written, pieces = part.width * min(D, width), part.width * D * width // part.length
    return 4 * D + 4 * width + 2 * written + 3 * pieces


Gathered = tuple[Array, list[Array]]
"""Sums for some slots: which these are, ascending, and arrays with a row for each."""


def no_sums(n_slots: int, shapes: Sequence[tuple[int, ...]], there: Array = _HOST) -> Gathered:
    """Zeros for every slot, where an array is."""
    return np.arange(n_slots), [zeros_beside((n_slots, *shape), there) for shape in shapes]


def add_gathered(total: Gathered, part: Gathered) -> Gathered:
    """``total += part``, neighbouring slots at once: no copy of either."""
    slots = part[0]
    if is_foreign(total[1][0]):  # of all slots there
        for k, more in enumerate(part[1]):
            total[1][k] += more
        return total
    cuts = [0, *(np.flatnonzero(np.diff(slots) != 1) + 1).tolist(), slots.size]
    for so_far, more in zip(total[1], part[1], strict=True):
        for i, j in pairwise(cuts):
            so_far[slots[i] : slots[i] + j - i] += more[i:j]
    return total
