"""Eigenproblems of symmetric matrices: one end of a spectrum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dgecon as gecon
from scipy.linalg.lapack import dgetrf as getrf
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from .._arrays import FloatArray
from .krylov import block_krylov

FULL_UP_TO = 200  # a full eigendecomposition of this size costs a few milliseconds
_DENSE_UP_TO = 1500  # a partial one of this size costs half a second
_LARGEST_DENSE = 6000  # the largest matrix that is formed at all


@dataclass(frozen=True)
class Spectrum:
    """Eigenpairs from one end of a spectrum, in order: the lowest ascending, the top descending."""

    values: FloatArray
    vectors: FloatArray


def lowest_eigenpairs(A: FloatArray, k: int) -> Spectrum:
    """The k lowest eigenpairs of A, or all of them up to 200 rows, by dense routines."""
    if A.shape[0] <= FULL_UP_TO:
        return Spectrum(*np.linalg.eigh(A))
    return Spectrum(*eigh(A, subset_by_index=[0, k - 1], driver="evr"))


def improved_eigenpairs(A: FloatArray, guess: FloatArray, rtol: float) -> Spectrum:
    """Low eigenpairs near ``guess``, as many as it has columns and one more.

    For large matrices, block Krylov spaces from ``guess`` until the residuals are below
    ``rtol |A|_F``: many times faster than a dense routine, but an eigenvector the guess has no
    part in may be missed. That is good enough for a step whose outcome is tested.
    """
    d, k = A.shape[0], guess.shape[1] + 1
    if d <= FULL_UP_TO or 12 * k > d:
        return lowest_eigenpairs(A, min(k, d))
    found = block_krylov(
        lambda V: A @ V,
        start_block(d, k, guess),
        n_exact=k - 1,
        atol=rtol * float(np.linalg.norm(A)),
    )
    return Spectrum(*found) if found is not None else lowest_eigenpairs(A, k)


def start_block(d: int, k: int, guess: FloatArray | None) -> FloatArray:
    """``guess`` filled up to k columns with random ones, always the same."""
    known = np.empty((d, 0)) if guess is None else guess[:, :k]
    filler = np.random.default_rng(0).standard_normal((d, k - known.shape[1]))
    return np.concatenate([known, filler], axis=1)


def lowest_eigenvectors(
    A: FloatArray,
    q: int,
    tie_breaker: Callable[[FloatArray], FloatArray],
    scale: float | None = None,
) -> FloatArray:
    """The q lowest eigenvectors of A; equal eigenvalues are resolved by a second matrix.

    Where the q-th eigenvalue is repeated up to rounding, LAPACK's choice inside that eigenspace
    is noise. We choose there the lowest eigenvectors of another matrix, of which
    ``tie_breaker(V)`` returns the compression ``V'TV``. ``scale`` is the size of the numbers A
    was computed from, where that is not the size of A: it says what rounding is.
    """
    scale = float(np.linalg.norm(A)) if scale is None else scale
    noise = 1e-9 * max(scale, np.finfo(float).tiny)
    if q < A.shape[0]:
        some = lowest_eigenpairs(A, q + 1)
        if some.values[q] - some.values[q - 1] > noise:
            return some.vectors[:, :q]
    values, vectors = np.linalg.eigh(A)
    tied = np.flatnonzero(np.abs(values - values[q - 1]) <= noise)
    below, n_tied = int(tied[0]), tied.size
    if below + n_tied <= q:
        return vectors[:, :q]
    space = vectors[:, tied]
    chosen = np.linalg.eigh(tie_breaker(space))[1][:, : q - below]
    return np.concatenate([vectors[:, :below], space @ chosen], axis=1)


def top_eigenpairs(
    apply: Callable[[FloatArray], FloatArray],
    n: int,
    k: int,
    guess: FloatArray | None,
    atol: float,
) -> Spectrum:
    """The k largest eigenpairs of a symmetric operator and one more, *descending*.

    Residuals of the k are below ``atol``. ARPACK starts from the sum of a ``guess``; a single
    vector cannot tell (nearly) equal eigenvalues apart, so its answer stands only if the guess
    holds nothing more. Else block Krylov spaces, and a dense routine where the spectrum is too
    crowded for them.
    """
    wanted, width = min(k + 1, n), min(k + 4, n)
    if n <= FULL_UP_TO or 12 * width > n:
        return _dense_top(apply, n, wanted)
    if guess is not None:
        found = _arpack_top(apply, n, wanted, guess.sum(axis=1), atol)
        if found is not None and not _holds_more(apply, found, guess[:, :k], atol):
            return found
    start = start_block(n, width, None if guess is None else guess[:, : width - 1])
    pairs = block_krylov(lambda V: -apply(V), start, n_exact=k, atol=atol, max_blocks=24)
    if pairs is not None:
        return Spectrum(-pairs[0][:wanted], pairs[1][:, :wanted])
    found = _arpack_top(apply, n, wanted, start.sum(axis=1), atol) if n > _DENSE_UP_TO else None
    if found is not None or n <= _LARGEST_DENSE:
        return found if found is not None else _dense_top(apply, n, wanted)
    # No memory for more: the best of the Krylov space, whose values are lower bounds.
    pairs = block_krylov(lambda V: -apply(V), start, n_exact=k, atol=np.inf, max_blocks=24)
    assert pairs is not None  # without a bound on the residuals the first answer is accepted
    return Spectrum(-pairs[0][:wanted], pairs[1][:, :wanted])


def _arpack_top(
    apply: Callable[[FloatArray], FloatArray], n: int, k: int, v0: FloatArray, atol: float
) -> Spectrum | None:
    operator = LinearOperator((n, n), matvec=lambda v: apply(v.reshape(n, 1)), dtype=np.float64)
    scale = float(np.linalg.norm(apply(v0[:, None])) / max(float(np.linalg.norm(v0)), 1e-300))
    try:
        values, vectors = eigsh(
            operator,
            k,
            # Crowded spectra need room, rough answers a quick first look (measured).
            ncv=min(n, 2 * k + (16 if atol >= 1e-4 * scale else 36)),
            which="LA",
            v0=v0,
            tol=atol / max(scale, 1e-300),
            maxiter=20 * k,
        )
    except ArpackError:
        return None
    return Spectrum(values[::-1], vectors[:, ::-1])


def _holds_more(
    apply: Callable[[FloatArray], FloatArray], found: Spectrum, guess: FloatArray, atol: float
) -> bool:
    """Whether the span of the eigenvectors found and of a guess holds larger eigenvalues."""
    k = guess.shape[1]
    extra = guess - found.vectors @ (found.vectors.T @ guess)
    B = np.linalg.qr(np.concatenate([found.vectors, extra], axis=1))[0]
    values = np.linalg.eigvalsh(B.T @ apply(B))[::-1]
    return bool(values[:k].sum() > found.values[:k].sum() + atol)


def _dense_top(apply: Callable[[FloatArray], FloatArray], n: int, k: int) -> Spectrum:
    A = apply(np.eye(n))
    values, vectors = eigh(0.5 * (A + A.T), subset_by_index=[n - k, n - 1])
    return Spectrum(values[::-1], vectors[:, ::-1])


def has_full_rank(A: FloatArray) -> bool:
    """Whether a symmetric matrix is invertible to working precision (a condition estimate)."""
    lu, _, info = getrf(A)
    if info > 0:
        return False
    reciprocal_condition, _ = gecon(lu, float(np.linalg.norm(A, 1)))
    return bool(reciprocal_condition > A.shape[0] * np.finfo(float).eps)
