"""One side of a dependence: rows, and a kernel between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from functools import cache
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, count_codes
from .._engines import group_by_pair
from .._engines.features import Accuracy
from .._linalg import median_pair_distance
from .._paradigms import one_hot
from .._rows import ArrayRows, CenteredProducts, SparseRows
from ..kernels import AbstractKernel
from .features import RowFeatures, distance_features, kernel_features

_MOST_CLASSES = 2000  # with features; beyond, their table of sums outgrows the memory
MOST_COLUMNS = 2000
"""Of sparse rows with features: landmarks are dense rows."""

_MOST_ROWS = 1000  # sparse ones whose distances are measured
_TINY = 1e-5  # of the largest distance: one that may be rounding


class AbstractSide(ABC):
    """n rows whose kernel matrix K is asked for block by block, or by features of rows.

    ``is_constant`` where all rows are equal: nothing depends on such a side. K is ``2^exponent``
    times the matrix that is shown here.
    """

    name: str
    n_samples: int
    is_constant: bool
    has_features: bool = True
    exponent: int = 0
    column: AbstractColumn | None = None
    """The values, where these are elsewhere: then pairs of rows are not visited."""
    is_fetched: bool = False
    """Whether they were elsewhere, but few."""
    device: str | None = None
    """The device that the rows are on, in words; None of the host."""
    sizes: FloatArray | None = None
    """Of the classes, where rows are labels."""
    _index: Array | None = None  # the rows taken, among all; all of them by default

    @abstractmethod
    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        """``K[i, j]``, i and j slices or indices among all rows; may be written to ``memory``."""

    @abstractmethod
    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """Features of all rows, only where ``has_features``."""

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        """``K[rows, cols]``, an array that the caller may write over."""
        if self._index is None:
            return self._block(rows, cols, memory)
        return self._block(self._index[rows], self._index[cols], memory)

    def matrix(self) -> FloatArray:
        """K."""
        everything = slice(0, self.n_samples)
        return self.tile(everything, everything)

    def take(self, index: Array) -> Self:
        """Chosen rows, in the order of the index; what is known of all rows stays and is shared."""
        some = copy(self)
        some.n_samples = index.size
        some._index = index if self._index is None else self._index[index]
        return some


class ClassSide(AbstractSide):
    """Labels under the delta kernel ``[y_i = y_j]``."""

    name = "delta"

    def __init__(self, codes: Column, n_classes: int) -> None:
        self.codes, self.n_classes, self.n_samples = codes, n_classes, codes.shape[0]
        self.column = codes if isinstance(codes, AbstractColumn) else None
        self.is_constant = n_classes == 1
        self.has_features = n_classes <= _MOST_CLASSES

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        left, right = self.codes[i][:, None], self.codes[j]
        if memory is None:
            return (left == right).astype(np.float64)
        out = memory[: left.size * right.size].reshape(left.size, right.size)
        return np.equal(left, right, out=out, casting="unsafe")

    @property
    def sizes(self) -> FloatArray:  # type: ignore[override]
        """Of the classes, among all rows."""
        counts = count_codes(self.codes)
        return np.pad(counts, (0, self.n_classes - counts.size)).astype(np.float64)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        codes, n_classes = self.codes, self.n_classes
        return RowFeatures(
            lambda rows: (one_hot(codes[rows], n_classes), 0.0), np.ones(self.n_classes)
        )


class DistanceSide(AbstractSide):
    """Rows of numbers under ``-|x_i - x_j|``, whose HSIC is the squared distance covariance."""

    name = "distance"

    def __init__(self, X: FloatArray, exponent: int = 0) -> None:
        self.X, self.exponent, self.n_samples = np.ascontiguousarray(X), exponent, X.shape[0]
        self.is_constant = _all_equal(X)

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        """From differences: a root of rounded products would lose half of the digits at ties."""
        values: FloatArray = cdist(self.X[i], self.X[j])
        return np.negative(values, out=values)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """Landmarks of ``|x| + |y| - |x - y|``, which centring cannot tell from ``-|x - y|``."""
        return distance_features(ArrayRows(self.X, self.X.mean(axis=0)), accuracy, rng)


class MatrixSide(AbstractSide):
    """A kernel matrix that is given."""

    name = "precomputed"
    has_features = False

    def __init__(self, K: FloatArray, exponent: int = 0) -> None:
        self._K, self.exponent, self.n_samples = K, exponent, K.shape[0]
        self._places = np.arange(K.shape[0])
        self.is_constant = bool(K.max() == K.min())

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        return self._K[np.ix_(self._places[i], self._places[j])]

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """None are known: n x n numbers have no rows to make them from."""
        raise ValueError(
            "engine='nystrom' needs rows, and kernel 'precomputed' has none. Use engine='tiled'."
        )


class KernelSide(AbstractSide):
    """Rows of numbers under a kernel of the package; scales of rows are those among all rows."""

    def __init__(self, X: FloatArray, kernel: AbstractKernel, exponent: int = 0) -> None:
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.is_constant = _all_equal(X)
        self._origin = origin = _origin_for(X, kernel)
        self._groups = cache(lambda: group_by_pair(kernel, X - origin))  # one for all copies

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        left, right = self.X[i] - self._origin, self.X[j] - self._origin
        total: FloatArray | None = None
        for group in self._groups():
            factors = group.pair.beta_factors(left)[0], group.pair.beta_factors(right)[1]
            beta = group.pair.beta(*factors, memory if total is None else None)
            factor, values = group.jet(beta, 0, i, j)[0]
            if factor != 1.0:
                values *= factor
            total = values if total is None else np.add(total, values, out=total)
        assert total is not None
        return total

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        return kernel_features(ArrayRows(self.X, self._origin), self.kernel, accuracy, rng)


class SparseSide(AbstractSide):
    """Rows of a CSR matrix under a kernel without scales of rows.

    Blocks of the kernel matrix come from sparse products; the mean is taken out of those, and no
    zero is lost.
    """

    def __init__(self, X: Any, kernel: AbstractKernel, exponent: int = 0) -> None:
        if any(term.has_row_scales for _, term in kernel.terms):
            raise ValueError(
                f"{kernel!r} looks for neighbours among dense rows. Got a sparse matrix: pass "
                ".toarray(), or use kernel 'gaussian'."
            )
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.has_features = X.shape[1] <= MOST_COLUMNS
        self.is_constant = not (X.max(axis=0) - X.min(axis=0)).count_nonzero()
        self._origin = origin = _origin_for(X, kernel)
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


def _origin_for(X: Any, kernel: AbstractKernel) -> FloatArray:
    """The mean of the rows, which saves digits, where centred kernel matrices do not see it."""
    mean = np.asarray(X.sum(axis=0), dtype=np.float64).ravel() / X.shape[0]
    return mean if kernel.ignores_shifts(centered=True) else np.zeros_like(mean)


def _all_equal(X: FloatArray) -> bool:
    """Whether all rows are equal; a look at the first few spares most tables the rest."""
    return not np.ptp(X[:100], axis=0).any() and not np.ptp(X, axis=0).any()


def typical_sparse_distance(X: Column, rng: np.random.Generator) -> float:
    """Median distance of two rows; where most rows are equal, of the different ones there are."""
    n = X.shape[0]
    some = X[np.sort(rng.choice(n, _MOST_ROWS, replace=False))] if n > _MOST_ROWS else X[:]
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
