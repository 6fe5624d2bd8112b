r"""Directions along which a regression changes: the average outer product of its gradients.

::

    f(x) = sum_j a_j exp(-(x - x_j)'M(x - x_j) / s),     M <- average of  grad f grad f'

from M = I, a few times: columns that f does not use fade (a recursive feature machine). The
leading eigenvectors of M, scaled by its roots, are a start that no local minimum of HSIC binds.

Where rows have weights v, the a are ``v_j`` times those of the table with repeated rows, so that
``(K + n r diag(V / (n v))) a = Y``, and the average is by weight.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve

from .._arrays import FloatArray
from .._linalg import weighted_median

_ROUNDS = 4
_RIDGE = 1e-3  # times n
_PAIRS = 1000  # rows: beyond, so many are drawn
_WIDEST = 1000  # columns of a product


def gradient_directions(
    X: FloatArray, Y: FloatArray, q: int, weights: FloatArray | None = None
) -> FloatArray:
    """``U diag(sqrt(values))`` of the q leading eigenpairs of M, (d, q)."""
    v = weights
    if X.shape[0] > _PAIRS:
        some = np.sort(np.random.default_rng(0).choice(X.shape[0], _PAIRS, replace=False))
        X, Y, v = X[some], Y[some], None if v is None else v[some]
    Y = Y - (Y.mean(axis=0) if v is None else v @ Y / v.sum())
    n, d = X.shape
    R, ridge = np.eye(d), _RIDGE * (n if v is None else v.sum() / v)
    for _ in range(_ROUNDS):
        Z = X @ R
        squares = np.einsum("ij,ij->i", Z, Z)
        K = squares[:, None] + squares - 2.0 * (Z @ Z.T)
        np.maximum(K, 0.0, out=K)
        median = np.median(K) if v is None else weighted_median(K, np.multiply.outer(v, v))
        K /= -max(float(median), np.finfo(float).tiny)
        np.exp(K, out=K)
        K[np.diag_indices(n)] += ridge
        a = solve(K, Y, assume_a="pos", check_finite=False)
        K[np.diag_indices(n)] -= ridge
        M = _of_slopes(K, a, Z, v)
        # grad f = R times the slopes, so M in the columns of X is R M R'.
        values, vectors = np.linalg.eigh(_symmetric(R @ M @ R.T))
        R = vectors * np.sqrt(np.maximum(values, 0.0) / max(values[-1], np.finfo(float).tiny))
    return np.ascontiguousarray(R[:, ::-1][:, :q])


def _of_slopes(
    K: FloatArray, a: FloatArray, Z: FloatArray, weights: FloatArray | None
) -> FloatArray:
    """The sum of ``g g'`` over rows and columns of a, ``g_i = sum_j K_ij a_j (z_j - z_i)``.

    In the coordinates of Z that is the gradient of f at row i, up to a factor. Some columns at a
    time: one product then has all of them, and all coordinates.
    """
    (n, d), M = Z.shape, np.zeros((Z.shape[1], Z.shape[1]))
    for start in range(0, a.shape[1], step := max(_WIDEST // d, 1)):
        some = a[:, start : start + step]
        V = (some[:, :, None] * Z[:, None, :]).reshape(n, -1)
        g = (K @ V).reshape(n, -1, d) - (K @ some)[:, :, None] * Z[:, None, :]
        if weights is not None:
            g *= np.sqrt(weights)[:, None, None]
        g = g.reshape(-1, d)
        M += g.T @ g
    return M


def _symmetric(M: FloatArray) -> FloatArray:
    return 0.5 * (M + M.T)
