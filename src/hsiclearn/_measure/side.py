"""One side of a dependence: rows, and a kernel between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._engines import Factors, Group, group_by_pair
from .._engines.features import Accuracy
from .._rows import ArrayRows
from ..kernels import AbstractKernel
from .features import RowFeatures, distance_features, kernel_features, one_hot_features

__all__ = ["AbstractSide", "ClassSide", "DistanceSide", "KernelSide", "MatrixSide", "all_equal"]

_MOST_CLASSES = 2000  # with features; beyond, their table of sums outgrows the memory


class AbstractSide(ABC):
    """n rows whose kernel matrix K is asked for block by block, or by features of rows.

    ``is_constant`` where all rows are equal: nothing depends on such a side.
    """

    name: str
    n_samples: int
    is_constant: bool
    has_features: bool = True
    exponent: int = 0
    """K is ``2^exponent`` times the matrix that is shown here."""

    @abstractmethod
    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        """``K[rows, cols]``, an array that the caller may write over."""

    @abstractmethod
    def take(self, index: Array) -> AbstractSide:
        """Chosen rows, in the order of the index, under the same kernel."""

    @abstractmethod
    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """Features of rows, only where ``has_features``."""

    def matrix(self) -> FloatArray:
        """K."""
        everything = slice(0, self.n_samples)
        return self.tile(everything, everything)


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
        """The sum of the kernel's terms on a block."""
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
        """Monomials, a Taylor series or landmarks, term by term."""
        return kernel_features(ArrayRows(self.X, self.origin), self.kernel, accuracy, rng)


class ClassSide(AbstractSide):
    """Labels under the delta kernel ``[y_i = y_j]``."""

    name = "delta"

    def __init__(self, codes: Array, n_classes: int) -> None:
        self.codes, self.n_classes = codes, n_classes
        self.n_samples = codes.shape[0]
        self.is_constant = n_classes == 1
        self.has_features = n_classes <= _MOST_CLASSES

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        """1 where the labels agree."""
        left, right = self.codes[rows][:, None], self.codes[cols]
        if memory is None:
            return (left == right).astype(np.float64)
        out = memory[: left.size * right.size].reshape(left.size, right.size)
        return np.equal(left, right, out=out, casting="unsafe")

    @property
    def sizes(self) -> FloatArray:
        """Rows of every class."""
        return np.bincount(self.codes, minlength=self.n_classes).astype(np.float64)

    def take(self, index: Array) -> ClassSide:
        """Chosen rows."""
        return ClassSide(self.codes[index], self.n_classes)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """One column per class: exact."""
        return one_hot_features(self.codes, self.n_classes)


class DistanceSide(AbstractSide):
    """Rows of numbers under ``-|x_i - x_j|``, whose HSIC is the squared distance covariance."""

    name = "distance"

    def __init__(self, X: FloatArray, exponent: int = 0) -> None:
        self.X, self.exponent = np.ascontiguousarray(X), exponent
        self.n_samples = X.shape[0]
        self.is_constant = all_equal(X)

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        """From differences: a root of rounded products would lose half of the digits at ties."""
        values: FloatArray = cdist(self.X[rows], self.X[cols])
        return np.negative(values, out=values)

    def take(self, index: Array) -> DistanceSide:
        """Chosen rows."""
        return DistanceSide(self.X[index], self.exponent)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """Landmarks of ``|x| + |y| - |x - y|``, which centring cannot tell from ``-|x - y|``."""
        return distance_features(ArrayRows(self.X, self.X.mean(axis=0)), accuracy, rng)


class MatrixSide(AbstractSide):
    """A kernel matrix that is given."""

    name = "precomputed"
    has_features = False

    def __init__(self, K: FloatArray, exponent: int = 0, index: Array | None = None) -> None:
        self._K, self._index = K, np.arange(K.shape[0]) if index is None else index
        self.exponent = exponent
        self.n_samples = self._index.size
        self.is_constant = bool(K.max() == K.min())

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        """A copy of the block."""
        return self._K[np.ix_(self._index[rows], self._index[cols])]

    def take(self, index: Array) -> MatrixSide:
        """Chosen rows and columns; the matrix is not copied."""
        return MatrixSide(self._K, self.exponent, self._index[index])

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """None are known: n x n numbers have no rows to make them from."""
        raise ValueError(
            "engine='nystrom' needs rows, and kernel 'precomputed' has none. Use engine='tiled'."
        )


def all_equal(X: FloatArray) -> bool:
    """Whether all rows are equal; a look at the first few spares most tables the rest."""
    return not np.ptp(X[:100], axis=0).any() and not np.ptp(X, axis=0).any()
