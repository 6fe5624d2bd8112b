r"""Labels of the training rows together with the rule that carries them to new rows.

The kernel carries eigenvectors to rows that were not there: an eigenvector satisfies
``y_i = (1/lambda) sum_j A_ij y_j``, and the right-hand side makes sense for any row. With
``k_j = k(x, x_j)`` and d the degrees (Nystrom extension)::

    normalize="degree"   y(x) = (1/lambda) sum_j k_j y_j / sqrt(d(x) d_j),   d(x) = sum_j k_j
    normalize="none"     y(x) = (1/lambda) sum_j (k_j - mean_i k_ij) y_j

On a training row it returns that row's own embedding. Of training rows that count v_j times every
sum over j has v_j in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import final

import numpy as np
from scipy.spatial import cKDTree

from .._arrays import Array, FloatArray
from .._counts import Counts
from .._objective import ClusterObjective, ClusterPoint
from .._paradigms import one_hot
from .._threads import map_in_order, single_threaded_blas
from ..exceptions import DegenerateDataError
from ..kernels import AbstractKernel, NeighbourScales
from .labels import (
    association,
    centres_of,
    cluster_labels,
    has_fair_sizes,
    join_segments,
    nearest_centre,
)

_BLOCK = 2**19  # kernel values at a time, per thread: 4 MB each array
_SEGMENTS = 3  # per cluster
_FEWEST_ROWS = 4  # in a segment, on average


@final
@dataclass(frozen=True)
class Extension:
    """Everything ``predict`` needs of the training rows: O(n (q + k)) numbers."""

    kernel: AbstractKernel
    normalize: str
    rows: FloatArray
    scales: tuple[NeighbourScales | None, ...]
    degree: FloatArray
    embedding: FloatArray
    values: FloatArray
    weights: FloatArray | None = None

    @property
    def counts(self) -> Counts:
        """How often each training row counts."""
        return Counts(self.degree.size, self.weights)

    @classmethod
    def of(cls, point: ClusterPoint) -> Extension:
        """From the point a fit ended at; rows are those of the objective's X, projected."""
        objective, k = point.objective, point.embedding.shape[1]
        values = point.spectrum_of_graph.values[:k]
        return cls(
            objective.kernel,
            objective.normalize,
            objective.X @ point.W,
            point.scales,
            point.degree,
            point.embedding,
            np.where(np.abs(values) > 1e-10 * abs(values[0]), values, np.inf),
            objective.counts.v,
        )

    def __call__(self, w: FloatArray) -> FloatArray:
        """The embedding of projected rows."""
        return self._by_blocks(self._embed, w)

    def _by_blocks(self, function: Callable[[FloatArray], FloatArray], w: FloatArray) -> FloatArray:
        size = max(1, _BLOCK // self.rows.shape[0])
        blocks = (w[i : i + size] for i in range(0, w.shape[0], size))
        with single_threaded_blas():
            return np.concatenate(list(map_in_order(function, blocks)))

    def vote(self, w: FloatArray, codes: Array) -> Array:
        """The label that training rows give each projected row, weighted by the kernel.

        A training row keeps its own.
        """
        Y = one_hot(codes, int(codes.max()) + 1)
        votes = self._by_blocks(lambda some: self._multiply(some, Y), w)
        distance, nearest = cKDTree(self.rows).query(w)
        is_ours = distance <= 1e-9 * float(np.sqrt(self.rows.var(axis=0).sum()))
        return np.where(is_ours, codes[nearest], np.argmax(votes, axis=1))

    def _embed(self, w: FloatArray) -> FloatArray:
        counts = self.counts
        if self.normalize == "degree":
            V = self.embedding / np.sqrt(self.degree)[:, None]
            KV = self._multiply(w, np.append(V, np.ones((counts.n, 1)), axis=1))
            degree = np.maximum(KV[:, -1:], np.finfo(float).tiny)
            return KV[:, :-1] / np.sqrt(degree) / self.values
        mean = self.degree @ counts.times(self.embedding) / counts.total
        return (self._multiply(w, self.embedding) - mean) / self.values

    def _multiply(self, w: FloatArray, V: FloatArray) -> FloatArray:
        """``K diag(v) V``, ``K_ij = k(w_i, x_j)``, new rows against all training rows."""
        KV, V = np.zeros((w.shape[0], V.shape[1])), self.counts.times(V)
        for (weight, kernel), scales in zip(self.kernel.terms, self.scales, strict=True):
            left, _ = kernel.pair.beta_factors(w)
            _, right = kernel.pair.beta_factors(self.rows)
            if scales is not None:
                left = scales.inverse_at(w)[:, None] * left
                right = scales.inverse[:, None] * right
            ((factor, values),) = kernel.jet(kernel.pair.beta(left, right), 0)
            KV += weight * factor * (values @ V)
        return KV


@dataclass(frozen=True, eq=False)
class Labelling(ABC):
    """Clusters ``0 .. k-1`` of the training rows; calling it gives those of projected rows.

    ``extension`` knows the graph they were read from.
    """

    labels: Array
    extension: Extension = field(repr=False)

    @abstractmethod
    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""

    def with_embedding(self, w: FloatArray, extension: Extension) -> tuple[Array, FloatArray]:
        """The clusters of projected rows, and their embedding by the extension of a fit."""
        return self(w), extension(w)


@final
@dataclass(frozen=True, eq=False)
class ByCentre(Labelling):
    """The nearest of some centres in the embedding; each centre belongs to a cluster."""

    centres: FloatArray
    cluster_of: Array

    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""
        return self._nearest(self.extension(w))

    def with_embedding(self, w: FloatArray, extension: Extension) -> tuple[Array, FloatArray]:
        """Both, from one pass over the kernel where the labels were read from that embedding."""
        embedding, ours = extension(w), self.extension
        same = ours.kernel == extension.kernel
        same = same and np.array_equal(ours.embedding, extension.embedding)
        return self._nearest(embedding) if same else self(w), embedding

    def _nearest(self, embedding: FloatArray) -> Array:
        return self.cluster_of[nearest_centre(embedding, self.centres)]


@final
@dataclass(frozen=True, eq=False)
class ByVote(Labelling):
    """The cluster whose training rows hold most of a row's kernel mass."""

    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""
        return self.extension.vote(w, self.labels)


def label_by_embedding(
    embedding: FloatArray, extension: Extension, n_clusters: int, rng: np.random.Generator
) -> ByCentre:
    """k-means on the rows of an embedding; ``extension`` carries it to new rows."""
    labels = cluster_labels(embedding, n_clusters, rng, extension.counts)
    centres = centres_of(extension.embedding, labels, extension.counts)
    return ByCentre(labels, extension, centres, np.arange(centres.shape[0]))


def label_rows(
    point: ClusterPoint, rng: np.random.Generator, finer: AbstractKernel | None = None
) -> ByCentre:
    """k-means on the embedding; where clusters do not stand clear, the best of several labellings.

    These are joined from segments, and read from the graph of a ``finer`` kernel in the same
    subspace. Cuts of different graphs cannot be compared: fewer neighbours, less of a cut. But
    ``(k - association) / (k - sum of eigenvalues)`` is 1 in any graph whose best eigenvectors
    are clusters, and the larger the less they are. All this is about the cut, hence for
    ``normalize="degree"``.
    """
    k, counts = point.objective.n_clusters, point.objective.counts
    plain = label_by_embedding(point.embedding, Extension.of(point), k, rng)
    n_segments = min(_SEGMENTS * k, counts.whole // _FEWEST_ROWS, counts.n)
    if point.objective.normalize != "degree" or point.stands_clear or n_segments <= k:
        return plain
    tried = [(point, plain), (point, _joined(point, n_segments, rng))]
    graphs = []
    with suppress(DegenerateDataError):  # few neighbours may all be duplicates
        graphs = [] if finer is None else [_seen_by(finer, k, point)]
    for graph in graphs:
        tried.append((graph, label_by_embedding(graph.embedding, Extension.of(graph), k, rng)))
        tried.append((graph, _joined(graph, n_segments, rng)))
    fair = [pair for pair in tried if has_fair_sizes(pair[1].labels, plain.labels, counts)]
    return min(fair, key=lambda pair: _cut_over_bound(pair[0], pair[1].labels))[1]


def _seen_by(kernel: AbstractKernel, k: int, point: ClusterPoint) -> ClusterPoint:
    """The same subspace through another kernel, or with another number of clusters."""
    ours = point.objective
    objective = ClusterObjective(
        ours.X, kernel, k, (), ours.normalize, ours.engine, weights=ours.counts.v
    )
    return objective.point(point.W)


def _cut_over_bound(point: ClusterPoint, labels: Array) -> float:
    k, multiply = point.objective.n_clusters, point.objective.multiply_at(point)
    cut = k - association(multiply, point.degree, labels, point.objective.counts)
    bound = k - float(point.spectrum_of_graph.values[:k].sum())
    return cut / max(bound, np.finfo(float).eps)


def _joined(point: ClusterPoint, n_segments: int, rng: np.random.Generator) -> ByCentre:
    """Segments by k-means on as many eigenvectors, joined to clusters."""
    fine = _seen_by(point.objective.kernel, n_segments, point)
    segments = label_by_embedding(fine.embedding, Extension.of(fine), n_segments, rng)
    multiply, k = fine.objective.multiply_at(fine), point.objective.n_clusters
    counts = fine.objective.counts
    cluster_of = join_segments(multiply, fine.degree, segments.labels, k, counts)
    labels = cluster_of[segments.labels]
    return ByCentre(labels, segments.extension, segments.centres, cluster_of)
