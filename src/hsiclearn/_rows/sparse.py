"""Rows of a sparse matrix: as they are, or dense a chunk at a time; and their inner products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ._base import AbstractRows, Block, batches


class SparseRows(AbstractRows):
    """A CSR matrix or array. Other sparse formats are converted to it, once."""

    is_sparse = True

    def __init__(self, X: Any, origin: FloatArray | None = None) -> None:
        self._X = sparse.csr_array(X)  # shares the memory of a CSR matrix
        self.n_samples, self.n_features = self._X.shape
        self.dtype = np.dtype(np.float32 if X.dtype == np.float32 else np.float64)
        if self._X.dtype != self.dtype:
            self._X = self._X.astype(self.dtype)
        self.origin = origin

    def _raw(self, size: int) -> Iterator[tuple[slice, slice]]:
        return ((rows, rows) for rows in batches(self.n_samples, size))

    def _finish(self, raw: slice) -> Block:
        return self._X[raw]

    def inner_products(self) -> FloatArray:
        everything = slice(0, self.n_samples)
        return CenteredProducts(self._X, self.origin).block(everything, everything)

    def take(self, index: Array) -> FloatArray:
        rows = self._X[index].toarray().astype(np.float64)
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> SparseRows:
        return SparseRows(self._X[index], self.origin)

    def centered(self, origin: FloatArray) -> SparseRows:
        return SparseRows(self._X, origin)

    def keep_columns(self, mask: Array) -> SparseRows:
        return SparseRows(self._X[:, np.flatnonzero(mask)])


class DenseChunks(AbstractRows):
    """Sparse rows that are made dense a chunk at a time, so that they can be centred."""

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
        rows = self._rows.take(index)
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> DenseChunks:
        return DenseChunks(self._rows.subset(index), self.origin)

    def centered(self, origin: FloatArray) -> DenseChunks:
        return DenseChunks(self._rows, origin)

    def keep_columns(self, mask: Array) -> DenseChunks:
        return DenseChunks(self._rows.keep_columns(mask))


class CenteredProducts:
    r"""``(x_i - m)'(x_j - m)`` of a CSR matrix, block by block, with no zero lost.

    A column without zeros loses nothing when its part of m is subtracted entry by entry. What is
    left of m is within the range of its columns, and goes into the product instead, where it costs
    no digits::

        x_i'x_j - x_i'm - m'x_j + m'm
    """

    def __init__(self, X: Any, origin: FloatArray | None) -> None:
        n, d = X.shape
        X = X.astype(np.float64)  # a copy
        X.sum_duplicates()
        origin = np.zeros(d) if origin is None else origin
        is_full = np.bincount(X.indices, minlength=d) == n
        X.data -= np.where(is_full, origin, 0.0)[X.indices]
        rest = np.where(is_full, 0.0, origin)
        self._X, self._shift, self._square = X, X @ rest, float(rest @ rest)

    def block(self, rows: slice | Array, cols: slice | Array) -> FloatArray:
        """Some rows against others, dense."""
        product: FloatArray = (self._X[rows] @ self._X[cols].T).toarray()
        product -= self._shift[cols]
        product -= self._shift[rows][:, None] - self._square
        return product

    def squares(self) -> FloatArray:
        """``|x_i - m|^2``."""
        own = np.asarray(self._X.multiply(self._X).sum(axis=1), dtype=np.float64).ravel()
        return own - 2.0 * self._shift + self._square
