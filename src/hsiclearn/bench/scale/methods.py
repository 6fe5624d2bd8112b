"""Who is measured: this library, at the median bandwidth, and its rivals at their defaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..._arrays import Array
from ..._estimators import SupervisedHSIC
from .data import N_CLASSES

__all__ = ["METHODS", "Method"]


@dataclass(frozen=True)
class Method:
    """An estimator by its title, what makes one with q directions, and the target it takes."""

    title: str
    make: Callable[[int], Any]
    target: Callable[[Array], Any] = lambda y: y
    package: str = "sklearn"

    @property
    def is_installed(self) -> bool:
        """Whether its package is there."""
        return find_spec(self.package) is not None


def _lda(q: int) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(n_components=q)


def _pca(q: int) -> Any:
    from sklearn.decomposition import PCA

    return PCA(n_components=q)


def _pca_full(q: int) -> Any:
    from sklearn.decomposition import PCA

    return PCA(svd_solver="full")


def _pls(q: int) -> Any:
    from sklearn.cross_decomposition import PLSRegression

    return PLSRegression(n_components=q)


def _kernel_pca(q: int) -> Any:
    from sklearn.decomposition import KernelPCA

    return KernelPCA(n_components=q, kernel="rbf")


def _nca(q: int) -> Any:
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    return NeighborhoodComponentsAnalysis(n_components=q, random_state=0)


def _lmnn(q: int) -> Any:
    return import_module("metric_learn").LMNN(n_components=q, random_state=0)


def _mlkr(q: int) -> Any:
    return import_module("metric_learn").MLKR(n_components=q, random_state=0)


def _one_hot(y: Array) -> Array:
    return np.eye(N_CLASSES)[y]


METHODS: dict[str, Method] = {
    "ours": Method("SupervisedHSIC", partial(SupervisedHSIC, bandwidth="median")),
    "lda": Method("LDA", _lda),
    "pca": Method("PCA", _pca),
    "pls": Method("PLSRegression", _pls, _one_hot),
    "kernel-pca": Method("KernelPCA, rbf", _kernel_pca),
    "nca": Method("NCA", _nca),
    "lmnn": Method("LMNN", _lmnn, package="metric_learn"),
    "mlkr": Method("MLKR", _mlkr, lambda y: y.astype(float), package="metric_learn"),
    "pca-full": Method("PCA, full SVD", _pca_full),
}
