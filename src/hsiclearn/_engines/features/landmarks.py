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

from copy import copy
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf as potrf
from scipy.linalg.lapack import dpstrf as pstrf

from ..._arrays import Array, FloatArray, array_namespace, matmul_into
from ..._devices import Placed, beside, is_foreign, numpy_dtype, writes_into
from ...kernels import AbstractKernel
from ._base import Features


class Candidates(NamedTuple):
    """Projected rows that may become landmarks.

    With their scales if the kernel has any, and where they stand in the table.
    """

    w: FloatArray
    scales: FloatArray | None = None
    places: Array | None = None

    def take(self, some: Array | slice) -> Candidates:
        """Some of them."""
        w, scales, places = self
        return Candidates(
            w[some],
            None if scales is None else scales[some],
            None if places is None else places[some],
        )


@final
class NystromFeatures(Features):
    """Values of the ``order``-th derivative of a kernel at landmarks.

    ``rtol`` is the largest error of a candidate, relative to ``|g(0)|``.
    """

    landmarks: Candidates

    def __init__(
        self,
        kernel: AbstractKernel,
        order: int,
        candidates: Candidates,
        rtol: float,
        max_landmarks: int,
    ) -> None:
        self._kernel, self._order = kernel, order
        self.landmarks = candidates
        G = self.values(candidates.w, candidates.scales, None)
        sign = kernel.definite[order]
        self.is_bounded = sign != 0 and candidates.scales is None
        if self.is_bounded:
            G *= sign
            chosen = self._factorise(G, rtol, max_landmarks)
            self.signs = np.full(chosen.size, float(sign))
        else:
            chosen = self._decompose(G, rtol, max_landmarks)
        self.landmarks = candidates.take(chosen)
        self.size = chosen.size
        self.is_exhausted = chosen.size == min(max_landmarks, candidates.w.shape[0])

    def at(self, landmarks: Candidates) -> NystromFeatures:
        """The same rows at other places: only the factor of ``g(Z, Z)`` is new."""
        twin = copy(self)
        for name in ("_inverse", "_placed_factor", "_placed_inverse", "_placed_root"):
            twin.__dict__.pop(name, None)
        twin.landmarks = landmarks
        G = twin.values(landmarks.w, landmarks.scales, None)
        if twin.is_bounded:
            twin._L = _triangle(float(self.signs[0]) * G)
        else:
            twin._set_root(G)
        return twin

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """``g(w_i, Z)``."""
        if is_foreign(w) and self._kernel.rate is not None and scales is None:
            return self._exponentials(w)
        pair, z_scales = self._kernel.pair, self.landmarks.scales
        left, right = pair.beta_factors(w)[0], self._factor_beside(w)
        beta = pair.beta(left, right, workspace)
        kernel, order = self._kernel, self._order
        s = None
        if scales is not None and z_scales is not None:
            s = scales[:, None] * beside(z_scales, w, np.float64)
            s = array_namespace(w).astype(s, w.dtype, copy=False)
            beta = s * beta
        if kernel.rate is not None and order == 0:
            g = kernel.jet(beta, 0)[0][1]  # in the memory of beta
        else:
            g = (kernel.f, kernel.df, kernel.d2f)[order](beta)
        return g if s is None else s**order * g

    def _exponentials(self, w: Array) -> Array:
        """``g(beta) = g(0) exp(rate beta)`` on a device, in as few passes over memory as can be."""
        kernel, xp = self._kernel, array_namespace(w)
        assert kernel.rate is not None
        left = kernel.rate * kernel.pair.beta_factors(w)[0]
        exponent = left @ self._factor_beside(w).T
        in_place = {"out": exponent} if writes_into(w) else {}
        g = xp.exp(exponent, **in_place)
        at_zero = float(np.asarray((kernel.f, kernel.df, kernel.d2f)[self._order](np.zeros(1)))[0])
        if at_zero != 1.0:
            g *= at_zero
        return g

    def _factor_beside(self, w: Array) -> Array:
        """What the landmarks are in beta, in the dtype of w."""
        if is_foreign(w):
            return self._placed_factor.beside(w)
        factor: Array = self._kernel.pair.beta_factors(self.landmarks.w)[1]
        return factor.astype(w.dtype, copy=False)

    @cached_property
    def _placed_factor(self) -> Placed:
        return Placed(self._kernel.pair.beta_factors(self.landmarks.w)[1])

    @cached_property
    def _placed_inverse(self) -> Placed:
        return Placed(self._inverse)

    @cached_property
    def _placed_root(self) -> Placed:
        return Placed(self._root)

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
        # In units of the largest: squares of slopes at rows far apart would vanish.
        unit = float(np.max(np.abs(G), initial=0.0)) or 1.0
        square = (G / unit) @ (G / unit)
        scale = float(np.max(np.diag(square)))
        _, pivots, rank, _ = pstrf(square, tol=rtol**2 * scale, lower=1)
        chosen = pivots[: min(int(rank), max_landmarks)] - 1
        self._smallest = max(1e-2 * rtol, 1e-12)
        self._set_root(G[np.ix_(chosen, chosen)])
        return chosen

    def _set_root(self, G: FloatArray) -> None:
        """Eigenpairs of G, less the small ones."""
        values, vectors = np.linalg.eigh(G)
        keep = np.abs(values) > self._smallest * np.max(np.abs(values))
        self._root = (vectors[:, keep] / np.sqrt(np.abs(values[keep]))).T
        self.signs = np.sign(values[keep])

    def whiten(self, A: Array) -> Array:
        """``L^-1 A``; on a device, which has no such solver, by the inverse made on the host."""
        if not self.is_bounded:
            return self._placed_root.beside(A) @ A
        if is_foreign(A):
            return self._placed_inverse.beside(A).T @ A
        return solve_triangular(self._L, A, lower=True, check_finite=False)

    def unwhiten(self, B: Array) -> Array:
        """``L^-T B``, likewise."""
        if not self.is_bounded:
            return self._placed_root.beside(B).T @ B
        if is_foreign(B):
            return self._placed_inverse.beside(B) @ B
        return solve_triangular(self._L, B, lower=True, trans=1, check_finite=False)

    def missing(self, C: Array, workspace: Array | None = None) -> Array:
        """``g(0) - |L^-1 c_i|^2``, kept above what it rounds to."""
        # One product: many times faster than a triangular solve.
        rounding = 4.0 * self.size * float(np.finfo(numpy_dtype(C)).eps) * self._value_at_zero
        if is_foreign(C):
            xp, B = array_namespace(C), C @ self._placed_inverse.beside(C)
            return xp.clip(self._value_at_zero - xp.sum(B * B, axis=1), min=rounding)
        B = matmul_into(workspace, C, self._inverse)
        share = np.einsum("ij,ij->i", B, B)
        return np.maximum(self._value_at_zero - share, rounding)


def _triangle(G: FloatArray) -> FloatArray:
    """L of ``G = L L'``; of landmarks that have come to lie nearly on each other, nearly."""
    lift = 0.0
    while True:
        factor, info = potrf(G + lift * np.eye(G.shape[0]), lower=1, clean=1)
        if info == 0:
            return np.asarray(factor)
        lift = max(10.0 * lift, 1e-14 * float(np.trace(G)))
