"""Wide data: an exact change of basis to as many columns as the answer can use."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray

__all__ = ["is_wide", "reduce_to_row_space"]


def is_wide(n: int, d: int, n_extra: int) -> bool:
    """Whether there are so many more columns than rows that a change of basis pays."""
    return d >= 1.4 * (n + n_extra)


def reduce_to_row_space(X: FloatArray, n_extra: int) -> tuple[FloatArray, FloatArray] | None:
    """``Q, X_r`` with Q (d, n + n_extra) orthonormal and ``X = X_r Q'``.

    ``K_XW`` sees W only through ``XW``, so directions outside the row space are all alike: a
    q-dimensional subspace uses at most q of them. Hence ``W = Q W_r`` loses nothing when
    ``n_extra = q``. Without the extra ones it would: where a direction does more harm than
    good, the best subspace leaves the row space. None while d < 1.4 (n + n_extra): the
    QR decomposition would cost more than the narrower matrices save.
    """
    n, d = X.shape
    if not is_wide(n, d, n_extra):
        return None
    filler = np.random.default_rng(0).standard_normal((d, n_extra))
    Q, R = np.linalg.qr(np.concatenate([X.T, filler], axis=1))
    return Q, np.ascontiguousarray(R[:, :n].T)
