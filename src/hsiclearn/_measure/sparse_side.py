"""A side of sparse rows."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._columns import Column
from .._engines.features import Accuracy
from .._linalg import median_pair_distance
from .._rows import CenteredProducts, SparseRows
from .._weights import draw_weighted
from ..kernels import AbstractKernel
from .features import RowFeatures, kernel_features
from .side import AbstractSide, origin_for

MOST_COLUMNS = 2000
"""With features: landmarks are dense rows."""

_MOST_ROWS = 1000  # whose distances are measured
_TINY = 1e-5  # of the largest distance: one that may be rounding


class SparseSide(AbstractSide):
    """Rows of a CSR matrix under a kernel without scales of rows.

    Blocks of the kernel matrix come from sparse products; the mean is taken out of those, and no
    zero is lost.
    """

    def __init__(
        self,
        X: Any,
        kernel: AbstractKernel,
        exponent: int = 0,
        weights: FloatArray | None = None,
    ) -> None:
        if any(term.has_row_scales for _, term in kernel.terms):
            raise ValueError(
                f"{kernel!r} looks for neighbours among dense rows. Got a sparse matrix: pass "
                ".toarray(), or use kernel 'gaussian'."
            )
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.has_features = X.shape[1] <= MOST_COLUMNS
        self.is_constant = not (X.max(axis=0) - X.min(axis=0)).count_nonzero()
        self._origin = origin = origin_for(X, kernel, weights)
        self._products = products = cache(lambda: CenteredProducts(X, origin))  # for all copies
        self._squares = cache(lambda: products().squares())

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        inner, squares = self._products().block(i, j), self._squares()
        total = np.zeros(inner.shape)
        for weight, term in self.kernel.terms:
            beta = inner
            if term.pair.is_difference:
                beta = np.maximum(squares[i][:, None] + squares[j] - 2.0 * inner, 0.0)
            total += weight * np.asarray(term.f(beta))
        return total

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        if not self.has_features:
            raise ValueError(
                f"engine='nystrom' makes landmarks dense. Got {self.X.shape[1]} sparse columns, "
                f"more than {MOST_COLUMNS}: use engine='tiled'."
            )
        return kernel_features(SparseRows(self.X, self._origin), self.kernel, accuracy, rng)


def typical_sparse_distance(
    X: Column, rng: np.random.Generator, weights: Column | None = None
) -> float:
    """Median distance of two rows; where most rows are equal, of the different ones there are."""
    some, v = _some_rows(X, rng, weights)
    dense = SparseRows(some).isometric()
    median = median_pair_distance(dense, rng, weights=v)
    if median > _TINY * float(np.max(np.ptp(dense, axis=0))):
        return median
    return median_pair_distance(SparseRows(_different(some)).isometric(), rng)


def _some_rows(
    X: Column, rng: np.random.Generator, weights: Column | None
) -> tuple[Any, FloatArray | None]:
    """All of few rows, a sample of many; and how often these count."""
    if weights is not None:
        index, v = draw_weighted(weights, _MOST_ROWS, rng)
        return X[index], v
    n = X.shape[0]
    return (X[np.sort(rng.choice(n, _MOST_ROWS, replace=False))] if n > _MOST_ROWS else X[:]), None


def _different(X: Any) -> Any:
    """One of each kind of row."""
    X = sparse.csr_array(X, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    first: dict[tuple[bytes, bytes], int] = {}
    for i in range(X.shape[0]):
        part = slice(X.indptr[i], X.indptr[i + 1])
        first.setdefault((X.indices[part].tobytes(), X.data[part].tobytes()), i)
    return X[np.array(list(first.values()))]
