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

from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander

from .._arrays import Array, FloatArray
from .light_cells import light_cells

_NARROW = 5  # to a bandwidth
_NODE = 250.0  # what a node costs, in products of a row and one of its shares ...
_NODE_SHARE = 1 / 800  # ... or so many times the rows: every chunk of them has sums for it


class Cells(NamedTuple):
    """Cells that hold rows, their nodes, and where each row stands in its own."""

    cells: Array  # (n,)
    place: FloatArray  # (n,), in -1 .. 1
    nodes: FloatArray  # of all cells, one after the other
    first: Array  # (n_cells + 1,): the nodes of cell c are first[c] : first[c + 1]

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


def nodes_of_a_wide_cell(m: int) -> int:
    """As many as make a wide cell as exact as a narrow one of m nodes."""
    return m + (m + 3) // 2


def cells_of(y: FloatArray, bandwidth: float, n_nodes: int, light: float) -> Cells:
    """Cut a column: ``n_nodes`` of a narrow cell, ``light`` as in :func:`light_cells`.

    A light cell has one node for all its rows; far ones share a node at infinity.
    """
    width = bandwidth / _NARROW
    values, rank, repeats = np.unique(y, return_inverse=True, return_counts=True)
    corners = np.floor(values / width)
    starts = np.flatnonzero(np.diff(corners, prepend=np.nan) != 0)
    rows = np.add.reduceat(repeats, starts)
    is_light, is_far = light_cells((corners[starts] + 0.5) * width, rows, bandwidth, width, light)
    # Narrow cells that are parts of a wide one become that, unless they are light.
    wide = np.floor(corners[starts] / _NARROW)
    begins = np.diff(wide, prepend=np.nan) != 0
    counts, heads = np.diff(starts, append=values.size), np.flatnonzero(begins)
    node, many = max(_NODE, _NODE_SHARE * y.size), nodes_of_a_wide_cell(n_nodes)
    of_parts = np.add.reduceat(_price(rows, counts, n_nodes, node), heads)
    of_whole = _price(np.add.reduceat(rows, heads), np.add.reduceat(counts, heads), many, node)
    is_wide = (of_whole < of_parts)[np.cumsum(begins) - 1] & ~is_light
    joins = is_wide & ~begins
    joins[1:] &= is_wide[:-1]
    kept = np.flatnonzero(~joins)
    starts, is_light, is_far, is_wide = starts[kept], is_light[kept], is_far[kept], is_wide[kept]
    counts = np.diff(starts, append=values.size)
    sums = np.add.reduceat(repeats * values, starts)
    means = sums / np.add.reduceat(repeats, starts)

    m = np.where(is_wide, many, n_nodes)
    size = np.where(is_wide, _NARROW * width, width)
    corner = np.where(is_wide, _NARROW * wide[kept], corners[starts]) * width
    is_split = (counts <= m) & ~is_light  # a node for each value
    # Heads are the first values of cells, of which a split cell has one for each value.
    begins = np.repeat(is_split, counts)
    begins[starts] = True
    heads = np.flatnonzero(begins)
    of = np.repeat(np.arange(starts.size), counts)  # the cell that a value is in
    at = of[heads]
    has_nodes = ~(is_split | is_light)[at]
    single = np.where(is_split[at], values[heads], means[at])
    inside = {k: 0.5 * (gauss(k) + 1.0) for k in np.unique(m)}
    nodes = [
        corner[c] + inside[m[c]] * size[c] if full else single[i : i + 1]
        for i, (c, full) in enumerate(zip(at, has_nodes, strict=True))
        if not is_far[c]
    ]
    near = ~is_far[at]
    cell = np.where(near, np.cumsum(near) - 1, np.count_nonzero(near))
    widths = [*np.where(has_nodes, m[at], 1)[near], *[1][: int(not near.all())]]
    nodes += [np.array([np.inf])][: int(not near.all())]
    # Of the smallest type: sorting takes a pass for each byte.
    cells = np.repeat(cell, np.diff(heads, append=values.size))[rank]
    cells = cells.astype(np.min_scalar_type(len(widths)))
    place = 2.0 * (values - corner[of]) / size[of] - 1.0
    first = np.concatenate([[0], np.cumsum(widths)])
    return Cells(cells, place[rank], np.concatenate(nodes), first)


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
    nodes, weights = leggauss(m)
    at_nodes = weights[:, None] * (np.arange(m) + 0.5) * legvander(nodes, m - 1)
    shares: FloatArray = legvander(t, m - 1) @ at_nodes.T
    return shares
