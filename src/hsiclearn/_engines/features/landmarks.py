r"""Nystrom features: kernel values at a few landmarks z_1 .. z_m in the projected space.

::

    g(w_i, w_j) ~ g(w_i, Z) G^-1 g(Z, w_j),   G = g(Z, Z) = L L'

Landmarks are the pivots of a Cholesky factorisation of g on candidate rows, so that no candidate
is left with an error above the tolerance; the factorisation also delivers L. For a positive
definite g the error of every other row is known too: ``e_i = g(0) - |L^-1 g(Z, w_i)|^2``.

Where g is not definite (row scales) G is decomposed into eigenpairs and the small ones dropped;
no bound exists then.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf as pstrf

from ..._arrays import Array, FloatArray
from ...kernels import AbstractKernel
from ._base import Features


class Candidates(NamedTuple):
    """Projected rows that may become landmarks, with their scales if the kernel has any."""

    w: FloatArray
    scales: FloatArray | None = None

    def take(self, index: Array) -> Candidates:
        """Some of them."""
        return Candidates(self.w[index], None if self.scales is None else self.scales[index])


@final
class NystromFeatures(Features):
    """Values of the ``order``-th derivative of a kernel at landmarks.

    ``rtol`` is the largest error of a candidate, relative to ``|g(0)|``.
    """

    def __init__(
        self,
        kernel: AbstractKernel,
        order: int,
        candidates: Candidates,
        rtol: float,
        max_landmarks: int,
    ) -> None:
        self._kernel, self._order = kernel, order
        self._landmarks = candidates
        G = self.values(candidates.w, candidates.scales, None)
        sign = kernel.definite[order]
        self.is_bounded = sign != 0 and candidates.scales is None
        if self.is_bounded:
            G *= sign
            chosen = self._factorise(G, rtol, max_landmarks)
            self.signs = np.full(chosen.size, float(sign))
        else:
            chosen = self._decompose(G, rtol, max_landmarks)
        self._landmarks = candidates.take(chosen)
        self.size = chosen.size
        self.is_exhausted = chosen.size == min(max_landmarks, candidates.w.shape[0])

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """``g(w_i, Z)``."""
        pair, (z, z_scales) = self._kernel.pair, self._landmarks
        left, right = pair.beta_factors(w)[0], pair.beta_factors(z)[1]
        beta = pair.beta(left, right.astype(w.dtype, copy=False), workspace)
        if scales is None or z_scales is None:
            return self._derivative(beta)
        s = (scales[:, None] * z_scales).astype(w.dtype, copy=False)
        return s**self._order * self._derivative(s * beta)

    def _derivative(self, beta: Array) -> Array:
        kernel, order = self._kernel, self._order
        if kernel.rate is not None and order == 0:
            return kernel.jet(beta, 0)[0][1]  # in the memory of beta
        return (kernel.f, kernel.df, kernel.d2f)[order](beta)

    def _factorise(self, G: FloatArray, rtol: float, max_landmarks: int) -> Array:
        """Pivots of a Cholesky factorisation that ends where the tolerance is met. Gives G up."""
        self._value_at_zero = float(np.max(np.diag(G)))
        tol = rtol * self._value_at_zero
        # G is symmetric: its transpose has the order of columns that lets LAPACK work in place.
        factor, pivots, rank, _ = pstrf(G.T, tol=tol, lower=1, overwrite_a=1)
        rank = min(int(rank), max_landmarks)
        self._L = np.tril(factor[:rank, :rank])
        return pivots[:rank] - 1

    @cached_property
    def _inverse(self) -> FloatArray:
        """``L^-T``."""
        return self.unwhiten(np.eye(self.size))

    def _decompose(self, G: FloatArray, rtol: float, max_landmarks: int) -> Array:
        """Pivots of ``G^2``, which is definite where G is not, and eigenpairs between them."""
        square = G @ G
        scale = float(np.max(np.diag(square)))
        _, pivots, rank, _ = pstrf(square, tol=rtol**2 * scale, lower=1)
        chosen = pivots[: min(int(rank), max_landmarks)] - 1
        values, vectors = np.linalg.eigh(G[np.ix_(chosen, chosen)])
        keep = np.abs(values) > max(1e-2 * rtol, 1e-12) * np.max(np.abs(values))
        self._root = (vectors[:, keep] / np.sqrt(np.abs(values[keep]))).T
        self.signs = np.sign(values[keep])
        return chosen

    def whiten(self, A: FloatArray) -> FloatArray:
        """``L^-1 A``."""
        if not self.is_bounded:
            return self._root @ A
        return solve_triangular(self._L, A, lower=True, check_finite=False)

    def unwhiten(self, B: FloatArray) -> FloatArray:
        """``L^-T B``."""
        if not self.is_bounded:
            return self._root.T @ B
        return solve_triangular(self._L, B, lower=True, trans=1, check_finite=False)

    def missing(self, C: Array) -> FloatArray:
        """``g(0) - |L^-1 c_i|^2``, kept above what it rounds to."""
        B = C @ self._inverse  # one product: many times faster than a triangular solve
        share = np.einsum("ij,ij->i", B, B)
        rounding = 4.0 * self.size * np.finfo(C.dtype).eps * self._value_at_zero
        return np.maximum(self._value_at_zero - share, rounding)
