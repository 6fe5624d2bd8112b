"""Sparse rows that are made dense a chunk at a time, so that they can be centred."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._base import AbstractRows
from .summary import Summary

__all__ = ["DenseChunks", "is_far_from_zero"]


def is_far_from_zero(rows: AbstractRows, summary: Summary) -> bool:
    """Whether a column has no zeros and a mean that dwarfs its range, such as a year.

    Squares of such a column cancel: a mean of 10 ranges costs two digits, more than single
    precision can spare. A column with zeros has its mean within its range.
    """
    limit = 1.0 if rows.dtype == np.float32 else 10.0
    return bool(np.any(np.abs(summary.mean) > limit * (summary.highest - summary.lowest)))


class DenseChunks(AbstractRows):
    """Rows of a sparse table, dense and centred, never more than a chunk of them."""

    def __init__(self, rows: AbstractRows, origin: FloatArray | None = None) -> None:
        self._rows = rows
        self.n_samples, self.n_features = rows.shape
        self.dtype, self.origin = rows.dtype, origin

    def _raw(self, size: int) -> Iterator[tuple[slice, Any]]:
        return self._rows._raw(size)

    def _finish(self, raw: Any) -> Array:
        block = self._rows._finish(raw).toarray()
        if self.origin is None:
            return block
        return (block - self.origin).astype(self.dtype, copy=False)

    def take(self, index: Array) -> FloatArray:
        """Chosen rows."""
        rows = self._rows.take(index)
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> DenseChunks:
        """Chosen rows, still sparse underneath."""
        return DenseChunks(self._rows.subset(index), self.origin)

    def centered(self, origin: FloatArray) -> DenseChunks:
        """The same rows seen from another origin."""
        return DenseChunks(self._rows, origin)

    def keep_columns(self, mask: Array) -> DenseChunks:
        """The same rows with some columns only."""
        return DenseChunks(self._rows.keep_columns(mask))
