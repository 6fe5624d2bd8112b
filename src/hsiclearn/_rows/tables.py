"""Rows of a table: an array in memory or mapped into it, or a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ._base import CHUNK, AbstractRows, Block, Elsewhere, batches
from .turned import TurnedRows

_LITTLE = 2**22  # numbers: 32 MB, of which a copy does no harm


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

    @property
    def is_mapped(self) -> bool:
        """Also a view of such a file, which checks make of it."""
        array: Any = self._X
        while isinstance(array, np.ndarray) and not isinstance(array, np.memmap):
            array = array.base
        return isinstance(array, np.memmap)

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
        whole = len(index) == self.n_samples and bool(np.all(index[1:] > index[:-1]))
        return self._finish(self._X if whole else self._X[index]).astype(np.float64, copy=False)

    def part(self, rows: slice) -> FloatArray:
        return self._finish(self._X[rows]).astype(np.float64, copy=False)

    def whole_array(self) -> Array:
        """All rows as chunks show them."""
        return self._finish(self._X)

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
        assert self.origin is None
        kept = np.flatnonzero(mask)
        return ArrayRows(self._X, None, kept if self._columns is None else self._columns[kept])

    def turned(self, B: FloatArray) -> AbstractRows:
        """Few rows are written out, others made when they are needed."""
        if self.n_samples * B.shape[1] > _LITTLE:
            return TurnedRows(self, B)
        return ArrayRows(np.asarray(self @ B, dtype=self.dtype))


class SparseRows(AbstractRows):
    """A CSR matrix or array. Other sparse formats are converted to it, once."""

    is_sparse = True

    def __init__(self, X: Any, origin: FloatArray | None = None) -> None:
        self._X = sparse.csr_array(X)  # shares the memory of a CSR matrix
        self.n_samples, self.n_features = self._X.shape
        self.dtype = np.dtype(np.float32 if X.dtype == np.float32 else np.float64)
        if self._X.dtype != self.dtype:
            self._X = self._X.astype(self.dtype)
        if not self._X.has_canonical_format:
            self._X = self._X.copy()
            self._X.sum_duplicates()  # once; else every product of a chunk would sort it anew
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

    def turned(self, B: FloatArray) -> TurnedRows:
        return TurnedRows(self, B)


class DenseChunks(AbstractRows):
    """Sparse rows that are made dense a chunk at a time, so that they can be centred."""

    def __init__(self, rows: AbstractRows, origin: FloatArray | None = None) -> None:
        self._rows = rows
        self.n_samples, self.n_features = rows.shape
        self.dtype, self.origin = rows.dtype, origin

    @property
    def elsewhere(self) -> Elsewhere | None:
        return self._rows.elsewhere

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

    def turned(self, B: FloatArray) -> TurnedRows:
        return TurnedRows(self, B)


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
