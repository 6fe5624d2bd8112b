"""Low-rank factors of a kernel matrix that is never formed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray


def pivoted_cholesky(
    diagonal: FloatArray,
    column: Callable[[int], FloatArray],
    *,
    rtol: float = 1e-10,
    max_rank: int | None = None,
) -> tuple[FloatArray, float]:
    """``L`` with ``K ~ LL'`` and the share of the trace that is missing; ``column(i) = K[:, i]``.

    Greedy: each step takes the row whose remaining diagonal is largest, so the error
    ``tr(K - LL')`` falls as fast as columns of K allow, until its share is below ``rtol``.
    O(n r^2) time, O(n r) memory.
    """
    n = diagonal.shape[0]
    rest = np.array(diagonal, dtype=np.float64)
    trace = float(rest.sum())
    limit = n if max_rank is None else min(n, max_rank)
    L = np.empty((n, min(limit, 32)))
    rank = 0
    while rank < limit and float(rest.sum()) > rtol * trace:
        pivot = int(np.argmax(rest))
        if rank == L.shape[1]:
            L = np.concatenate([L, np.empty((n, min(rank, limit - rank)))], axis=1)
        new = column(pivot) - L[:, :rank] @ L[pivot, :rank]
        new /= np.sqrt(rest[pivot])
        L[:, rank] = new
        rest = np.maximum(rest - new * new, 0.0)
        rest[pivot] = 0.0
        rank += 1
    return L[:, :rank].copy(), float(rest.sum()) / trace if trace else 0.0
