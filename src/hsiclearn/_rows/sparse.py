"""Rows of a sparse matrix, which stays sparse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ._base import AbstractRows, Block
from .products import CenteredProducts

__all__ = ["SparseRows"]


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
        for start in range(0, self.n_samples, size):
            rows = slice(start, min(start + size, self.n_samples))
            yield rows, rows

    def _finish(self, raw: slice) -> Block:
        return self._X[raw]

    def project(self, block: Block, W: FloatArray) -> Array:
        """``X W - origin' W``: the zeros are kept, the rounding of a far origin is not."""
        projected = block @ W.astype(self.dtype, copy=False)
        if self.origin is not None:
            projected = projected - (self.origin @ W).astype(self.dtype)
        return projected

    def inner_products(self) -> FloatArray:
        """``X X'`` seen from the origin."""
        everything = slice(0, self.n_samples)
        return CenteredProducts(self._X, self.origin).block(everything, everything)

    def take(self, index: Array) -> FloatArray:
        """Chosen rows, dense."""
        rows = self._X[index].toarray().astype(np.float64)
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> SparseRows:
        """A sparse copy of chosen rows."""
        return SparseRows(self._X[index], self.origin)

    def centered(self, origin: FloatArray) -> SparseRows:
        """The same matrix; projections are taken from another origin."""
        return SparseRows(self._X, origin)

    def keep_columns(self, mask: Array) -> SparseRows:
        """A sparse copy with some columns only."""
        return SparseRows(self._X[:, np.flatnonzero(mask)])
