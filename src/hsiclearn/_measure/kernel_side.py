"""Rows of numbers under a kernel of the package as one side of a dependence: dense, or sparse."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._engines import Factors, Group, group_by_pair
from .._engines.features import Accuracy
from .._linalg import median_pair_distance
from .._rows import ArrayRows, CenteredProducts, SparseRows
from ..kernels import AbstractKernel
from .features import RowFeatures, kernel_features
from .side import AbstractSide, all_equal

_MOST_COLUMNS = 2000  # with features: landmarks are dense rows
_MOST_ROWS = 1000  # whose distances are measured
_TINY = 1e-5  # of the largest distance: one that may be rounding


class KernelSide(AbstractSide):
    """Rows of numbers under a kernel of the package.

    Where the mean of the rows does not matter it is subtracted, which saves digits.
    """

    def __init__(
        self,
        X: FloatArray,
        kernel: AbstractKernel,
        exponent: int = 0,
        parent: tuple[KernelSide, Array] | None = None,
    ) -> None:
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.is_constant = all_equal(X)
        self._parent = parent
        self.origin: FloatArray
        if parent is not None:
            self.origin = parent[0].origin
        else:
            moves = not kernel.ignores_shifts(centered=True)  # HSIC centres its matrices
            self.origin = np.zeros(X.shape[1]) if moves else X.mean(axis=0)

    @cached_property
    def _groups(self) -> list[tuple[Group, Factors]]:
        """Terms that share a pair type, with the thin factors of their beta."""
        w = self.X - self.origin
        if self._parent is not None and any(k.has_row_scales for _, k in self.kernel.terms):
            parent, index = self._parent  # the scales are those among all rows
            groups = [group.reordered(index) for group, _ in parent._groups]
        else:
            groups = list(group_by_pair(self.kernel, w))
        return [(group, Factors.of(group.pair, w)) for group in groups]

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        total: FloatArray | None = None
        for group, factors in self._groups:
            left, right = factors.beta
            beta = group.pair.beta(left[rows], right[cols], memory if total is None else None)
            factor, values = group.jet(beta, 0, rows, cols)[0]
            if factor != 1.0:
                values *= factor
            total = values if total is None else np.add(total, values, out=total)
        assert total is not None
        return total

    def take(self, index: Array) -> KernelSide:
        """Chosen rows; scales of rows stay what they were among all of them."""
        return KernelSide(self.X[index], self.kernel, self.exponent, (self, index))

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        return kernel_features(ArrayRows(self.X, self.origin), self.kernel, accuracy, rng)


class SparseSide(AbstractSide):
    """Rows of a CSR matrix under a kernel without scales of rows.

    Blocks of the kernel matrix come from sparse products; where the mean of the rows does not
    matter it is taken out of them, and no zero is lost.
    """

    def __init__(self, X: Any, kernel: AbstractKernel, exponent: int = 0) -> None:
        if any(term.has_row_scales for _, term in kernel.terms):
            raise ValueError(
                f"{kernel!r} looks for neighbours among dense rows. Got a sparse matrix: pass "
                ".toarray(), or use kernel 'gaussian'."
            )
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.has_features = X.shape[1] <= _MOST_COLUMNS
        self.is_constant = not (X.max(axis=0) - X.min(axis=0)).count_nonzero()
        self._index: Array | None = None

    @cached_property
    def _rows(self) -> SparseRows:
        moves = not self.kernel.ignores_shifts(centered=True)  # HSIC centres its matrices
        mean = np.asarray(self.X.sum(axis=0), dtype=np.float64).ravel() / self.X.shape[0]
        return SparseRows(self.X, np.zeros_like(mean) if moves else mean)

    @cached_property
    def _products(self) -> tuple[CenteredProducts, FloatArray]:
        products = CenteredProducts(self.X, self._rows.origin)
        return products, products.squares()

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        products, squares = self._products
        i, j = self._places(rows), self._places(cols)
        inner = products.block(i, j)
        total = np.zeros(inner.shape)
        for weight, term in self.kernel.terms:
            beta = inner
            if term.pair.is_difference:
                beta = np.maximum(squares[i][:, None] + squares[j] - 2.0 * inner, 0.0)
            total += weight * np.asarray(term.f(beta))
        return total

    def _places(self, part: slice) -> slice | Array:
        return part if self._index is None else self._index[part]

    def take(self, index: Array) -> SparseSide:
        """Chosen rows, in any order; the matrix and its products are shared."""
        _ = self._products
        twin = copy(self)
        twin.n_samples = index.size
        twin._index = index if self._index is None else self._index[index]
        return twin

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        if not self.has_features:
            raise ValueError(
                f"engine='nystrom' makes landmarks dense. Got {self.X.shape[1]} sparse columns, "
                f"more than {_MOST_COLUMNS}: use engine='tiled'."
            )
        assert self._index is None
        return kernel_features(self._rows, self.kernel, accuracy, rng)


def typical_sparse_distance(X: Any, rng: np.random.Generator) -> float:
    """Median distance of two rows; where most rows are equal, of the different ones there are."""
    n = X.shape[0]
    some = X[np.sort(rng.choice(n, _MOST_ROWS, replace=False))] if n > _MOST_ROWS else X
    dense = SparseRows(some).isometric()
    median = median_pair_distance(dense, rng)
    if median > _TINY * float(np.max(np.ptp(dense, axis=0))):
        return median
    return median_pair_distance(SparseRows(_different(some)).isometric(), rng)


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
