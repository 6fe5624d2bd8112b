r"""The embedding of rows that were not there: the kernel carries eigenvectors to new rows.

An eigenvector satisfies ``y_i = (1/lambda) sum_j A_ij y_j``; the right-hand side makes sense for
any row. With ``k_j = k(x, x_j)`` and d the degrees (Nystrom extension)::

    normalize="degree"   y(x) = (1/lambda) sum_j k_j y_j / sqrt(d(x) d_j),   d(x) = sum_j k_j
    normalize="none"     y(x) = (1/lambda) sum_j (k_j - mean_i k_ij) y_j

On a training row it returns that row's own embedding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from .._arrays import Array, FloatArray
from .._objective import ClusterPoint
from .._threads import map_in_order, single_threaded_blas
from ..kernels import AbstractKernel, NeighbourScales
from .seeding import one_hot

__all__ = ["Extension"]

_BLOCK = 2**19  # kernel values at a time, per thread: 4 MB each array


@dataclass(frozen=True)
class Extension:
    """Everything ``predict`` needs of the training rows: O(n (q + k)) numbers."""

    kernel: AbstractKernel
    normalize: str
    rows: FloatArray
    scales: tuple[NeighbourScales | None, ...]
    degree: FloatArray
    embedding: FloatArray
    values: FloatArray

    @classmethod
    def of(cls, point: ClusterPoint) -> Extension:
        """From the point a fit ended at; rows are those of the objective's X, projected."""
        objective, k = point.objective, point.embedding.shape[1]
        values = point.spectrum_of_graph.values[:k]
        return cls(
            objective.kernel,
            objective.normalize,
            objective.X @ point.W,
            point.scales,
            point.degree,
            point.embedding,
            np.where(np.abs(values) > 1e-10 * abs(values[0]), values, np.inf),
        )

    def is_like(self, other: Extension) -> bool:
        """Whether the two give all rows the same embedding."""
        return self.kernel == other.kernel and np.array_equal(self.embedding, other.embedding)

    def __call__(self, w: FloatArray) -> FloatArray:
        """The embedding of projected rows."""
        return self._by_blocks(self._embed, w)

    def _by_blocks(self, function: Callable[[FloatArray], FloatArray], w: FloatArray) -> FloatArray:
        size = max(1, _BLOCK // self.rows.shape[0])
        blocks = (w[i : i + size] for i in range(0, w.shape[0], size))
        with single_threaded_blas():
            return np.concatenate(list(map_in_order(function, blocks)))

    def vote(self, w: FloatArray, codes: Array) -> Array:
        """The label that training rows give each projected row, weighted by the kernel.

        A training row keeps its own.
        """
        Y = one_hot(codes, int(codes.max()) + 1)
        votes = self._by_blocks(lambda some: self._multiply(some, Y), w)
        distance, nearest = cKDTree(self.rows).query(w)
        is_ours = distance <= 1e-9 * float(np.sqrt(self.rows.var(axis=0).sum()))
        return np.where(is_ours, codes[nearest], np.argmax(votes, axis=1))

    def _embed(self, w: FloatArray) -> FloatArray:
        n = self.degree.size
        if self.normalize == "degree":
            V = self.embedding / np.sqrt(self.degree)[:, None]
            KV = self._multiply(w, np.append(V, np.ones((n, 1)), axis=1))
            degree = np.maximum(KV[:, -1:], np.finfo(float).tiny)
            return KV[:, :-1] / np.sqrt(degree) / self.values
        mean = self.degree @ self.embedding / n
        return (self._multiply(w, self.embedding) - mean) / self.values

    def _multiply(self, w: FloatArray, V: FloatArray) -> FloatArray:
        """``K V`` with ``K_ij = k(w_i, x_j)``, new rows against all training rows."""
        KV = np.zeros((w.shape[0], V.shape[1]))
        for (weight, kernel), scales in zip(self.kernel.terms, self.scales, strict=True):
            left, _ = kernel.pair.beta_factors(w)
            _, right = kernel.pair.beta_factors(self.rows)
            if scales is not None:
                left = scales.inverse_at(w)[:, None] * left
                right = scales.inverse[:, None] * right
            ((factor, values),) = kernel.jet(kernel.pair.beta(left, right), 0)
            KV += weight * factor * (values @ V)
        return KV
