r"""A real column cut into cells, and where each row stands in its own.

Inside a cell a Gaussian kernel is a polynomial but for little ::

    K(y, y') ~ sum_k l_k(y) K(y_k, y')      l_k the Lagrange polynomials of the Gauss nodes y_k

so row i has shares ``l_k(y_i)``, which sum to one, among the nodes of its cell. A sum over rows
costs a product for each share, and one over nodes some hundred for each node. Where rows are many,
narrow cells are best, a fifth of the bandwidth and m nodes; where they are few, wide ones, a whole
bandwidth and some half as many nodes more for the same accuracy, a third as many in all. Of cells
that hold no row nothing is kept; one of few values has a node for each instead. The error of K:

===================== ==== ==== ==== ==== ====
nodes, narrow         3    4    5    6    8
nodes, wide           6    7    9    10   13
narrow                9e-5 3e-6 6e-8 1e-9 5e-13
wide                  2e-5 2e-6 2e-8 1e-9 5e-13
===================== ==== ==== ==== ==== ====

It is a multiple of the Legendre polynomial of the place in the cell, whose mean is 0, also when
weighted by a polynomial of lower degree: of sums over the rows of a cell a tenth of it is left, and
less.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column, fold, mapped
from .._devices import beside, zeros_beside
from .._weights import total_weight, worth
from .light_cells import light_cells

_NARROW = 5  # to a bandwidth
_MOST = 64  # values of a cell that are told apart: more than any cell has nodes
_NOTHING = 1e-9  # rows: what a value counts whose rows weigh nothing, for it needs a place, too
_NODE = 250.0  # what a node costs, in products of a row and one of its shares ...
_NODE_SHARE = 1 / 800  # ... or so many times the rows: every chunk of them has sums for it


class Cells(NamedTuple):
    """Cells that hold rows, their nodes, and where each row stands in its own."""

    cells: Column  # (n,)
    place: Column  # (n,), in -1 .. 1
    nodes: FloatArray  # of all cells, one after the other
    first: Array  # (n_cells + 1,): the nodes of cell c are first[c] : first[c + 1]
    n_entries: float  # nodes of the cell of a row, on average

    def shares(self, rows: slice) -> FloatArray:
        """``l_k(y_i)``, as many columns as the largest cell has nodes, 0 beyond those of a cell."""
        cells, place = self.cells[rows], self.place[rows]
        widths = np.diff(self.first)
        own = widths[cells]
        shares: FloatArray = np.zeros((cells.size, int(widths.max())))
        shares[:, 0] = 1.0  # of a cell of one node
        for m in np.unique(own[own > 1]):
            here = own == m
            shares[here, :m] = lagrange(place[here], int(m))
        return shares

    def seeds(self, rows: slice) -> FloatArray:
        """Of each row its place, and how many nodes its cell has: :meth:`grown` makes shares."""
        widths = np.diff(self.first)
        return np.column_stack([self.place[rows], widths[self.cells[rows]]])

    def grown(self, seeds: Array) -> Array:
        """The shares of rows, where their seeds are, on a device."""
        xp, (place, own) = array_namespace(seeds), (seeds[:, 0], seeds[:, 1])
        widths = np.diff(self.first)
        shares = zeros_beside((place.shape[0], int(widths.max())), seeds)
        for m in np.unique(widths).tolist():
            some = [xp.ones_like(place), place]  # Legendre polynomials
            for j in range(2, m):
                some.append(((2 * j - 1) * place * some[-1] - (j - 1) * some[-2]) / j)
            lagrangian = xp.stack(some[:m], axis=1) @ beside(_at_nodes(m).T, seeds)
            rest = zeros_beside((place.shape[0], shares.shape[1] - m), seeds)
            lagrangian = xp.concat([lagrangian, rest], axis=1)
            shares = xp.where((own == m)[:, None], lagrangian, shares)
        return shares


class _CellTally(NamedTuple):
    """What a column holds, narrow cell by narrow cell: all that a grid depends on."""

    rows: Array  # (c,), or what rows are worth
    sums: FloatArray
    counts: Array  # different values, of which no more than _MOST are told apart
    values: FloatArray  # of each cell these, the smallest, one after the other


def _tally(y: FloatArray, width: float, weights: FloatArray | None = None) -> _CellTally:
    if weights is None:
        values, repeats = np.unique(y, return_counts=True)
    else:
        values, places = np.unique(y, return_inverse=True)
        repeats = np.maximum(np.bincount(places, weights), _NOTHING)
    starts = _starts_of_cells(values, width)
    counts = np.diff(starts, append=values.size)
    rows, sums = (np.add.reduceat(part, starts) for part in (repeats, repeats * values))
    return _CellTally(rows, sums, *_few_of_each(values, counts))


def _both(a: _CellTally, b: _CellTally, width: float) -> _CellTally:
    """The tally of two parts of a column."""
    values = np.unique(np.concatenate([a.values, b.values]))
    starts = _starts_of_cells(values, width)
    corners = np.floor(values[starts] / width)
    rows, sums = np.zeros(starts.size, dtype=a.rows.dtype), np.zeros(starts.size)
    for part in (a, b):
        heads = np.concatenate([[0], np.cumsum(part.counts)[:-1]])
        cells = np.searchsorted(corners, np.floor(part.values[heads] / width))
        rows[cells] += part.rows
        sums[cells] += part.sums
    return _CellTally(rows, sums, *_few_of_each(values, np.diff(starts, append=values.size)))


def _starts_of_cells(values: FloatArray, width: float) -> Array:
    return np.flatnonzero(np.diff(np.floor(values / width), prepend=np.nan) != 0)


def _few_of_each(values: FloatArray, counts: Array) -> tuple[Array, FloatArray]:
    """The first values of each cell, of which there are so many."""
    number = np.arange(values.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.minimum(counts, _MOST), values[number < _MOST]


class _CellGrid(NamedTuple):
    """Cells of the whole line. A cell, or a node of its own, begins at each head."""

    heads: FloatArray  # ascending: the smallest value that is there
    cell: Array  # of a head
    corner: FloatArray
    size: FloatArray
    nodes: FloatArray
    first: Array
    n_entries: float

    def _head(self, y: FloatArray) -> Array:
        return np.searchsorted(self.heads, y, side="right") - 1

    def cells_at(self, y: FloatArray) -> Array:
        """Of the smallest type: sorting takes a pass for each byte."""
        return self.cell.astype(np.min_scalar_type(self.first.size))[self._head(y)]

    def place_at(self, y: FloatArray) -> FloatArray:
        """Where a value is in its cell, in -1 .. 1."""
        head = self._head(y)
        place: FloatArray = 2.0 * (y - self.corner[head]) / self.size[head] - 1.0
        return place


def nodes_of_a_wide_cell(m: int) -> int:
    """As many as make a wide cell as exact as a narrow one of m nodes."""
    return m + (m + 3) // 2


def cells_of(
    y: Column, bandwidth: float, n_nodes: int, light: float, weights: Column | None = None
) -> Cells:
    """Cut a column: ``n_nodes`` of a narrow cell, ``light`` as in :func:`light_cells`.

    A light cell has one node for all its rows; far ones share a node at infinity. With weights
    cells are those of as many rows as these are worth.
    """
    width = bandwidth / _NARROW
    unit = 1.0 if weights is None else worth(weights) / total_weight(weights)

    def tally_of(place: slice, part: FloatArray) -> _CellTally:
        return _tally(part, width, None if weights is None else unit * weights[place])

    tally = fold(y, tally_of, partial(_both, width=width), "tally")
    grid = _grid(tally, bandwidth, n_nodes, light)
    cells, place = mapped(y, grid.cells_at), mapped(y, grid.place_at)
    return Cells(cells, place, grid.nodes, grid.first, grid.n_entries)


def _grid(tally: _CellTally, bandwidth: float, n_nodes: int, light: float) -> _CellGrid:
    width = bandwidth / _NARROW
    rows, sums, counts, values = tally
    n_rows = float(rows.sum())
    starts = np.cumsum(counts) - counts
    corners = np.floor(values[starts] / width)
    is_light, is_far = light_cells((corners + 0.5) * width, rows, bandwidth, width, light)
    # Narrow cells that are parts of a wide one become that, unless they are light.
    wide = np.floor(corners / _NARROW)
    begins = np.diff(wide, prepend=np.nan) != 0
    heads = np.flatnonzero(begins)
    node, many = max(_NODE, _NODE_SHARE * n_rows), nodes_of_a_wide_cell(n_nodes)
    of_parts = np.add.reduceat(_price(rows, counts, n_nodes, node), heads)
    of_whole = _price(np.add.reduceat(rows, heads), np.add.reduceat(counts, heads), many, node)
    is_wide = (of_whole < of_parts)[np.cumsum(begins) - 1] & ~is_light
    joins = is_wide & ~begins
    joins[1:] &= is_wide[:-1]
    kept = np.flatnonzero(~joins)
    starts, is_light, is_far, is_wide = starts[kept], is_light[kept], is_far[kept], is_wide[kept]
    counts = np.diff(starts, append=values.size)
    rows, sums = np.add.reduceat(rows, kept), np.add.reduceat(sums, kept)
    means = sums / rows

    m = np.where(is_wide, many, n_nodes)
    size = np.where(is_wide, _NARROW * width, width)
    corner = np.where(is_wide, _NARROW * wide[kept], corners[kept]) * width
    is_split = (counts <= m) & ~is_light  # a node for each value
    # Heads are the first values of cells, of which a split cell has one for each value.
    begins = np.repeat(is_split, counts)
    begins[starts] = True
    heads = np.flatnonzero(begins)
    of = np.repeat(np.arange(starts.size), counts)  # the cell that a value is in
    at = of[heads]
    has_nodes = ~(is_split | is_light)
    single = np.where(is_split[at], values[heads], means[at])
    inside = {k: 0.5 * (gauss(k) + 1.0) for k in np.unique(m)}
    nodes = [
        corner[c] + inside[m[c]] * size[c] if has_nodes[c] else single[i : i + 1]
        for i, c in enumerate(at)
        if not is_far[c]
    ]
    near = ~is_far[at]
    cell = np.where(near, np.cumsum(near) - 1, np.count_nonzero(near))
    widths = [*np.where(has_nodes, m, 1)[at][near], *[1][: int(not near.all())]]
    nodes += [np.array([np.inf])][: int(not near.all())]
    first = np.concatenate([[0], np.cumsum(widths)])
    n_entries = float(rows @ np.where(has_nodes, m, 1)) / n_rows
    at_heads = values[heads], cell, corner[at], size[at]
    return _CellGrid(*at_heads, np.concatenate(nodes), first, n_entries)


def _price(rows: Array, counts: Array, m: int, node: float) -> FloatArray:
    """What cells of so many rows and different values cost."""
    is_split = counts <= m
    return np.where(is_split, rows + node * counts, m * (rows + node))


def gauss(m: int) -> FloatArray:
    """Nodes in -1 .. 1."""
    nodes: FloatArray = leggauss(m)[0]
    return nodes


def lagrange(t: FloatArray, m: int) -> FloatArray:
    """``l_k(t) = w_k sum_j (j + 1/2) P_j(t) P_j(t_k)`` of m Gauss nodes and weights, (t, nodes)."""
    shares: FloatArray = legvander(t, m - 1) @ _at_nodes(m).T
    return shares


def _at_nodes(m: int) -> FloatArray:
    """``w_k (j + 1/2) P_j(t_k)``."""
    nodes, weights = leggauss(m)
    at_nodes: FloatArray = weights[:, None] * (np.arange(m) + 0.5) * legvander(nodes, m - 1)
    return at_nodes
