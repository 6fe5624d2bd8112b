"""A Gamma of low rank."""

from __future__ import annotations

from operator import add
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, fold, mapped, summed
from .._weights import total_weight
from ._base import AbstractGamma, as_matrix, leading, psd_up_to_rounding, zero_up_to_rounding
from .pair_tiles import PairTiles, factor_tiles
from .row_factor import RowFactor, WeightedFactor


@final
class LowRank(AbstractGamma):
    """``Gamma = U diag(s) U'``.

    Parameters
    ----------
    U : array, shape (n_samples, rank)
        Or a handle to one that is elsewhere.
    s : array, shape (rank,), default=None
        Signed weights; None means ones.
    """

    def __init__(self, U: Column, s: Array | None = None) -> None:
        self.U: Column = U if isinstance(U, AbstractColumn) else as_matrix(U, "U")
        self.n_samples, rank = self.U.shape
        self.s = np.ones(rank) if s is None else np.asarray(s, dtype=np.float64)
        if self.s.shape != (rank,) or not np.all(np.isfinite(self.s)):
            raise ValueError(
                f"`s` must hold one finite weight per column of `U`, shape ({rank},). "
                f"Got shape {self.s.shape}."
            )

    @classmethod
    def centered(cls, U: Column, weights: Column | None = None) -> LowRank:
        """``H U U' H``; with weights of rows U less its weighted mean."""
        U = U if isinstance(U, AbstractColumn) else as_matrix(U, "U")
        if weights is None:
            mean = summed(U, lambda values: values.sum(axis=0)) / U.shape[0]
        else:
            total = fold(U, lambda place, values: weights[place] @ values, add, "sum")
            mean = total / total_weight(weights)
        return cls(mapped(U, lambda values: values - mean))

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """One thin product."""
        return (self.U[rows] * self.s) @ self.U[cols].T

    def tiles_on(self, like: Array) -> PairTiles:
        """Thin products."""
        return factor_tiles(self.U, self.s, like)

    def apply(self, V: Array) -> Array:
        """``U (s * (U'V))``, O(n rank k)."""
        return self.U @ (self.s[:, None] * (self.U.T @ V))

    def take(self, index: Array) -> LowRank:
        """The same factor on chosen rows."""
        return LowRank(self.U[index], self.s)

    def centered_on(self, index: Array, weights: Array | None = None) -> LowRank:
        """The factor on chosen rows, less its mean there."""
        U = self.U[index]
        mean = U.mean(axis=0) if weights is None else weights @ U / weights.sum()
        return LowRank(U - mean, self.s)

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Orthogonal factors, from a thin QR and an eigenproblem of size rank."""
        Q, R = np.linalg.qr(self.U if weights is None else weights[:, None] * self.U)
        values, vectors = np.linalg.eigh((R * self.s) @ R.T)
        vectors, values = leading(values, vectors, max_rank)
        return Q @ vectors, values

    def absolute_form(self, g: FloatArray) -> float:
        """``(sum_i a_i g_i)^2``, ``a_i^2 = sum_k |s_k| U_ik^2``, as ``|Gamma_ij| <= a_i a_j``."""
        return float(np.sqrt((self.U**2) @ np.abs(self.s)) @ g) ** 2

    def row_factor(self) -> RowFactor:
        """Rows of U."""
        return WeightedFactor(self.U, self.s)

    def scaled(self, factor: float) -> LowRank:
        """``factor * Gamma``."""
        return LowRank(self.U, factor * self.s)

    @property
    def is_centered(self) -> bool:
        """Zero row sums: ``U diag(s) (U'1) = 0``."""
        return self.is_centered_by(None)

    def is_centered_by(self, weights: Column | None) -> bool:
        """``U diag(s) (U'v) = 0``."""
        s = self.s

        def sums(place: slice, U: FloatArray) -> FloatArray:
            U = U if weights is None else weights[place][:, None] * U
            return np.stack([U.sum(axis=0), np.abs(U).sum(axis=0)])

        total, sizes = fold(self.U, sums, add, "sum")

        def largest(_: slice, U: FloatArray) -> FloatArray:
            sums, widths = U @ (s * total), np.abs(U) @ np.abs(s)
            return np.array([np.abs(v).max(initial=0.0) for v in (sums, widths)])

        most, widest = fold(self.U, largest, np.maximum, "centre")
        return zero_up_to_rounding(most, float(widest * sizes.sum()))

    @property
    def is_psd(self) -> bool:
        """From the small eigenproblem, so that negative weights that cancel do no harm."""
        if np.all(self.s >= 0):
            return True
        return psd_up_to_rounding(self.factors(self.U.shape[1])[1])

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"LowRank(n_samples={self.n_samples}, rank={self.U.shape[1]})"
