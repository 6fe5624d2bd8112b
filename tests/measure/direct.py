"""HSIC written out, O(n^2) memory and as many Python lines as the formulas have."""

import numpy as np

from hsiclearn import kernels

RNG = np.random.default_rng(7)

KERNELS = {
    "gaussian": kernels.Gaussian(1.3),
    "cauchy": kernels.Cauchy(0.8),
    "rational quadratic": kernels.RationalQuadratic(1.1),
    "inverse multiquadratic": kernels.InverseMultiquadratic(0.9),
    "minus multiquadratic": -kernels.Multiquadratic(0.5),
    "linear": kernels.Linear(),
    "polynomial": kernels.Polynomial(2, 0.7),
    "minus squared": -kernels.Squared(),
    "relative gaussian": kernels.RelativeGaussian(),
    "mixed sum": 2.0 * kernels.Gaussian(0.5) + 0.1 * kernels.Linear() + kernels.Cauchy(2.0),
}


def kernel_matrix(X, kernel):
    """The kernel of every pair, from differences and inner products."""
    X = np.asarray(X, dtype=float).reshape(len(X), -1)
    squares = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    K = np.zeros((len(X), len(X)))
    for weight, term in kernel.terms:
        beta = squares if term.pair.is_difference else X @ X.T
        scales = term.row_scales(X)
        K += weight * term.f(beta if scales is None else np.outer(scales, scales) * beta)
    return K


def distance_matrix(X):
    X = np.asarray(X, dtype=float).reshape(len(X), -1)
    return np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=2))


def delta_matrix(y):
    y = np.asarray(y)
    return (y[:, None] == y).astype(float)


def biased(K, L):
    n = len(K)
    H = np.eye(n) - 1.0 / n
    return np.trace(K @ H @ L @ H) / (n - 1) ** 2


def unbiased(K, L):
    n = len(K)
    K, L = K - np.diag(np.diag(K)), L - np.diag(np.diag(L))
    one = np.ones(n)
    return (
        np.trace(K @ L)
        + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2))
        - 2 / (n - 2) * (one @ K @ L @ one)
    ) / (n * (n - 3))


ESTIMATORS = {"biased": biased, "unbiased": unbiased}


def related(n=60, d=2, seed=0):
    """X and a Y that depends on it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    Y = np.column_stack([np.sin(2 * X[:, 0]), X[:, -1] ** 2]) + 0.5 * rng.standard_normal((n, 2))
    return X, Y
