"""Labels of the training rows together with the rule that carries them to new rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from .._arrays import Array, FloatArray
from ..objective import ClusterObjective, ClusterPoint
from .extension import Extension
from .labels import centres_of, cluster_labels, nearest_centre
from .segments import association, join_segments

__all__ = ["ByCentre", "ByVote", "Labelling", "label_by_embedding", "label_rows"]

_SEGMENTS = 3  # per cluster
_FEWEST_ROWS = 4  # in a segment, on average


@dataclass(frozen=True)
class Labelling(ABC):
    """Clusters ``0 .. k-1`` of the training rows; calling it gives those of projected rows."""

    labels: Array

    @abstractmethod
    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""


@dataclass(frozen=True)
class ByCentre(Labelling):
    """The nearest of some centres in the embedding; each centre belongs to a cluster."""

    extension: Extension = field(repr=False)
    centres: FloatArray
    cluster_of: Array

    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""
        return self.cluster_of[nearest_centre(self.extension(w), self.centres)]


@dataclass(frozen=True)
class ByVote(Labelling):
    """The cluster whose training rows hold most of a row's kernel mass."""

    extension: Extension = field(repr=False)

    def __call__(self, w: FloatArray) -> Array:
        """The clusters of projected rows."""
        return self.extension.vote(w, self.labels)


def label_by_embedding(
    embedding: FloatArray, extension: Extension, n_clusters: int, rng: np.random.Generator
) -> ByCentre:
    """k-means on the rows of an embedding; ``extension`` carries it to new rows."""
    labels = cluster_labels(embedding, n_clusters, rng)
    centres = centres_of(extension.embedding, labels)
    return ByCentre(labels, extension, centres, np.arange(centres.shape[0]))


def label_rows(point: ClusterPoint, rng: np.random.Generator) -> ByCentre:
    """k-means on the embedding, or clusters joined from segments if those cut the graph less.

    Segments are tried where k clusters do not stand clearly apart, and where the objective is
    the cut, with ``normalize="degree"``.
    """
    k = point.objective.n_clusters
    plain = label_by_embedding(point.embedding, Extension.of(point), k, rng)
    n_segments = min(_SEGMENTS * k, point.degree.size // _FEWEST_ROWS)
    is_cut = point.objective.normalize == "degree"
    if not is_cut or point.stands_clear or n_segments <= k:
        return plain
    joined = _joined(point, n_segments, rng)
    multiply = point.objective.multiply_at(point)
    ours, theirs = (association(multiply, point.degree, x.labels) for x in (joined, plain))
    return joined if ours > theirs else plain


def _joined(point: ClusterPoint, n_segments: int, rng: np.random.Generator) -> ByCentre:
    """Segments by k-means on as many eigenvectors, joined to clusters."""
    ours = point.objective
    finer = ClusterObjective(ours.X, ours.kernel, n_segments, (), ours.normalize, ours.engine)
    fine = finer.point(point.W)
    segments = label_by_embedding(fine.embedding, Extension.of(fine), n_segments, rng)
    cluster_of = join_segments(
        finer.multiply_at(fine), fine.degree, segments.labels, ours.n_clusters
    )
    labels = cluster_of[segments.labels]
    return ByCentre(labels, segments.extension, segments.centres, cluster_of)
