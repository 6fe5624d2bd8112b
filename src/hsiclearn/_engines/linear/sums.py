"""What the first pass leaves behind: sums of features times columns, ready to be paired."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._arrays import FloatArray
from ...gamma import RowFactor
from ..features import Features

__all__ = ["FeatureSums"]

_ALL = slice(None)


@dataclass(frozen=True)
class FeatureSums:
    """``B_r = R sum_k roots_kr A_k`` of one term, for each kind of columns.

    ``A_k = sum_i E_ik c_i v_i'``, ``P = R' diag(signs) R``, ``core = roots diag(signs) roots'``.
    """

    factor: float
    features: Features
    row_factor: RowFactor
    B: tuple[FloatArray, ...]  # each (rank, D', k)

    @classmethod
    def of(
        cls, factor: float, features: Features, row_factor: RowFactor, sums: list[FloatArray]
    ) -> FeatureSums:
        """From the A_k, each kind of columns an array (slots, D, k)."""
        B = tuple(_whitened(features, row_factor, A) for A in sums)
        return cls(factor, features, row_factor, B)

    @property
    def _weights(self) -> FloatArray:
        """Signs of Gamma and of the features, (rank, D')."""
        return np.multiply.outer(self.row_factor.signs, self.features.signs)

    def form(self, i: int, j: int, left: slice = _ALL, right: slice = _ALL) -> FloatArray:
        """``factor sum_kl core_kl A_k' P A_l`` between columns of kind i and of kind j."""
        L, R = self.B[i][:, :, left], self.B[j][:, :, right]
        weighted = self._weights[:, :, None] * R
        return self.factor * (L.reshape(-1, L.shape[2]).T @ weighted.reshape(-1, R.shape[2]))

    def spread(self, i: int) -> FloatArray:
        """``factor P sum_l core_kl A_l``, (slots, D, k): what turns features into row values."""
        weighted = (self.factor * self._weights)[:, :, None] * self.B[i]
        rank, D, k = weighted.shape
        flat = self.features.unwhiten(weighted.transpose(1, 0, 2).reshape(D, rank * k))
        per_root = flat.reshape(-1, rank, k).transpose(1, 0, 2)
        return np.tensordot(self.row_factor.roots, per_root, (1, 0))


def _whitened(features: Features, factor: RowFactor, A: FloatArray) -> FloatArray:
    B = np.tensordot(factor.roots, A, (0, 0))
    rank, D, k = B.shape
    flat = features.whiten(B.transpose(1, 0, 2).reshape(D, rank * k))
    return flat.reshape(-1, rank, k).transpose(1, 0, 2)
