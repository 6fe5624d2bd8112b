"""From an embedding to labels: k-means on rows of unit length."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from .._arrays import Array, FloatArray

__all__ = ["centres_of", "cluster_labels", "nearest_centre", "unit_rows"]


def unit_rows(Y: FloatArray) -> FloatArray:
    """Rows scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(Y, axis=1, keepdims=True)
    return Y / np.where(lengths > 0.0, lengths, 1.0)


def cluster_labels(Y: FloatArray, n_clusters: int, rng: np.random.Generator) -> Array:
    """k-means, ten seeded starts; clusters are numbered by their first row."""
    rows = np.round(unit_rows(Y), 9)  # equal rows must not be told apart by rounding
    kmeans = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings(), threadpool_limits(1):
        # Fewer distinct rows than clusters: the estimator says so in its own words.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = kmeans.fit(rows).labels_
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first, kind="stable"), kind="stable")[codes]


def centres_of(Y: FloatArray, labels: Array) -> FloatArray:
    """Means of the rows of unit length, one per label 0, 1, ...; NaN where a label has no rows."""
    rows = unit_rows(Y)
    centres = np.full((int(labels.max()) + 1, Y.shape[1]), np.nan)
    for c in np.unique(labels):
        centres[c] = rows[labels == c].mean(axis=0)
    return centres


def nearest_centre(Y: FloatArray, centres: FloatArray) -> Array:
    """The label of the nearest centre."""
    return np.nanargmin(np.sum(centres**2, axis=1) - 2.0 * unit_rows(Y) @ centres.T, axis=1)
