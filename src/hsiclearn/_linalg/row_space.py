"""An exact change of basis to as many columns as the answer can use."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray

__all__ = ["is_wide", "may_depend", "reduce_to_row_space"]

_SUSPECT = 1e-10  # of a correlation matrix: an eigenvalue of exactly collinear columns is 1e-16
_EXACT = 1e-13  # of standardised rows, along a direction in which all of them are to be equal
_KEPT = 1e-12  # of every column, beside its largest entry


def is_wide(n: int, d: int, n_extra: int) -> bool:
    """Whether there are so many more columns than rows that a change of basis pays."""
    return d >= 1.4 * (n + n_extra)


def reduce_to_row_space(X: FloatArray, n_extra: int) -> tuple[FloatArray, FloatArray] | None:
    """``Q, X_r`` with Q (d, r + n_extra) orthonormal and ``X = X_r Q'``, r the rank of X.

    ``K_XW`` sees W only through ``XW``, so directions outside the row space are all alike: a
    q-dimensional subspace uses at most q of them. Hence ``W = Q W_r`` loses nothing when
    ``n_extra = q``. Without the extra ones it would: where a direction does more harm than
    good, the best subspace leaves the row space. None where nothing is gained: while
    n < d < 1.4 (n + n_extra) the QR decomposition would cost more than the narrower matrices save,
    and for d <= n there must be columns that depend on the others, more than ``n_extra`` of them.
    """
    n, d = X.shape
    if d <= n:
        return _without_dependent_columns(X, n_extra)
    if not is_wide(n, d, n_extra):
        return None
    filler = np.random.default_rng(0).standard_normal((d, n_extra))
    Q, R = np.linalg.qr(np.concatenate([X.T, filler], axis=1))
    return Q, np.ascontiguousarray(R[:, :n].T)


def _without_dependent_columns(X: FloatArray, n_extra: int) -> tuple[FloatArray, FloatArray] | None:
    """The same for d <= n: the mean, all directions along which rows differ, some of the others."""
    mean = X.mean(axis=0)
    N = _null_space(X - mean)
    k = N.shape[1]
    if k <= n_extra + 1 or k == X.shape[1]:
        return None
    # Along N all rows are equal, not zero: the first column of N takes what they have there.
    N = N @ np.linalg.qr((N.T @ mean)[:, None], mode="complete")[0]
    outside = N[:, 1 : n_extra + 1]
    inside = np.linalg.qr(N, mode="complete")[0][:, k:]
    Q = np.concatenate([inside, N[:, :1], outside], axis=1)
    reduced = X @ Q
    reduced[:, -n_extra - 1 :] = 0.0
    reduced[:, -n_extra - 1] = mean @ N[:, 0]
    # Rounding along a long column may be all there is of a short one: then X stays as it is.
    error = np.abs(reduced @ Q.T - X).max(axis=0)
    return (Q, reduced) if np.all(error <= _KEPT * np.abs(X).max(axis=0)) else None


def _null_space(X: FloatArray) -> FloatArray:
    """Directions along which the rows of a centred X are zero, (d, k) orthonormal.

    A Gram matrix tells which are suspect, at the square root of the precision; the rows tell
    which are right. Columns count in units of their own standard deviation.
    """
    n, d = X.shape
    correlation, unit = _less_than_correlation(X.T @ X / n)
    if _is_definite(correlation):  # the usual case, at the least cost
        return np.empty((d, 0))
    values, vectors = np.linalg.eigh(correlation)
    suspect = unit[:, None] * vectors[:, values <= 0.0]
    _, sizes, turn = np.linalg.svd(X @ suspect, full_matrices=False)
    exact = sizes <= _EXACT * np.sqrt(n)
    return np.linalg.qr(suspect @ turn[exact].T)[0]


def may_depend(gram: FloatArray) -> bool:
    """Whether a Gram matrix of centred rows leaves room for columns that depend on others."""
    return not _is_definite(_less_than_correlation(gram)[0])


def _less_than_correlation(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The correlation matrix, less what a suspect eigenvalue may be; and the units of columns."""
    diagonal = np.diag(gram)
    unit = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    return gram * (unit[:, None] * unit) - _SUSPECT * np.eye(unit.size), unit


def _is_definite(matrix: FloatArray) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
