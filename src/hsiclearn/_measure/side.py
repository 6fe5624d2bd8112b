"""One side of a dependence: rows, and a kernel between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from functools import cache
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, count_codes
from .._engines import group_by_pair
from .._engines.features import Accuracy
from .._paradigms import one_hot
from .._rows import ArrayRows
from .._weights import weights_of_classes
from ..kernels import AbstractKernel
from .features import RowFeatures, distance_features, kernel_features

_MOST_CLASSES = 2000  # with features; beyond, their table of sums outgrows the memory


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
    weights: Column | None = None
    """v, how often each row counts; None where all count once."""
    _sum: float | None = None
    _index: Array | None = None  # the rows taken, among all; all of them by default

    @abstractmethod
    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        """``K[i, j]``, i and j slices or indices among all rows; may be written to ``memory``."""

    @abstractmethod
    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        """Features of all rows, only where ``has_features``."""

    def weigh(self, weights: Column | None, total: float | None) -> None:
        """Let rows count as often as that, ``total`` times together."""
        self.weights, self._sum = weights, total

    @property
    def total(self) -> float:
        """V, the number of rows, each as often as it counts."""
        total = self._sum
        if total is None:
            return self.n_samples
        return int(total) if total.is_integer() else total

    def roots(self) -> FloatArray:
        """``r_i = sqrt(v_i)``, see :mod:`.weighted`."""
        return np.ones(self.n_samples) if self.weights is None else np.sqrt(self.weights)

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
        """Chosen rows, in the order of the index, each counted once.

        What is known of all rows stays and is shared.
        """
        some = copy(self)
        some.weigh(None, None)
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

    def take(self, index: Array) -> Self:
        some = super().take(index)
        some.codes, some._index = self.codes[index], None
        return some

    @property
    def sizes(self) -> FloatArray:  # type: ignore[override]
        """Of the classes, among all rows."""
        if self.weights is not None:
            return weights_of_classes(self.codes, self.weights, self.n_classes)
        counts = count_codes(self.codes)
        return np.pad(counts, (0, self.n_classes - counts.size)).astype(np.float64)

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        codes, n_classes = self.codes, self.n_classes

        def values(rows: slice) -> tuple[FloatArray, FloatArray]:
            F = one_hot(codes[rows], n_classes)
            return F, np.zeros(F.shape[0])

        return RowFeatures(values, np.ones(self.n_classes))


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
        return distance_features(ArrayRows(self.X, _mean(self.X, self.weights)), accuracy, rng)


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

    def __init__(
        self,
        X: FloatArray,
        kernel: AbstractKernel,
        exponent: int = 0,
        weights: FloatArray | None = None,
    ) -> None:
        self.X, self.kernel, self.name, self.exponent = X, kernel, repr(kernel), exponent
        self.n_samples = X.shape[0]
        self.is_constant = _all_equal(X)
        self._origin = origin = origin_for(X, kernel, weights)
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


def origin_for(X: Any, kernel: AbstractKernel, weights: FloatArray | None) -> FloatArray:
    """The mean of the rows, which saves digits, where centred kernel matrices do not see it."""
    if weights is None:
        mean = np.asarray(X.sum(axis=0), dtype=np.float64).ravel() / X.shape[0]
    else:
        mean = X.T @ (weights / weights.sum())
    return mean if kernel.ignores_shifts(centered=True) else np.zeros_like(mean)


def _mean(X: FloatArray, weights: FloatArray | None) -> FloatArray:
    mean: FloatArray = X.mean(axis=0) if weights is None else np.average(X, 0, weights)
    return mean


def _all_equal(X: FloatArray) -> bool:
    """Whether all rows are equal; a look at the first few spares most tables the rest."""
    return not np.ptp(X[:100], axis=0).any() and not np.ptp(X, axis=0).any()
