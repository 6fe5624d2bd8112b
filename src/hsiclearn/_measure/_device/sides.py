"""One side of a dependence on a device: rows there, and a kernel between them."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from typing import Any, Self

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._columns import Column
from ..._devices import beside, in_dtype, memory_budget, name_of_device, numpy_dtype
from ..._engines.features import Accuracy
from ..features import RowFeatures
from ..side import AbstractSide, ClassSide
from .landmarks import features_of

Part = tuple[Array, ...]
"""Some rows: of every array of a side the same ones."""


class DeviceSide(AbstractSide):
    """n rows on a device, whose kernel matrix is made there, block by block.

    ``definite`` is 1 or -1 where the kernel times it is positive definite, at least between rows
    that are ``centered_only``: sums of whose weights are 0. It is 0 where neither is known.
    ``dtype`` is that of blocks.
    """

    arrays: Part
    dtype: np.dtype[Any]
    definite: int = 0
    centered_only: bool = False

    def __init__(self, arrays: Part) -> None:
        self.arrays, self.n_samples = arrays, int(arrays[0].shape[0])
        self.dtype = numpy_dtype(arrays[0])
        self.device = name_of_device(arrays[0])

    @property
    def has_features(self) -> bool:  # type: ignore[override]
        """Where the kernel is definite landmarks can stand for rows."""
        return self.definite != 0

    @property
    def like(self) -> Array:
        """An array of the device."""
        return self.arrays[0]

    @property
    def budget(self) -> int:
        """Bytes that blocks may take."""
        return memory_budget(self.like)

    def weights_there(self) -> Array | None:
        """The weights of the rows on the device, in double precision."""
        return None if self.weights is None else beside(self.weights, self.like, np.float64)

    @abstractmethod
    def block(self, left: Part, right: Part) -> Array:
        """K between two parts."""

    @abstractmethod
    def diagonal(self, part: Part) -> Array:
        """``k(x, x)`` of the rows of a part."""

    def part(self, rows: slice) -> Part:
        """Consecutive rows."""
        return tuple(array[rows, ...] for array in self.arrays)

    def chosen(self, index: Array) -> Part:
        """Rows by number, the numbers on the device."""
        xp = array_namespace(index)
        return tuple(xp.take(array, index, axis=0) for array in self.arrays)

    def origin(self) -> Part:
        """A row, any, from which the others are seen: only of a kernel ``centered_only``."""
        return self.part(slice(0, 1))

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> Array:
        return self.block(self.part(rows), self.part(cols))

    def _block(self, i: Any, j: Any, memory: Array | None) -> Array:
        return self.block(self.chosen(i), self.chosen(j))

    def take(self, index: Array) -> Self:
        some = copy(self)
        some.weigh(None, None)
        some.arrays = self.chosen(beside(index, self.like, np.int64))
        some.n_samples = index.size
        return some

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        if not self.definite:
            raise ValueError(
                f"engine='nystrom' needs a definite kernel on a device. Got {self.name}: use "
                "engine='tiled', or pass the rows as numpy arrays."
            )
        return features_of(self, accuracy, rng)


class DeviceClassSide(DeviceSide):
    """Labels under the delta kernel; the labels are on the host, too."""

    name = "delta"
    definite = 1

    def __init__(self, labels: ClassSide, like: Array, dtype: np.dtype[Any]) -> None:
        super().__init__((beside(labels.codes, like, np.int64),))
        self.labels, self.dtype = labels, dtype
        self.is_constant = labels.is_constant

    def weigh(self, weights: Column | None, total: float | None) -> None:
        super().weigh(weights, total)
        self.labels.weigh(weights, total)

    def take(self, index: Array) -> Self:
        some = super().take(index)
        some.labels = self.labels.take(index)
        return some

    @property
    def sizes(self) -> FloatArray:  # type: ignore[override]
        """Of the classes, among all rows."""
        return self.labels.sizes

    def block(self, left: Part, right: Part) -> Array:
        equal = left[0][:, None] == right[0][None, :]
        xp = array_namespace(left[0])
        return xp.astype(equal, getattr(xp, self.dtype.name))

    def diagonal(self, part: Part) -> Array:
        xp = array_namespace(part[0])
        return in_dtype(xp.ones_like(part[0]), np.float64)


class DeviceDistanceSide(DeviceSide):
    """Rows of numbers under ``-|x_i - x_j|``."""

    name = "distance"
    definite = 1
    centered_only = True

    def __init__(self, X: Array, is_constant: bool, exponent: int = 0) -> None:
        super().__init__((X,))
        self.is_constant, self.exponent = is_constant, exponent

    def block(self, left: Part, right: Part) -> Array:
        """From differences: a root of rounded products would lose half of the digits at ties."""
        xp, (x,), (z,) = array_namespace(left[0]), left, right
        if x.shape[1] == 1:
            return -xp.abs(x - z.T)
        squares = None
        for k in range(x.shape[1]):
            d = x[:, k, None] - z[None, :, k]
            squares = d * d if squares is None else squares + d * d
        return -xp.sqrt(squares)

    def diagonal(self, part: Part) -> Array:
        xp = array_namespace(part[0])
        return xp.zeros_like(part[0][:, 0])


class DeviceMatrixSide(DeviceSide):
    """A kernel matrix that is given; a part of it is the numbers of its rows."""

    name = "precomputed"

    def __init__(self, K: Array, is_constant: bool, exponent: int = 0) -> None:
        xp = array_namespace(K)
        super().__init__((xp.arange(K.shape[0], dtype=xp.int64, device=K.device),))
        self._is_whole, self.dtype = True, numpy_dtype(K)
        self.K, self.is_constant, self.exponent = K, is_constant, exponent

    def block(self, left: Part, right: Part) -> Array:
        """Numbers of entries rather than of rows and then of columns: no row is copied whole."""
        xp, n = array_namespace(self.K), self.K.shape[0]
        entries = left[0][:, None] * n + right[0][None, :]
        found = xp.take(xp.reshape(self.K, (-1,)), xp.reshape(entries, (-1,)), axis=0)
        return xp.reshape(found, (left[0].shape[0], right[0].shape[0]))

    def tile(self, rows: slice, cols: slice, memory: Array | None = None) -> Array:
        return self.K[rows, cols] if self._is_whole else super().tile(rows, cols)

    def take(self, index: Array) -> Self:
        some = super().take(index)
        some._is_whole = False
        return some

    def diagonal(self, part: Part) -> Array:
        xp, n = array_namespace(self.K), self.K.shape[0]
        return xp.take(xp.reshape(self.K, (-1,)), part[0] * (n + 1), axis=0)
