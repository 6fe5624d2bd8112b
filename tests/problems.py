"""Small problems the solver and estimator tests share. Arrays are read-only."""

from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from hsiclearn._objective import AbstractObjective, Point
from hsiclearn._selection import median_distance

_LOADERS = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}


@cache
def standardised(name):
    """X, y and the median distance of one of scikit-learn's data sets."""
    bunch = _LOADERS[name]()
    X = StandardScaler().fit_transform(bunch.data)
    X.setflags(write=False)
    bunch.target.setflags(write=False)
    rows = X if X.shape[0] <= 1000 else X[:1000]
    return X, bunch.target, median_distance(rows, np.random.default_rng(0))


@cache
def ring(n_samples=300, n_features=6, seed=0):
    """Standard normal rows, rotated; y says whether two hidden coordinates lie far out."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n_samples, n_features))
    rotation = np.linalg.qr(rng.standard_normal((n_features, n_features)))[0]
    X = Z @ rotation
    X.setflags(write=False)
    return X, (np.hypot(Z[:, 0], Z[:, 1]) > 1.18).astype(int), rotation[:2].T


class WrittenPoint(Point):
    """Cost and Phi as they are written down, whether or not they belong together."""

    phi = None

    def __init__(self, objective, W, cost, phi):
        self.objective, self.W, self.cost, self.phi = objective, W, cost, phi


class Uphill(AbstractObjective):
    """Its Phi points the wrong way."""

    X, engine, n_samples, n_features = np.zeros((2, 4)), "dense", 2, 4

    def point(self, W):
        A = np.diag([3.0, 2.0, 1.0, 0.0])
        return WrittenPoint(self, np.asarray(W), -float(np.trace(W.T @ A @ W)), A)
