"""One side of a dependence: rows, and a kernel between them."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._engines.features import Accuracy
from .._paradigms import one_hot
from .._rows import ArrayRows
from .features import RowFeatures, distance_features

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


class ClassSide(AbstractSide):
    """Labels under the delta kernel ``[y_i = y_j]``."""

    name = "delta"

    def __init__(self, codes: Array, n_classes: int) -> None:
        self.codes, self.n_classes = codes, n_classes
        self.n_samples = codes.shape[0]
        self.is_constant = n_classes == 1
        self.has_features = n_classes <= _MOST_CLASSES

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> FloatArray:
        left, right = self.codes[rows][:, None], self.codes[cols]
        if memory is None:
            return (left == right).astype(np.float64)
        out = memory[: left.size * right.size].reshape(left.size, right.size)
        return np.equal(left, right, out=out, casting="unsafe")

    @property
    def sizes(self) -> FloatArray:
        return np.bincount(self.codes, minlength=self.n_classes).astype(np.float64)

    def take(self, index: Array) -> ClassSide:
        return ClassSide(self.codes[index], self.n_classes)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        return RowFeatures(
            lambda rows: (one_hot(self.codes[rows], self.n_classes), 0.0), np.ones(self.n_classes)
        )


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
        return self._K[np.ix_(self._index[rows], self._index[cols])]

    def take(self, index: Array) -> MatrixSide:
        return MatrixSide(self._K, self.exponent, self._index[index])

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """None are known: n x n numbers have no rows to make them from."""
        raise ValueError(
            "engine='nystrom' needs rows, and kernel 'precomputed' has none. Use engine='tiled'."
        )


def all_equal(X: FloatArray) -> bool:
    """Whether all rows are equal; a look at the first few spares most tables the rest."""
    return not np.ptp(X[:100], axis=0).any() and not np.ptp(X, axis=0).any()
