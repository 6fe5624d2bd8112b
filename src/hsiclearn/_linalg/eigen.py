"""One end of the spectrum of a symmetric matrix, and factors of low rank."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from .._arrays import FloatArray
from .krylov import Product, Spectrum, block_krylov
from .warm import moved_top

FULL_UP_TO = 200  # a full eigendecomposition of this size costs a few milliseconds
_DENSE_UP_TO = 1500  # a partial one of this size costs half a second
_LARGEST_DENSE = 6000  # the largest matrix that is formed at all
_MOVED = 40  # products from a guess: beyond, it was none, or the spectrum is crowded


def lowest_eigenpairs(A: FloatArray, k: int) -> Spectrum:
    """The k lowest eigenpairs of A, or all of them up to 200 rows, by dense routines."""
    if A.shape[0] <= FULL_UP_TO:
        return Spectrum(*np.linalg.eigh(A))
    return Spectrum(*eigh(A, subset_by_index=[0, k - 1], driver="evr"))


def start_block(d: int, k: int, guess: FloatArray | None, seed: int = 0) -> FloatArray:
    """``guess`` filled up to k columns with random ones, always the same."""
    known = np.empty((d, 0)) if guess is None else guess[:, :k]
    filler = np.random.default_rng(seed).standard_normal((d, k - known.shape[1]))
    return np.concatenate([known, filler], axis=1)


def top_eigenpairs(
    apply: Product,
    n: int,
    k: int,
    guess: FloatArray | None,
    atol: float,
    to_dense: Callable[[], FloatArray] | None = None,
) -> Spectrum:
    """The k largest eigenpairs of a symmetric operator and one more, *descending*.

    Residuals of the k are below ``atol``. A ``guess``, the eigenvectors of an operator that was
    nearly the same, is improved, see :mod:`.warm`. Where that takes too long, ARPACK starts from
    its sum; a single vector cannot tell (nearly) equal eigenvalues apart, so its answer stands only
    if the guess holds nothing more. Else block Krylov spaces, and a dense routine where the
    spectrum is too crowded for them. Up to 200 rows dense routines are as fast; ``to_dense`` is
    the matrix for them, where there is a shorter way to it than products.
    """
    wanted, width = min(k + 1, n), min(k + 4, n)
    if n <= FULL_UP_TO or 12 * width > n:
        return _dense_top(apply(np.eye(n)) if to_dense is None else to_dense(), wanted)
    if guess is not None:
        start = start_block(n, k + 2, guess[:, :wanted])
        moved = moved_top(apply, start, k, atol, _MOVED)
        if moved is not None:
            return moved
        found = _arpack_top(apply, n, wanted, guess.sum(axis=1), atol)
        if found is not None and not _holds_more(apply, found, guess[:, :k], atol):
            return found
    start = start_block(n, width, None if guess is None else guess[:, : width - 1])

    def lowest_of_minus(atol: float) -> Spectrum | None:
        low = block_krylov(lambda V: -apply(V), start, n_exact=k, atol=atol, max_blocks=24)
        return None if low is None else Spectrum(-low.values[:wanted], low.vectors[:, :wanted])

    found = lowest_of_minus(atol)
    if found is None and n > _DENSE_UP_TO:
        found = _arpack_top(apply, n, wanted, start.sum(axis=1), atol)
    if found is None and n > _LARGEST_DENSE:
        # No memory for more: the best of the Krylov space, whose values are lower bounds.
        found = lowest_of_minus(np.inf)
    return _dense_top(apply(np.eye(n)), wanted) if found is None else found


def _arpack_top(apply: Product, n: int, k: int, v0: FloatArray, atol: float) -> Spectrum | None:
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


def _holds_more(apply: Product, found: Spectrum, guess: FloatArray, atol: float) -> bool:
    """Whether the span of the eigenvectors found and of a guess holds larger eigenvalues."""
    k = guess.shape[1]
    extra = guess - found.vectors @ (found.vectors.T @ guess)
    B = np.linalg.qr(np.concatenate([found.vectors, extra], axis=1))[0]
    values = np.linalg.eigvalsh(B.T @ apply(B))[::-1]
    return bool(values[:k].sum() > found.values[:k].sum() + atol)


def _dense_top(A: FloatArray, k: int) -> Spectrum:
    n = A.shape[0]
    values, vectors = eigh(0.5 * (A + A.T), subset_by_index=[n - k, n - 1])
    return Spectrum(values[::-1], vectors[:, ::-1])


def pivoted_cholesky(
    diagonal: FloatArray,
    column: Callable[[int], FloatArray],
    *,
    rtol: float = 1e-10,
    max_rank: int | None = None,
    weights: FloatArray | None = None,
) -> tuple[FloatArray, float]:
    """``L`` with ``K ~ LL'`` and the share of the trace that is missing; ``column(i) = K[:, i]``.

    Greedy: each step takes the row whose remaining diagonal is largest, so the error
    ``tr(K - LL')`` falls as fast as columns of K allow, until its share is below ``rtol``.
    O(n r^2) time, O(n r) memory. In the trace rows count by their ``weights``.
    """
    n = diagonal.shape[0]
    rest = np.array(diagonal, dtype=np.float64)

    def total() -> float:
        return float(rest.sum() if weights is None else weights @ rest)

    trace = total()
    limit = n if max_rank is None else min(n, max_rank)
    L = np.empty((n, min(limit, 32)))
    rank = 0
    while rank < limit and total() > rtol * trace:
        pivot = int(np.argmax(rest))
        if rank == L.shape[1]:
            L = np.concatenate([L, np.empty((n, min(rank, limit - rank)))], axis=1)
        new = column(pivot) - L[:, :rank] @ L[pivot, :rank]
        new /= np.sqrt(rest[pivot])
        L[:, rank] = new
        rest = np.maximum(rest - new * new, 0.0)
        rest[pivot] = 0.0
        rank += 1
    return L[:, :rank].copy(), total() / trace if trace else 0.0
