r"""From an embedding to labels: k-means on rows of unit length, or segments that are joined.

The k largest eigenvalues belong to k clusters only while every other cut is worse. A long thin
cluster, the outer of three rings say, is nearly as easy to cut across as to cut off, and k-means on
k eigenvectors then returns arcs. So the rows are first divided into more segments than clusters, by
k-means on as many eigenvectors, and those two segments are joined, again and again, that leave the
largest ::

    association = sum_c y_c'K y_c / y_c'D y_c = k - normalised cut

Both labellings are compared by that same figure, which is what the eigenvalues are a bound of. To
cut off a handful of outlying rows is always cheap, so the smallest clusters are compared as well.

Rows that count more than once are in all this as often as they count.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .._arrays import Array, FloatArray
from .._counts import Counts
from .._paradigms import one_hot
from .._threads import single_threaded_openmp

_FAIR = 0.5
Multiply = Callable[[FloatArray], FloatArray]


def unit_rows(Y: FloatArray) -> FloatArray:
    """Rows scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(Y, axis=1, keepdims=True)
    return Y / np.where(lengths > 0.0, lengths, 1.0)


def cluster_labels(
    Y: FloatArray, n_clusters: int, rng: np.random.Generator, counts: Counts | None = None
) -> Array:
    """k-means, ten seeded starts; clusters are numbered by their first row."""
    from sklearn.cluster import KMeans  # slow to load, for clusterings alone

    rows = np.round(unit_rows(Y), 9)  # equal rows must not be told apart by rounding
    kmeans = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings(), single_threaded_openmp():
        # Fewer distinct rows than clusters: the estimator says so in its own words.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = kmeans.fit(rows, sample_weight=None if counts is None else counts.v).labels_
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first, kind="stable"), kind="stable")[codes]


def centres_of(Y: FloatArray, labels: Array, counts: Counts | None = None) -> FloatArray:
    """Means of the rows of unit length, one per label 0, 1, ...; NaN where a label has no rows."""
    rows, counts = unit_rows(Y), counts or Counts(labels.size)
    centres = np.full((int(labels.max()) + 1, Y.shape[1]), np.nan)
    for c in np.unique(labels):
        ours = np.flatnonzero(labels == c)
        centres[c] = counts.take(ours).mean(rows[ours])
    return centres


def nearest_centre(Y: FloatArray, centres: FloatArray) -> Array:
    """The label of the nearest centre."""
    return np.nanargmin(np.sum(centres**2, axis=1) - 2.0 * unit_rows(Y) @ centres.T, axis=1)


def association(
    multiply: Multiply, degree: FloatArray, labels: Array, counts: Counts | None = None
) -> float:
    """``sum_c y_c'K y_c / y_c'D y_c``; ``multiply`` is the product with K."""
    within, volume = _masses(multiply, degree, labels, counts)
    return float(np.sum(np.diag(within) / np.maximum(volume, np.finfo(float).tiny)))


def has_fair_sizes(labels: Array, beside: Array, counts: Counts | None = None) -> bool:
    """Whether the smallest cluster is no less than half as large as the smallest of the other."""
    k, counts = max(int(labels.max()), int(beside.max())) + 1, counts or Counts(labels.size)
    ours, theirs = (float(counts.per_label(x, k).min()) for x in (labels, beside))
    return ours >= _FAIR * theirs


def join_segments(
    multiply: Multiply,
    degree: FloatArray,
    segments: Array,
    n_clusters: int,
    counts: Counts | None = None,
) -> Array:
    """The cluster ``0 .. k-1`` of each segment, joined greedily; numbered by their first segment.

    All that is asked of the graph is one product with as many columns as segments.
    """
    between, volume = _masses(multiply, degree, segments, counts)
    members = [[s] for s in range(volume.size)]
    while len(members) > n_clusters:
        i, j = _best_pair(between, volume)
        between[i] += between[j]
        between[:, i] += between[:, j]
        volume[i] += volume[j]
        between = np.delete(np.delete(between, j, axis=0), j, axis=1)
        volume = np.delete(volume, j)
        members[i] += members.pop(j)
    cluster_of = np.empty(int(segments.max()) + 1, dtype=np.intp)
    for c, group in enumerate(sorted(members, key=min)):
        cluster_of[group] = c
    return cluster_of


def _masses(
    multiply: Multiply, degree: FloatArray, labels: Array, counts: Counts | None
) -> tuple[FloatArray, FloatArray]:
    """Kernel mass between every two labels, and the degree of each."""
    Y = (counts or Counts(labels.size)).times(one_hot(labels, int(labels.max()) + 1))
    between = Y.T @ multiply(Y)
    return 0.5 * (between + between.T), Y.T @ degree


def _best_pair(between: FloatArray, volume: FloatArray) -> tuple[int, int]:
    """The two, i < j, whose union leaves the largest association."""
    own = np.diag(between)
    union = own[:, None] + own + 2.0 * between
    gain = union / (volume[:, None] + volume) - (own / volume)[:, None] - own / volume
    gain[np.tril_indices_from(gain)] = -np.inf
    i, j = np.unravel_index(int(np.argmax(gain)), gain.shape)
    return int(i), int(j)
