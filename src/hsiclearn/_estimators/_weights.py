"""Rows that count: those of weight 0 are left out of a fit before anything looks at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .._arrays import Array
from .._columns import Column
from .._rows import AbstractRows, StreamRows
from .._selection import OutOfFold, pairs_among
from .._weights import as_weights, positive_rows, rows_at


class GivenRows(NamedTuple):
    """What a fit was given: rows, what is known of them, and how they are split.

    ``kept`` are the numbers of the rows in the X that was passed, None if they are all of them.
    """

    rows: AbstractRows
    y: Any
    groups: Any
    weights: Column | None
    cv: Any
    kept: Array | None = None

    def numbers(self, rows: Array) -> Array:
        """The numbers of some rows in the X that was passed."""
        return rows if self.kept is None else self.kept[rows]

    def located(self, positions: OutOfFold | None) -> OutOfFold | None:
        """Positions of rows by their numbers there."""
        return None if positions is None else replace(positions, rows=self.numbers(positions.rows))


def given_rows(
    rows: AbstractRows, y: Any, groups: Any, sample_weight: Any, cv: Any, *, is_kernel: bool
) -> GivenRows:
    """The rows that count. ``is_kernel``: y is a matrix of rows by rows.

    Those of a table in memory that have weight 0 are dropped, and then they are absent to the last
    bit. Blocks, files that are mapped and rows that are elsewhere are not copied for that: there
    they stay, and weigh nothing in any sum.
    """
    if sample_weight is not None:
        sample_weight = rows.beside(sample_weight, "sample_weight")
    weights = as_weights(sample_weight, rows.n_samples)
    kept = positive_rows(weights)
    if weights is None or kept is None or _is_to_stay(rows):
        return GivenRows(rows, y, groups, weights, cv)
    y = rows_at(y, kept)
    if is_kernel:
        y = rows_at(np.asarray(y).T, kept).T
    groups = None if groups is None else rows_at(groups, kept)
    cv = pairs_among(cv, kept, rows.n_samples)
    found = weights[kept]
    weights = None if bool(np.all(found == 1.0)) else found
    return GivenRows(rows.subset(kept), y, groups, weights, cv, kept)


def _is_to_stay(rows: AbstractRows) -> bool:
    is_mapped = rows.on_device is None and rows.is_mapped
    return isinstance(rows, StreamRows) or rows.elsewhere is not None or is_mapped
