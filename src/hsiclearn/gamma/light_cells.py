r"""Cells of a column that hardly count in a sum over pairs.

A kernel of bandwidth s sees the pairs of rows a few s apart. With n_c rows in cell c and N_c within
2.5 s of its middle, the cell's share of them is ::

    w_c = n_c (N_c - 1) / sum_c n_c (N_c - 1)

A row far from all others has none: ``K_ij`` is 0 beside it but for j = i, where ``x_i - x_j`` is 0
and nothing is left of the term. Where tails are long, most cells have next to none: the lightest
ones, together a share ``light`` of the pairs, are not interpolated, all of their rows stand in
the middle; and the lightest of these, a hundredth of that share, have no kernel value at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import Array, FloatArray

_REACH = 2.5  # bandwidths: beyond, a kernel value is below 0.05
_FAR = 0.01  # of the share of light cells


class LightCells(NamedTuple):
    """Whether a cell is light, and whether it is far: a light one of no weight at all."""

    is_light: Array
    is_far: Array


def light_cells(
    middles: FloatArray, counts: Array, bandwidth: float, cell: float, light: float
) -> LightCells:
    """Which cells of width ``cell``, ascending and with so many rows, are light; O(cells)."""
    if light == 0.0:
        none = np.zeros(middles.size, dtype=bool)
        return LightCells(none, none)
    below = np.concatenate([[0], np.cumsum(counts)])
    reach = _REACH * bandwidth + 0.5 * cell
    last, first = (np.searchsorted(middles, middles + r) for r in (reach, -reach))
    weights = counts * (below[last] - below[first] - 1.0)
    order = np.argsort(weights, kind="stable")
    share = np.empty(middles.size)
    share[order] = np.cumsum(weights[order]) / max(float(weights.sum()), 1.0)
    return LightCells(share <= light, share <= _FAR * light)
