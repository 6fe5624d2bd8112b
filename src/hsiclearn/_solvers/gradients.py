r"""Directions along which a regression changes: the average outer product of its gradients.

::

    f(x) = sum_j a_j exp(-(x - x_j)'M(x - x_j) / s),     M <- average of  grad f grad f'

from M = I, a few times: columns that f does not use fade (a recursive feature machine). The
leading eigenvectors of M, scaled by its roots, are a start that no local minimum of HSIC binds.
"""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray

_ROUNDS = 4
_RIDGE = 1e-3  # times n
_PAIRS = 1000  # rows: beyond, so many are drawn


def gradient_directions(X: FloatArray, Y: FloatArray, q: int) -> FloatArray:
    """``U diag(sqrt(values))`` of the q leading eigenpairs of M, (d, q)."""
    if X.shape[0] > _PAIRS:
        some = np.sort(np.random.default_rng(0).choice(X.shape[0], _PAIRS, replace=False))
        X, Y = X[some], Y[some]
    Y = Y - Y.mean(axis=0)
    n, d = X.shape
    R = np.eye(d)
    for _ in range(_ROUNDS):
        Z = X @ R
        squares = np.einsum("ij,ij->i", Z, Z)
        K = squares[:, None] + squares - 2.0 * (Z @ Z.T)
        np.maximum(K, 0.0, out=K)
        K /= -max(float(np.median(K)), np.finfo(float).tiny)
        np.exp(K, out=K)
        a = np.linalg.solve(K + _RIDGE * n * np.eye(n), Y)
        M = np.zeros((R.shape[1], R.shape[1]))
        for column in a.T:
            T = K * column
            slopes = T @ Z - T.sum(axis=1)[:, None] * Z  # in the coordinates of Z, up to a factor
            M += slopes.T @ slopes
        # grad f = R times the slopes, so M in the columns of X is R M R'.
        values, vectors = np.linalg.eigh(_symmetric(R @ M @ R.T))
        R = vectors * np.sqrt(np.maximum(values, 0.0) / max(values[-1], np.finfo(float).tiny))
    return np.ascontiguousarray(R[:, ::-1][:, :q])


def _symmetric(M: FloatArray) -> FloatArray:
    return 0.5 * (M + M.T)
