"""Who is measured: this library, at the median bandwidth, and its rivals at their defaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from .._types import Array
from .data import N_CLASSES

__all__ = ["METHODS", "Method"]


@dataclass(frozen=True)
class Method:
    """An estimator by its title and where it is imported from, and the target it takes.

    It is loaded where it is used: in the process that is measured.
    """

    title: str
    module: str
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    target: Callable[[Array], Any] = lambda y: y
    finds_all: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether its package is there."""
        return find_spec(self.module.partition(".")[0]) is not None

    def make(self, q: int) -> Any:
        """One with q directions; one that ``finds_all`` has no such choice."""
        found = {} if self.finds_all else {"n_components": q}
        return getattr(import_module(self.module), self.name)(**found, **self.settings)


def _one_hot(y: Array) -> Array:
    return np.eye(N_CLASSES)[y]


_SEED = {"random_state": 0}
METHODS: dict[str, Method] = {
    "ours": Method("SupervisedHSIC", "hsiclearn", "SupervisedHSIC", {"bandwidth": "median"}),
    "lda": Method("LDA", "sklearn.discriminant_analysis", "LinearDiscriminantAnalysis"),
    "pca": Method("PCA", "sklearn.decomposition", "PCA"),
    "pls": Method("PLSRegression", "sklearn.cross_decomposition", "PLSRegression", target=_one_hot),
    "kernel-pca": Method("KernelPCA, rbf", "sklearn.decomposition", "KernelPCA", {"kernel": "rbf"}),
    "nca": Method("NCA", "sklearn.neighbors", "NeighborhoodComponentsAnalysis", _SEED),
    "lmnn": Method("LMNN", "metric_learn", "LMNN", _SEED),
    "mlkr": Method("MLKR", "metric_learn", "MLKR", _SEED, lambda y: y.astype(float)),
    "pca-full": Method(
        "PCA, full SVD", "sklearn.decomposition", "PCA", {"svd_solver": "full"}, finds_all=True
    ),
}
