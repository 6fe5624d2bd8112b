"""Rows of an array in memory, or of a file mapped into it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._arrays import Array, FloatArray
from ._base import CHUNK, AbstractRows, batches


class ArrayRows(AbstractRows):
    """An ndarray or ``numpy.memmap``, read chunk by chunk and never copied as a whole."""

    def __init__(
        self, X: Array, origin: FloatArray | None = None, columns: Array | None = None
    ) -> None:
        self._X, self._columns = X, columns
        self.n_samples = X.shape[0]
        self.n_features = X.shape[1] if columns is None else int(columns.size)
        self.dtype = np.dtype(np.float32 if X.dtype == np.float32 else np.float64)
        self.origin = origin
        self._shift = None if origin is None else origin.astype(self.dtype)

    def _raw(self, size: int) -> Iterator[tuple[slice, Array]]:
        return ((rows, self._X[rows]) for rows in batches(self.n_samples, size))

    def _finish(self, raw: Array) -> Array:
        block = raw
        if self._columns is not None:
            block = block[:, self._columns]
        if self._shift is not None:
            return np.subtract(block, self._shift, dtype=self.dtype)
        return np.asarray(block, dtype=self.dtype)

    def take(self, index: Array) -> FloatArray:
        whole = len(index) == self.n_samples
        return self._finish(self._X if whole else self._X[index]).astype(np.float64, copy=False)

    def part(self, rows: slice) -> FloatArray:
        return self._finish(self._X[rows]).astype(np.float64, copy=False)

    def subset(self, index: Array) -> ArrayRows:
        return ArrayRows(self.take(index).astype(self.dtype, copy=False))

    def __matmul__(self, V: FloatArray) -> FloatArray:
        """``X V``; a small table in one product."""
        if self.n_samples <= CHUNK:
            return (self._finish(self._X) @ V).astype(np.float64, copy=False)
        return super().__matmul__(V)

    def centered(self, origin: FloatArray) -> ArrayRows:
        return ArrayRows(self._X, origin, self._columns)

    def keep_columns(self, mask: Array) -> ArrayRows:
        assert self._columns is None
        assert self.origin is None
        return ArrayRows(self._X, None, np.flatnonzero(mask))
