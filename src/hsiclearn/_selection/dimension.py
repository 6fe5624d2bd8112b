"""The dimension rule of the paper: q where the spectrum of Phi has its widest gap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray
from .._result import Result, Status

__all__ = ["eigengap_dimension", "widest_gap"]

_LARGEST_Q = 20
_MAX_ROUNDS = 5


def widest_gap(eigenvalues: FloatArray, n_features: int) -> int:
    """``argmax_q (lambda_{q+1} - lambda_q)`` over ``q <= min(d - 1, 20)``; 1 when d = 1."""
    gaps = np.diff(eigenvalues)[: min(n_features - 1, _LARGEST_Q)]
    return int(np.argmax(gaps)) + 1 if gaps.size else 1


def eigengap_dimension(
    phi_zero_eigenvalues: FloatArray, n_features: int, fit: Callable[[int], Result]
) -> Result:
    """Fit at the q with the widest gap of Phi, and repeat with Phi at that fit.

    Starts from Phi(0) and stops when q repeats, after five fits at most. Mostly it repeats at
    once: then the gap of the fit's own Phi is widest at its own q. Where the rule runs in a
    circle instead, the smallest q of the circle is taken.
    """
    q = widest_gap(phi_zero_eigenvalues, n_features)
    fits: dict[int, Result] = {}
    while q not in fits and len(fits) < _MAX_ROUNDS:
        fits[q] = fit(q)
        if fits[q].status is Status.INTERRUPTED:
            return fits[q]
        q = widest_gap(fits[q].eigenvalues, n_features)
    visited = list(fits)
    circle = visited[visited.index(q) :] if q in fits else visited[-1:]
    return fits[min(circle)]
