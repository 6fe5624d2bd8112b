"""A Gamma the user wrote out."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.sparse.linalg import eigsh

from .._arrays import Array, FloatArray
from .._devices import beside
from ._base import (
    AbstractGamma,
    as_matrix,
    check_symmetric,
    leading,
    psd_up_to_rounding,
    zero_up_to_rounding,
)
from .pair_tiles import PairTiles


@final
class Dense(AbstractGamma):
    """Any symmetric n x n matrix. Costs n^2 numbers: prefer a structured one where it exists.

    Parameters
    ----------
    matrix : array, shape (n_samples, n_samples)
    """

    def __init__(self, matrix: Array) -> None:
        self.matrix = as_matrix(matrix, "gamma")
        check_symmetric(self.matrix, "gamma")
        self.n_samples = self.matrix.shape[0]

    @classmethod
    def centered(cls, matrix: Array, weights: Array | None = None) -> Dense:
        """``H K H``; with weights of rows less their weighted means."""
        K = as_matrix(matrix, "gamma")
        check_symmetric(K, "gamma")
        K = 0.5 * (K + K.T)  # to the bit, here and below: what centring leaves may be rounding
        if weights is None:
            mean = K.mean(axis=0)
            return cls(K - (mean + mean[:, None]) + mean.mean())
        v = np.asarray(weights) / np.sum(weights)
        mean = v @ K
        return cls(K - (mean + mean[:, None]) + v @ mean)

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """A view."""
        return self.matrix[rows, cols]

    def tiles_on(self, like: Array) -> PairTiles:
        """Views of one copy there."""
        there = beside(self.matrix, like)
        return lambda rows, cols: there[rows, cols]

    def apply(self, V: Array) -> Array:
        """``Gamma V``."""
        return self.matrix @ V

    def take(self, index: Array) -> Dense:
        """The chosen rows and columns."""
        return Dense(self.matrix[np.ix_(index, index)])

    def centered_on(self, index: Array, weights: Array | None = None) -> Dense:
        """The chosen rows and columns, less their means."""
        return Dense.centered(self.matrix[np.ix_(index, index)], weights)

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """The leading eigenpairs by size."""
        n, M = self.n_samples, self.matrix
        if weights is not None:
            M = weights[:, None] * M * weights
        if max_rank >= n - 1 or n <= 200:
            values, vectors = np.linalg.eigh(M)
        else:
            values, vectors = eigsh(M, k=max_rank, which="LM", v0=np.ones(n))
        return leading(values, vectors, max_rank)

    def absolute_form(self, g: FloatArray) -> float:
        """Exact."""
        return float(g @ (np.abs(self.matrix) @ g))

    def scaled(self, factor: float) -> Dense:
        """``factor * Gamma``."""
        return Dense(factor * self.matrix)

    @property
    def is_centered(self) -> bool:
        """Zero row sums."""
        scale = float(np.abs(self.matrix).sum(axis=1).max(initial=0.0))
        return zero_up_to_rounding(self.matrix.sum(axis=1), scale)

    @property
    def is_psd(self) -> bool:
        """From all eigenvalues: O(n^3), asked for only before a warning about the kernel."""
        return psd_up_to_rounding(np.linalg.eigvalsh(self.matrix))

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"Dense(n_samples={self.n_samples})"
