"""Rows of E beside a chunk of rows on a device: in pieces of equal length, of one cell each.

A device works best on few, large, regular products. So the rows of a chunk are put in order by cell
(a class, for classes), those of each cell filled up to a multiple of the length of a piece: then
sums over the rows of every piece are one product of batches, however many cells there are. What is
filled up has no share in any slot, and adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, final

import numpy as np

from .._arrays import Array, array_namespace
from .._devices import beside, in_dtype
from .factor_part import FactorPart

_LONGEST, _SHORTEST = 2048, 8  # rows of a piece; of more, sums in single precision lose digits
_SMALL = 2**22  # numbers
_FILLED = 1.25  # times the rows, at most


class Layout(NamedTuple):
    """Which rows of a chunk stand where."""

    length: int  # of a piece
    index: Array  # (pieces * length,); of what is filled up, the first row
    is_row: Array  # (pieces * length,), False of what is filled up
    cells: Array  # (pieces,), ascending


def in_pieces(cells: Array | None, n: int) -> Layout:
    """Rows of these cells, or of one, in the longest pieces that leave little to be filled up."""
    if cells is None:
        order, present, counts = np.arange(n), np.zeros(1, dtype=np.intp), np.array([n])
    else:
        order = np.argsort(cells, kind="stable")
        counts = np.bincount(cells)
        present = np.flatnonzero(counts)
        counts = counts[present]
    length = _LONGEST
    while length > _SHORTEST and length * np.sum(-(-counts // length)) > _FILLED * n:
        length //= 2
    pieces = -(-counts // length)
    ends = np.cumsum(pieces * length)
    to = np.arange(n) + np.repeat(ends - pieces * length - (np.cumsum(counts) - counts), counts)
    index, is_row = np.zeros(ends[-1], dtype=np.int32), np.zeros(ends[-1], dtype=bool)
    index[to], is_row[to] = order, True
    return Layout(length, index, is_row, np.repeat(present, pieces))


@final
class PiecesPart(FactorPart):
    """The rows of E that belong to one chunk on a device.

    Parameters
    ----------
    rows : slice
        Where the chunk stands in the table.
    block : array
        The chunk.
    cells : array (n,) or None
        Of its rows; None if they are all of one.
    first : array (n_cells + 1,)
        The slots of cell c are ``first[c] : first[c + 1]``.
    known : array (n, k) or None
        What shares of rows are made of, by ``make``, or these shares themselves; None means that
        rows are all of the one slot of their cell.
    make : callable or None
        Turns some rows of ``known``, on the device, into their shares.
    is_kept : bool
        Whether it is asked once, and not in every pass.
    sizes : callable
        ``sizes(part, tile, shares)`` are the ``a_i`` of a tile of rows.
    """

    def __init__(
        self,
        rows: slice,
        block: Array,
        cells: Array | None,
        first: Array,
        sizes: Callable[[PiecesPart, slice, Array], Array],
        known: Array | None = None,
        make: Callable[[Array], Array] | None = None,
        *,
        is_kept: bool = False,
    ) -> None:
        layout = in_pieces(cells, block.shape[0])
        self.rows = rows
        self.length, self._layout, self._sizes, self._make = layout.length, layout, sizes, make
        self.index = self.order = beside(layout.index, block, np.int32)
        self._is_row = beside(layout.is_row[:, None], block)
        self._known = None
        if known is not None:
            placed = beside(known, block, known.dtype)
            self._known = array_namespace(block).take(placed, self.index, axis=0)
        if is_kept and make is not None:
            self._known, self._make = make(self._known), None
        self._weights: Array | None = None
        self.n_slots, self.is_one_cell = int(first[-1]), first.size == 2
        self.slots = np.arange(self.n_slots)
        widths = np.diff(first)
        self._width = int(widths.max())  # shares of a row
        # Where the pieces with rows of a slot begin and end, and its number within its cell.
        of = np.repeat(np.arange(widths.size), widths)
        self._starts = beside(np.searchsorted(layout.cells, of, side="left"), block, np.int64)
        self._ends = beside(np.searchsorted(layout.cells, of, side="right"), block, np.int64)
        self._number = beside(self.slots - first[of], block, np.int64)
        last = first[layout.cells + 1] - 1  # beyond it, a share of 0
        own = first[layout.cells][:, None] + np.arange(self._width)
        self._slots_of_pieces = beside(np.minimum(own, last[:, None]).ravel(), block, np.int64)

    def weigh_by(self, weights: Array, block: Array) -> None:
        """Rows stand so many times from here on."""
        placed = beside(weights, block, np.float64)
        self._weights = array_namespace(block).take(placed, self.index, axis=0)[:, None]

    def _weighted(self, tile: slice, values: Array) -> Array:
        """Values of a tile of rows, as often as these stand there."""
        if self._weights is None:
            return values
        weights = self._weights[tile, ...]
        return values * array_namespace(values).astype(weights, values.dtype, copy=False)

    @property
    def width(self) -> int:
        """How many shares a row has."""
        return self._width

    def tiles(self, n_rows: int) -> Iterator[slice]:
        """Places of whole pieces, of about so many rows at a time."""
        n, step = self.index.shape[0], max(n_rows // self.length, 1) * self.length
        return (slice(i, min(i + step, n)) for i in range(0, n, step))

    def is_row(self, tile: slice) -> Array:
        """Which of a tile are rows, and do not fill it up; on the host."""
        return self._layout.is_row[tile]

    def _shares(self, tile: slice, dtype: Any) -> Array:
        """(rows, width), 0 of what is filled up."""
        is_row, xp = self._is_row[tile, ...], array_namespace(self._is_row)
        if self._known is None:
            return xp.astype(is_row, dtype, copy=False)
        shares = self._known[tile, ...]
        if self._make is not None:
            shares = self._make(shares)
        return xp.astype(shares, dtype, copy=False) * xp.astype(is_row, dtype, copy=False)

    def gather(self, out: Array, tile: slice, C: Array, V: Array) -> None:
        """One product of batches, whatever the number of cells."""
        xp, (D, k), s = array_namespace(C), (C.shape[1], V.shape[1]), self._width
        E, first, last = self._weighted(tile, self._shares(tile, C.dtype)), *self._pieces(tile)
        p = last - first

        def batches(rows: Array) -> Array:
            return xp.reshape(rows, (p, self.length, rows.shape[1]))

        def turned(rows: Array) -> Array:
            return xp.permute_dims(batches(rows), (0, 2, 1))

        if k <= D:  # the narrower side is written out
            sums = xp.reshape(xp.matmul(turned(_shared(E, V)), batches(C)), (p, s, k, D))
        else:
            sums = xp.reshape(xp.matmul(turned(V), batches(_shared(E, C))), (p, k, s, D))
            sums = xp.permute_dims(sums, (0, 2, 1, 3))
        if self.is_one_cell:
            total = xp.sum(in_dtype(sums, np.float64), axis=0)
        else:
            total = self._sums_of_cells(xp.reshape(sums, (p, s, k * D)), first, last)
            total = xp.reshape(total, (-1, k, D))
        out += xp.permute_dims(total, (0, 2, 1))

    def _sums_of_cells(self, sums: Array, first: int, last: int) -> Array:
        """Of each slot, from those of pieces ``first .. last``, (pieces, shares, numbers).

        By a product with 0 and 1 where that is small; of very many pieces by differences of running
        sums.
        """
        xp, (p, s, numbers) = array_namespace(sums), sums.shape
        if self.n_slots * p * s <= _SMALL:
            own = self._slots_of_pieces[first * s : last * s]
            is_own = beside(self.slots, own)[:, None] == own[None, :]
            flat = xp.reshape(in_dtype(sums, np.float64), (p * s, numbers))
            return in_dtype(is_own, np.float64) @ flat
        running = xp.cumulative_sum(in_dtype(sums, np.float64), axis=0, include_initial=True)
        running = xp.reshape(running, ((p + 1) * s, numbers))

        def until(places: Array) -> Array:
            inside = xp.clip(places, min=first, max=last) - first
            return xp.take(running, inside * s + self._number, axis=0)

        return until(self._ends) - until(self._starts)

    def scatter(self, tile: slice, C: Array, T: Array) -> Array:
        """Likewise; 0 of what is filled up."""
        xp, (D, k), s = array_namespace(C), T.shape[1:], self._width
        E, first, last = self._weighted(tile, self._shares(tile, C.dtype)), *self._pieces(tile)
        T = xp.astype(T, C.dtype, copy=False)
        if self.is_one_cell:
            wide = xp.reshape(xp.permute_dims(T, (1, 0, 2)), (D, s * k))
            products = C @ wide
        else:
            own = xp.take(T, self._slots_of_pieces[first * s : last * s], axis=0)
            own = xp.permute_dims(xp.reshape(own, (last - first, s, D, k)), (0, 2, 1, 3))
            batches = xp.reshape(C, (last - first, self.length, D))
            products = xp.matmul(batches, xp.reshape(own, (last - first, D, s * k)))
        products = xp.reshape(products, (C.shape[0], s, k)) * E[:, :, None]
        return in_dtype(products[:, 0, :] if s == 1 else xp.sum(products, axis=1), np.float64)

    def _pieces(self, tile: slice) -> tuple[int, int]:
        first, last, _ = tile.indices(self.index.shape[0])
        return first // self.length, last // self.length

    def sizes(self, tile: slice) -> Array:
        """0 of what is filled up."""
        xp = array_namespace(self._is_row)
        sizes = self._sizes(self, tile, self._shares(tile, xp.float64))[:, None]
        sizes = self._weighted(tile, sizes)[:, 0]
        return sizes * in_dtype(self._is_row[tile, 0], np.float64)

    def combined(self, tile: slice, shares: Array, values: Array) -> Array:
        """``sum_k E_ik v_k``: a number for each slot as one for each row."""
        xp, s, (first, last) = array_namespace(shares), self._width, self._pieces(tile)
        own = xp.take(beside(values, shares), self._slots_of_pieces[first * s : last * s])
        batches = xp.reshape(shares, (last - first, self.length, s))
        own = xp.reshape(own, (last - first, 1, s))
        return xp.reshape(xp.sum(batches * own, axis=2), (-1,))


def _shared(shares: Array, V: Array) -> Array:
    """``E_ik v_i`` for each slot k, (rows, slots times columns of V)."""
    if shares.shape[1] == 1:
        return shares * V
    xp = array_namespace(V)
    return xp.reshape(shares[:, :, None] * V[:, None, :], (V.shape[0], -1))
