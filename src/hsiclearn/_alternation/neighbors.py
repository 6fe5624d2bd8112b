"""The nearest other rows of every row, by a tree in few dimensions and by all pairs in many."""

from __future__ import annotations

from scipy.spatial import cKDTree

from .._arrays import Array, FloatArray
from .._threads import single_threaded_openmp

_FEW_DIMENSIONS = 6  # beyond, a tree looks at nearly every row, at a cost of its own


def nearest_rows(Z: FloatArray, k: int) -> Array:
    """Row j holds, for every row of Z, its (j+1)-th nearest other one, shape (k, n)."""
    if Z.shape[1] <= _FEW_DIMENSIONS:
        return cKDTree(Z).query(Z, k=range(2, k + 2))[1].T
    from sklearn.neighbors import NearestNeighbors  # loads linear models and metrics with it

    with single_threaded_openmp():
        found = NearestNeighbors(n_neighbors=k + 1, algorithm="brute").fit(Z)
        return found.kneighbors(Z, return_distance=False)[:, 1:].T
