"""Eigenproblems of symmetric matrices: the lowest part of a spectrum, and its two halves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dgecon as gecon
from scipy.linalg.lapack import dgetrf as getrf
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from .._arrays import FloatArray

__all__ = [
    "Spectrum",
    "SplitSpectrum",
    "has_full_rank",
    "lowest_eigenpairs",
    "lowest_eigenvectors",
    "split_spectrum",
]

_FULL_UP_TO = 200  # a full eigendecomposition of this size costs a few milliseconds


@dataclass(frozen=True)
class Spectrum:
    """The lowest eigenpairs of a symmetric matrix, ascending.

    ``rest`` is the mean of the eigenvalues that are not among ``values``; it is 0 when
    all are.
    """

    values: FloatArray
    vectors: FloatArray
    rest: float


def lowest_eigenpairs(A: FloatArray, k: int) -> Spectrum:
    """The k lowest eigenpairs of A, or all of them where all cost no more.

    Small matrices are decomposed whole; large ones by Lanczos (ARPACK) from a fixed vector,
    with the dense routine behind it for spectra too clustered for Lanczos.
    """
    d = A.shape[0]
    if d > _FULL_UP_TO and 6 * k < d:
        try:
            v0 = np.random.default_rng(0).standard_normal(d)
            values, vectors = eigsh(A, k=k, which="SA", v0=v0, ncv=min(d, 2 * k + 20))
            order = np.argsort(values, kind="stable")
            values, vectors = values[order], np.linalg.qr(vectors[:, order])[0]
            return Spectrum(values, vectors, float((np.trace(A) - values.sum()) / (d - k)))
        except ArpackNoConvergence:
            pass
    values, vectors = np.linalg.eigh(A)
    return Spectrum(values, vectors, 0.0)


def lowest_eigenvectors(A: FloatArray, q: int, tie_breaker: FloatArray) -> FloatArray:
    """The q lowest eigenvectors of A; equal eigenvalues are resolved by a second matrix.

    Where the q-th eigenvalue is repeated up to rounding, LAPACK's choice inside that eigenspace
    is noise. We choose there the lowest eigenvectors of ``tie_breaker``.
    """
    values, vectors = np.linalg.eigh(A)
    noise = 1e-9 * max(float(np.max(np.abs(values))), np.finfo(float).tiny)
    tied = np.flatnonzero(np.abs(values - values[q - 1]) <= noise)
    below, n_tied = int(tied[0]), tied.size
    if below + n_tied <= q:
        return vectors[:, :q]
    space = vectors[:, tied]
    chosen = np.linalg.eigh(space.T @ tie_breaker @ space)[1][:, : q - below]
    return np.concatenate([vectors[:, :below], space @ chosen], axis=1)


@dataclass(frozen=True)
class SplitSpectrum:
    """Spectra of A inside a subspace and inside its complement.

    ``W'AW = S diag(inner) S'``, and ``B diag(outer) B'`` is A compressed to the complement of
    W. For large d, B holds the lowest part only and ``rest`` stands for what is missing.
    """

    S: FloatArray
    inner: FloatArray
    B: FloatArray
    outer: FloatArray
    rest: float

    @property
    def gap(self) -> float:
        """Lowest eigenvalue outside less the highest inside; negative if W is not lowest."""
        return float(self.outer[0] - self.inner[-1]) if self.outer.size else np.inf


def split_spectrum(A: FloatArray, W: FloatArray) -> SplitSpectrum:
    """Decompose A along W and its complement."""
    d, q = W.shape
    AW = A @ W
    inner, S = np.linalg.eigh(W.T @ AW)
    # Deflate: on the complement A is kept, W itself is lifted above everything.
    lift = 2.0 * float(np.linalg.norm(A)) + 1.0
    PA = A - W @ AW.T
    deflated = PA - (PA @ W) @ W.T + lift * (W @ W.T)
    deflated = 0.5 * (deflated + deflated.T)
    spectrum = lowest_eigenpairs(deflated, min(d - q, 2 * q + 5) if d > q else 1)
    k = min(spectrum.values.size, d - q)
    missing = d - q - k
    rest = 0.0
    if missing:
        rest = float((np.trace(A) - inner.sum() - spectrum.values[:k].sum()) / missing)
    return SplitSpectrum(S, inner, spectrum.vectors[:, :k], spectrum.values[:k], rest)


def has_full_rank(A: FloatArray) -> bool:
    """Whether a symmetric matrix is invertible to working precision (a condition estimate)."""
    lu, _, info = getrf(A)
    if info > 0:
        return False
    reciprocal_condition, _ = gecon(lu, float(np.linalg.norm(A, 1)))
    return bool(reciprocal_condition > A.shape[0] * np.finfo(float).eps)
