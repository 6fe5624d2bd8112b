"""Metric learning for kernel regression."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.decomposition import PCA

from ..._types import Array, FloatArray
from ._linear import LinearRival, responses, squared_distances

__all__ = ["KernelRegressionMetric", "error_and_gradient"]


@final
class KernelRegressionMetric(LinearRival):
    """The map A, q x d, in which kernel regression errs least on rows left out.

    The error is ``sum_i (yhat_i - y_i)^2`` with ``yhat_i = sum_j p_ij y_j`` and ``p_ij``
    proportional to ``exp(-|A x_i - A x_j|^2)``, j other than i. It is descended by L-BFGS from the
    q leading principal components.

    Parameters
    ----------
    n_components : int
    max_iter : int

    Attributes
    ----------
    n_iter_ : int
        Steps taken.

    References
    ----------
    K. Q. Weinberger, G. Tesauro: Metric Learning for Kernel Regression. AISTATS 2007. The start,
    the method of descent and its 1000 steps at most are the defaults of the package metric-learn.
    """

    def __init__(self, n_components: int = 2, *, max_iter: int = 1000) -> None:
        self.n_components = n_components
        self.max_iter = max_iter

    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        Y = responses(y.astype(np.float64))[:, 0]
        A = PCA(n_components=min(self.n_components, *X.shape)).fit(X).components_

        def of_entries(entries: FloatArray) -> tuple[float, FloatArray]:
            error, gradient = error_and_gradient(entries.reshape(A.shape), X, Y)
            return error, gradient.ravel()

        options = {"maxiter": self.max_iter}
        found = minimize(of_entries, A.ravel(), jac=True, method="L-BFGS-B", options=options)
        self.n_iter_ = found.nit
        return found.x.reshape(A.shape)


def error_and_gradient(A: FloatArray, X: FloatArray, y: Array) -> tuple[float, FloatArray]:
    """The error of rows left out, and its derivative by A.

    With ``r = yhat - y``, the derivative by ``|z_i - z_j|^2``, z = A x, of the error of row i is
    ``V_ij = -2 r_i p_ij (y_j - yhat_i)``; so that by Z is ``2 (diag(S 1) - S) Z``, S = V + V'.
    """
    Z = X @ A.T
    exponents = -squared_distances(Z)
    np.fill_diagonal(exponents, -np.inf)
    P = softmax(exponents, axis=1)
    y_hat = P @ y
    r = y_hat - y
    V = P
    V *= y - y_hat[:, None]
    V *= -2.0 * r[:, None]
    S = V + V.T
    by_Z = 2.0 * (S.sum(axis=1)[:, None] * Z - S @ Z)
    return float(r @ r), by_Z.T @ X
