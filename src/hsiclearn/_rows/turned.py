"""Rows in other coordinates, ``X B``, made a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._arrays import Array, FloatArray
from ._base import AbstractRows, Block


class TurnedRows(AbstractRows):
    """``X B`` of rows that are too many to be copied, sparse, mapped or streamed; dense chunks.

    A chunk costs ``2 d^2`` operations a row more, beside those of a sum over its features.
    """

    def __init__(self, rows: AbstractRows, B: FloatArray, origin: FloatArray | None = None) -> None:
        self._rows, self._B = rows, B
        self.n_samples, self.n_features = rows.n_samples, B.shape[1]
        self.dtype, self.origin = rows.dtype, origin

    def _raw(self, size: int) -> Iterator[tuple[slice, Any]]:
        return self._rows._raw(size)

    def _finish(self, raw: Any) -> Block:
        block = self._rows.project(self._rows._finish(raw), self._B)
        return block if self.origin is None else block - self.origin.astype(self.dtype)

    def take(self, index: Array) -> FloatArray:
        rows = self._rows.take(index) @ self._B
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> AbstractRows:
        rows = self._rows.subset(index).turned(self._B)
        return rows if self.origin is None else rows.moved(self.origin)

    def centered(self, origin: FloatArray) -> TurnedRows:
        return TurnedRows(self._rows, self._B, origin)

    def keep_columns(self, mask: Array) -> TurnedRows:
        assert self.origin is None
        return TurnedRows(self._rows, self._B[:, mask])

    def turned(self, B: FloatArray) -> TurnedRows:
        return (
            TurnedRows(self, B) if self.origin is not None else TurnedRows(self._rows, self._B @ B)
        )
