"""The methods of the paper's tables: what one is, those without an objective, and all by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import normalize
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from hsiclearn import Record
from hsiclearn.kernels import Gaussian

from .._types import Array, FloatArray

__all__ = [
    "Clustered",
    "Clusterer",
    "ColumnsOnly",
    "Method",
    "Reduced",
    "Reducer",
    "Report",
    "SpectralClusters",
    "k_means_labels",
    "paper_kernel",
]

Report: TypeAlias = Callable[[Record], None]


@dataclass(frozen=True)
class Reduced:
    """A subspace, its cost ``-Tr(Gamma K_XW)``, and its steps per start; None for all columns."""

    W: FloatArray | None = None
    cost: float | None = None
    iterations: float | None = None
    status: str = ""


@dataclass(frozen=True)
class Clustered:
    """Labels for a seed of k-means, the cost with diag(K) = 0, and the steps for W it took."""

    labels: Callable[[int], Array]
    cost: float | None = None
    iterations: float | None = None
    status: str = ""


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """One row of a table.

    ``in_loops`` marks methods that are slow on purpose: their sums over pairs are two Python
    loops, as published. ``is_quick`` ones are in every run, ``is_held_out`` ones are also
    cross-validated. ``settings`` says what a reader must know to compare times.
    """

    title: str
    settings: str = ""
    in_loops: bool = False
    is_quick: bool = True
    is_held_out: bool = True

    def prepare(self) -> None:  # noqa: B027  (most have nothing to prepare)
        """What a first call does once, such as imports; no part of the time."""


class Reducer(Method):
    """A row of the supervised table."""

    @abstractmethod
    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """Find the q directions that depend most on y."""

    def classifier(self) -> Any:
        """What classifies the rows once they are reduced."""
        return SVC(gamma="auto")


class Clusterer(Method):
    """A row of the unsupervised table."""

    @abstractmethod
    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """Find k clusters and the q directions that carry them."""


@final
@dataclass(frozen=True, kw_only=True)
class ColumnsOnly(Reducer):
    """A classifier on all columns, or on the directions of largest variance."""

    make: Callable[[], Any]
    by_pca: bool = False

    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """None, or the directions of largest variance."""
        return Reduced(PCA(q, random_state=0).fit(X).components_.T if self.by_pca else None)

    def classifier(self) -> Any:
        """A fresh one."""
        return self.make()


@final
@dataclass(frozen=True, kw_only=True)
class SpectralClusters(Clusterer):
    """scikit-learn's spectral clustering with the paper's kernel, of all columns or after PCA."""

    by_pca: bool = False

    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """By seed."""
        rows = PCA(q, random_state=0).fit_transform(X) if self.by_pca else X
        affinity = rbf_kernel(rows, gamma=0.5 / paper_kernel(rows).bandwidth ** 2)

        def labels(seed: int) -> Array:
            model = SpectralClustering(k, affinity="precomputed", random_state=seed)
            with threadpool_limits(1):
                return model.fit(affinity).labels_

        labels(0)  # so that its time is in the time of the method
        return Clustered(labels)


def paper_kernel(X: FloatArray) -> Gaussian:
    """The Gaussian at the median of all n x n distances, the zero diagonal among them."""
    return Gaussian(float(np.median(squareform(pdist(X)))))


def k_means_labels(embedding: FloatArray, k: int) -> Callable[[int], Array]:
    """k-means on rows of unit length, by seed."""
    rows = normalize(embedding)

    def labels(seed: int) -> Array:
        with threadpool_limits(1):
            return KMeans(k, n_init=10, random_state=seed).fit(rows).labels_

    return labels
