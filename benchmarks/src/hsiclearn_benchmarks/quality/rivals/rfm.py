"""The recursive feature machine: columns learnt from the gradients of kernel ridge regression."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ..._types import Array, FloatArray
from ._linear import LinearRival, leading, responses, squared_distances

__all__ = ["RecursiveFeatureMachine", "gradients"]

_SAME = 1e-10  # a distance below is 0, where the kernel has no gradient


@final
class RecursiveFeatureMachine(LinearRival):
    """Directions in which the gradients of kernel ridge regression are long.

    The kernel is Laplace's, ``k(x, z) = exp(-|x - z|_M / L)`` with ``|u|_M^2 = u' M u`` and
    ``M = I`` at first. With ``alpha = (K + reg I)^-1 Y`` and ``f(x) = sum_i alpha_i k(x, x_i)``,
    ``M`` becomes the mean over the rows of ``grad f grad f'``, summed over the responses, and so
    on. The directions are the leading q eigenvectors of the last M, each times the square root of
    its eigenvalue: distances of scores are those of the learnt metric, as near as q directions can
    be.

    Parameters
    ----------
    n_components : int
    width, ridge : float
        L and reg.
    n_iter : int
        How often M is learnt.

    Attributes
    ----------
    matrix_ : ndarray of shape (n_features, n_features)
        The last M; its diagonal says how much each column matters.

    References
    ----------
    A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin: Mechanism for Feature Learning in Neural
    Networks and Backpropagation-Free Machine Learning Models. Science 383, 2024. The settings are
    those of the authors' code: L = 10, reg = 1e-3, five rounds.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        width: float = 10.0,
        ridge: float = 1e-3,
        n_iter: int = 5,
    ) -> None:
        self.n_components = n_components
        self.width = width
        self.ridge = ridge
        self.n_iter = n_iter

    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        Y = responses(y)
        M = np.eye(X.shape[1])
        for _ in range(self.n_iter):
            G = gradients(X, Y, M, self.width, self.ridge)
            G = G.reshape(-1, X.shape[1])
            M = G.T @ G / len(X)
        self.matrix_ = M
        values, vectors = leading(M, self.n_components)
        return np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T


def gradients(
    X: FloatArray, Y: FloatArray, M: FloatArray, width: float, ridge: float
) -> FloatArray:
    """Of every response at every row: ``(rows, responses, columns)``.

    ``grad f(x) = -1/L sum_i alpha_i k(x, x_i) / |x - x_i|_M  M (x - x_i)``; a row's own term has
    no gradient and is left out.
    """
    values, vectors = np.linalg.eigh(M)
    distances = np.sqrt(squared_distances(X @ (vectors * np.sqrt(np.maximum(values, 0.0)))))
    K = np.exp(-distances / width)
    ridged = K.copy()
    ridged[np.diag_indices(len(K))] += ridge
    alpha = cho_solve(cho_factor(ridged, lower=True, overwrite_a=True), Y)
    S = np.divide(K, distances, out=np.zeros_like(K), where=distances > _SAME)
    XM = X @ M
    n, c = alpha.shape
    pulls = S @ (alpha[:, :, None] * XM[:, None, :]).reshape(n, -1)
    return (pulls.reshape(n, c, -1) - (S @ alpha)[:, :, None] * XM[:, None, :]) / width
