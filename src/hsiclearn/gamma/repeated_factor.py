r"""Rows of E that stand more than once, or less: ``diag(v) E`` in the place of E.

Sums over rows of ``E_ik c_i v_i'`` then have c_i as often as its row stands there, and what is
spread over the rows comes out as often: two products with a column, whatever the structure.
"""

from __future__ import annotations

from typing import Any, final

from .._arrays import Array, FloatArray
from .._columns import Column
from .factor_part import FactorPart
from .pieces import PiecesPart
from .row_factor import RowFactor


@final
class RepeatedFactor(RowFactor):
    """``diag(v) E core E' diag(v)``, E the rows of another factor."""

    def __init__(self, base: RowFactor, weights: Column) -> None:
        self._base, self._v = base, weights
        self.n_slots, self.n_entries = base.n_slots, base.n_entries
        self.chunk_bytes = base.chunk_bytes

    @property
    def roots(self) -> FloatArray:  # type: ignore[override]
        """Those of the base."""
        return self._base.roots

    @property
    def signs(self) -> FloatArray:  # type: ignore[override]
        """Those of the base."""
        return self._base.signs

    def part(self, rows: slice) -> FactorPart:
        """The rows of the base in a chunk, weighted."""
        return _RepeatedPart(self._base.part(rows), self._v[rows])

    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        part = self._base._part_beside(rows, block)
        part.weigh_by(self._v[rows], block)
        return part

    def order(self, index: Array) -> Array | None:
        """As the base has it."""
        return self._base.order(index)

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """The columns of the base, row by row multiplied."""
        U, s = self._base.as_columns()
        return self._v[:, None] * U, s


class _RepeatedPart(FactorPart):
    def __init__(self, part: FactorPart, v: FloatArray) -> None:
        self._part, self.order, self.slots = part, part.order, part.slots
        self._v = (v if part.order is None else v[part.order])[:, None]

    def _weights(self, tile: slice, dtype: Any) -> FloatArray:
        return self._v[tile].astype(dtype, copy=False)

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        self._part.gather(out, tile, self._weights(tile, C.dtype) * C, V)

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        values: FloatArray = self._part.scatter(tile, C, T)
        values *= self._v[tile]
        return values

    def sizes(self, tile: slice) -> FloatArray:
        sizes: FloatArray = self._v[tile, 0] * self._part.sizes(tile)
        return sizes
