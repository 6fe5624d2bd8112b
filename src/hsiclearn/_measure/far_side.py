"""Sides whose rows are elsewhere: pairs of them are not visited, only features of each are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn
from .._engines.features import Accuracy
from .._rows import Summary, as_rows
from ..kernels import AbstractKernel
from .features import RowFeatures, distance_features, kernel_features
from .side import AbstractSide
from .sparse_side import MOST_COLUMNS


class _FarSide(AbstractSide):
    """Numbers of rows that are elsewhere, and what was seen of them."""

    def __init__(self, X: AbstractColumn, seen: Summary, exponent: int = 0) -> None:
        self.column, self.exponent, self.n_samples = X, exponent, len(X)
        self._rows, self._mean = as_rows(X), seen.mean
        self.is_constant = not np.any(seen.lowest < seen.highest)

    def _block(self, i: Any, j: Any, memory: Array | None) -> FloatArray:
        raise RuntimeError("Pairs of rows that are elsewhere are not visited: choose by features.")


class FarDistanceSide(_FarSide):
    """Such rows under ``-|x_i - x_j|``."""

    name = "distance"

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        return distance_features(self._rows.centered(self._mean), accuracy, rng)


class FarKernelSide(_FarSide):
    """Such rows under a kernel of the package without scales of rows."""

    def __init__(
        self, X: AbstractColumn, seen: Summary, kernel: AbstractKernel, exponent: int = 0
    ) -> None:
        if any(term.has_row_scales for _, term in kernel.terms):
            raise ValueError(
                f"{kernel!r} looks for the neighbours of each row among all. Got {len(X)} rows of "
                "Dask, too many to be fetched: use kernel 'gaussian', or rows drawn at random, in "
                "memory."
            )
        super().__init__(X, seen, exponent)
        self.kernel, self.name = kernel, repr(kernel)
        self.has_features = not X.is_sparse or X.shape[1] <= MOST_COLUMNS

    def features(self, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
        moves = not self.kernel.ignores_shifts(centered=True)
        rows = self._rows if moves else self._rows.centered(self._mean)
        return kernel_features(rows, self.kernel, accuracy, rng)
