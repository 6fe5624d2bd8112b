"""The spectrum of a symmetric matrix in two halves: inside a subspace, and in its complement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray
from .eigen import FULL_UP_TO, start_block
from .krylov import block_krylov
from .subspace import safe_norm

__all__ = ["SplitSpectrum", "is_split_in_full", "null_space_of", "split_spectrum"]


@dataclass(frozen=True)
class SplitSpectrum:
    """Spectra of A inside a subspace and inside its complement.

    ``W'AW = S diag(inner) S'``, and ``B diag(outer) B'`` is A compressed to the complement of
    W. For large d, B holds the lowest part only and ``rest`` stands for what is missing. ``norm``
    is ``|A|_F``.
    """

    S: FloatArray
    inner: FloatArray
    B: FloatArray
    outer: FloatArray
    rest: float
    norm: float

    @property
    def gap(self) -> float:
        """Lowest eigenvalue outside less the highest inside; negative if W is not lowest."""
        return float(self.outer[0] - self.inner[-1]) if self.outer.size else np.inf

    def divide(self, Z: FloatArray, floor: float) -> FloatArray:
        """``M^-1 Z`` for Z orthogonal to W, M the diagonal ``|2 (outer_i - inner_j)|``.

        Entries are kept above ``floor`` times the largest, or a tenth of ``|A|_F``: where W lies
        halfway between eigenvectors all differences are rounding, and no scale for anything.
        """
        known = np.abs(2.0 * (self.outer[:, None] - self.inner[None, :]))
        lowest = floor * max(float(known.max(initial=0.0)), 0.1 * self.norm, np.finfo(float).tiny)
        known = np.maximum(known, lowest)
        ZS = Z @ self.S
        C = self.B.T @ ZS
        if self.B.shape[1] == Z.shape[0] - Z.shape[1]:
            return (self.B @ (C / known)) @ self.S.T
        rest = np.maximum(np.abs(2.0 * (self.rest - self.inner)), lowest)
        return (ZS / rest + self.B @ (C / known - C / rest)) @ self.S.T


def split_spectrum(A: FloatArray, W: FloatArray) -> SplitSpectrum:
    """Decompose A along W and its complement."""
    d, q = W.shape
    AW = A @ W
    inner, S = np.linalg.eigh(W.T @ AW)
    norm = safe_norm(A)
    k = min(d - q, q + 10)
    if is_split_in_full(d, q):
        B = null_space_of(W)
        outer, vectors = np.linalg.eigh(B.T @ A @ B)
        return SplitSpectrum(S, inner, B @ vectors, outer, 0.0, norm)
    outer, B = _lowest_of_complement(A, W, k)
    missing = max(d - q - outer.size, 1)
    rest = float((np.trace(A) - inner.sum() - outer.sum()) / missing)
    return SplitSpectrum(S, inner, B, outer, rest, norm)


def is_split_in_full(d: int, q: int) -> bool:
    """Whether B spans all of the complement of q columns among d."""
    return d <= FULL_UP_TO or 12 * min(d - q, q + 10) > d


def null_space_of(W: FloatArray) -> FloatArray:
    """Orthonormal basis of the complement of W, from a full QR."""
    return np.linalg.qr(W, mode="complete")[0][:, W.shape[1] :]


def _lowest_of_complement(A: FloatArray, W: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """Lowest Ritz pairs of A compressed to the complement of W.

    They only shape a preconditioner and a first guess: a few blocks are enough, and a
    spectrum too crowded for more is no reason to go on.
    """
    lift = 2.0 * float(np.linalg.norm(A))  # W itself is moved above everything else

    def compressed(V: FloatArray) -> FloatArray:
        inside = W @ (W.T @ V)
        V = A @ (V - inside)
        return V - W @ (W.T @ V) + lift * inside

    start = start_block(W.shape[0], k, None)
    start -= W @ (W.T @ start)
    found = block_krylov(compressed, start, n_exact=1, atol=np.inf, max_blocks=6)
    assert found is not None  # without a bound on the residuals the first answer is accepted
    values, vectors = found
    return values, np.linalg.qr(vectors - W @ (W.T @ vectors))[0]
