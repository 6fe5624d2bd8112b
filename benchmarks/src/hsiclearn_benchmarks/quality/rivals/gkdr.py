"""Gradient-based kernel dimension reduction."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ..._types import Array, FloatArray
from ._linear import LinearRival, leading, median_distance, responses, squared_distances

__all__ = ["GradientKernelReduction", "gradient_matrix"]


@final
class GradientKernelReduction(LinearRival):
    """Directions in which the mean of the target's features, given x, changes.

    The leading q eigenvectors of

        M = 1/n sum_i  D_i' (G_X + n eps I)^-1 G_Y (G_X + n eps I)^-1 D_i,

    where row j of ``D_i`` is the gradient of ``k(x_j, x)`` at ``x = x_i``. Both kernels are
    Gaussian, their bandwidth the median distance of the rows that differ; classes are points one
    hot, so that any two are equally far apart.

    Parameters
    ----------
    n_components : int
    epsilon : float
        The ridge of the inverse.

    References
    ----------
    K. Fukumizu, C. Leng: Gradient-Based Kernel Dimension Reduction for Regression. Journal of the
    American Statistical Association 109, 2014. The bandwidths are their median heuristic, epsilon
    is their 1e-5.
    """

    def __init__(self, n_components: int = 2, *, epsilon: float = 1e-5) -> None:
        self.n_components = n_components
        self.epsilon = epsilon

    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        Y = responses(y)
        M = gradient_matrix(X, Y, median_distance(X), median_distance(Y), self.epsilon)
        return leading(M, self.n_components)[1].T


def gradient_matrix(
    X: FloatArray, Y: FloatArray, width: float, width_of_target: float, epsilon: float
) -> FloatArray:
    """M, without the n matrices D_i.

    With ``F`` the matrix between ``D_i'`` and ``D_i``, and row j of ``D_i`` equal to
    ``K_ij (x_j - x_i) / s^2``, the sum over i is ``X' C X / s^4`` with

        C = F * K^2 - K * (F K) - (K * (F K))' + diag(K F K),

    ``K^2`` the matrix product, ``*`` by entries.
    """
    n = len(X)
    K = np.exp(squared_distances(X) / (-2.0 * width**2))
    G_Y = np.exp(squared_distances(Y) / (-2.0 * width_of_target**2))
    ridged = K + n * epsilon * np.eye(n)
    factor = cho_factor(ridged, lower=True, overwrite_a=True)
    F = cho_solve(factor, cho_solve(factor, G_Y).T)
    FK = F @ K
    mixed = K * FK
    C = F * (K @ K) - mixed - mixed.T
    C[np.diag_indices(n)] += mixed.sum(axis=0)  # diag(K F K): K is symmetric
    M = X.T @ C @ X / (n * width**4)
    return (M + M.T) / 2.0
