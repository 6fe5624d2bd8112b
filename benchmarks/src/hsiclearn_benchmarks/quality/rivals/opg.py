"""Refined outer product of gradients: local lines, their slopes, and lines in fewer directions."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.linalg import subspace_angles
from scipy.special import softmax

from ..._types import Array, FloatArray
from ._linear import LinearRival, leading, responses, squared_distances

__all__ = ["OuterProductOfGradients", "slopes"]

_RANK = 1e-8  # of the largest eigenvalue of the covariance: what is below is rounding
_RIDGE = 1e-3  # of the mean eigenvalue of a local covariance, which may be singular
_FEWEST = 2.0  # rows that weights must spread over, as 1 / sum w^2, for a line to mean something
_SETTLED = 1e-3  # radians
_CHUNK = 2**24  # entries of an array of products at once


@final
class OuterProductOfGradients(LinearRival):
    """Directions in which lines fitted around each row are steep.

    Columns are whitened. Around each row the responses are regressed on the columns with Gaussian
    weights ``exp(-|B'(x_i - x_j)|^2 / 2h^2)``; B is the leading q eigenvectors of the mean outer
    product of the slopes, the identity at first, and the round is run again until B settles. A row
    has no part in the line around itself: among many columns its weight would outdo all others. As
    in the papers rows where few others are near are trimmed: their slopes count as 0.

    The bandwidth is ``h = c n^(-1/(p + 6))`` at first, c = 2.34 and p the number of columns but at
    least 3; every round it shrinks by ``n^(-1/(2(p + 6)))``, to ``c n^(-1/(q + 4))`` at least.

    Parameters
    ----------
    n_components : int
    max_iter : int
        Rounds at most.

    Attributes
    ----------
    n_iter_ : int
        Rounds taken.

    References
    ----------
    Y. Xia, H. Tong, W. K. Li, L.-X. Zhu: An Adaptive Estimation of Dimension Reduction Space.
    Journal of the Royal Statistical Society B 64, 2002; Y. Xia: A Constructive Approach to the
    Estimation of Dimension Reduction Directions. Annals of Statistics 35, 2007, for the bandwidth.
    Classes are regressed on one hot.
    """

    def __init__(self, n_components: int = 2, *, max_iter: int = 20) -> None:
        self.n_components = n_components
        self.max_iter = max_iter

    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        Y = responses(y)
        values, vectors = np.linalg.eigh(X.T @ X / len(X))
        kept = values > _RANK * values[-1]
        whitening = vectors[:, kept] / np.sqrt(values[kept])
        return (whitening @ self._refined(X @ whitening, Y)).T

    def _refined(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """B of whitened rows."""
        n, p = X.shape
        p_0, q = max(p, 3), min(self.n_components, p)
        h = 2.34 * n ** (-1.0 / (p_0 + 6))
        least = 2.34 * n ** (-1.0 / (q + 4))
        B = np.eye(p)
        for rounds in range(1, self.max_iter + 1):
            self.n_iter_ = rounds
            G = slopes(X, Y, X @ B, h).reshape(-1, p)
            last, B = B, leading(G.T @ G / n, q)[1]
            if h <= least and subspace_angles(last, B)[0] < _SETTLED:
                break
            h = max(h * n ** (-0.5 / (p_0 + 6)), least)
        return B


def slopes(X: FloatArray, Y: FloatArray, Z: FloatArray, h: float) -> FloatArray:
    """Of the local lines around all rows, ``(rows, responses, columns)``; Z is what is near.

    A line's slopes are the weighted covariance of the columns, inverted, times that of columns and
    responses. The products of columns are taken once for all rows, a chunk of rows at a time.
    """
    n, p = X.shape
    exponents = squared_distances(Z) / (-2.0 * h**2)
    np.fill_diagonal(exponents, -np.inf)
    W = softmax(exponents, axis=1)
    m, y_bar = W @ X, W @ Y
    first, second = np.triu_indices(p)
    products = X[:, first] * X[:, second]
    cross = (W @ (X[:, :, None] * Y[:, None, :]).reshape(n, -1)).reshape(n, p, -1)
    cross -= m[:, :, None] * y_bar[:, None, :]
    thin = np.einsum("ij,ij->i", W, W) > 1.0 / _FEWEST
    cross[thin] = 0.0
    found = np.empty((n, Y.shape[1], p))
    step = max(1, _CHUNK // p**2)
    for rows in (slice(at, at + step) for at in range(0, n, step)):
        C = np.empty((len(W[rows]), p, p))
        C[:, first, second] = C[:, second, first] = W[rows] @ products
        C -= m[rows, :, None] * m[rows, None, :]
        ridge = _RIDGE * np.trace(C, axis1=1, axis2=2) / p
        C[:, np.arange(p), np.arange(p)] += ridge[:, None]
        C[thin[rows]] = np.eye(p)
        found[rows] = np.linalg.solve(C, cross[rows]).transpose(0, 2, 1)
    return found
