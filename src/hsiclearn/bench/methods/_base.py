"""What a method is to the benchmark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from ..._alternation import unit_rows
from ..._arrays import Array, FloatArray
from ..._result import Record
from ...kernels import Gaussian

__all__ = [
    "Clustered",
    "Clusterer",
    "Method",
    "Reduced",
    "Reducer",
    "Report",
    "k_means_labels",
    "paper_kernel",
]

Report = Callable[[Record], None]


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


class Method:
    """One row of a table.

    ``in_loops`` marks methods that are slow on purpose: their sums over pairs are two Python
    loops, as published. ``is_quick`` ones are in every run, ``is_held_out`` ones are also
    cross-validated. ``settings`` says what a reader must know to compare times.
    """

    key: str
    title: str
    order: int
    settings: str = ""
    in_loops: bool = False
    is_quick: bool = True
    is_held_out: bool = True

    def prepare(self) -> None:
        """What a first call does once, such as imports; no part of the time."""


class Reducer(Method, ABC):
    """A row of the supervised table."""

    @abstractmethod
    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """Find the q directions that depend most on y."""

    def classifier(self) -> Any:
        """What classifies the rows once they are reduced."""
        return SVC(gamma="auto")


class Clusterer(Method, ABC):
    """A row of the unsupervised table."""

    @abstractmethod
    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """Find k clusters and the q directions that carry them."""


def paper_kernel(X: FloatArray) -> Gaussian:
    """The Gaussian at the median of all n x n distances, the zero diagonal among them."""
    return Gaussian(float(np.median(squareform(pdist(X)))))


def k_means_labels(embedding: FloatArray, k: int) -> Callable[[int], Array]:
    """k-means on rows of unit length, by seed."""
    rows = unit_rows(embedding)

    def labels(seed: int) -> Array:
        with threadpool_limits(1):
            return KMeans(k, n_init=10, random_state=seed).fit(rows).labels_

    return labels
