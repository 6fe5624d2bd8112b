r"""From a spectral embedding and some known labels to a label for every row.

0. *Graph.* The relative Gaussian kernel, cut off at three times the neighbours that set a row's
   scale: in many dimensions all rows are about as far from each other, and without the cut the
   far ones drown the near ones.
1. *Rows.* With eigenpairs ``(lambda_j, v_j)`` of the normalised graph, largest first, row i is
   at length one the row ::

       e_i = (v_i1 / sqrt(1 - b l_1), ..., v_im / sqrt(1 - b l_m)),   l_j = lambda_j / lambda_1

   For b = 1 these are commute times: directions along which the graph hardly mixes count most,
   and later ones are let in by degrees rather than cut off after the k-th.
2. *Centres.* k-means starts from the means of the known rows, and known rows never change class.
   Classes that nobody is known of start from rows far from the others, as in k-means++.
3. *Residuals.* Where k-means would rather give the known rows L another class, the difference is
   spread to all rows by ridge regression on the embedding::

       F = onehot(k-means) + E E_L' (E_L E_L' + r I)^-1 (onehot(known) - onehot(k-means)_L)

   and the largest entry of each row of F decides.

Rows that count v_i times are in every mean and sum so often, as equal rows are.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import eigsh

from .._arrays import Array, FloatArray
from .._counts import Counts
from .._linalg import Spectrum
from .._paradigms import one_hot
from .._threads import single_threaded_openmp
from .labels import cluster_labels, unit_rows

_DENSE_UP_TO = 300  # rows of an eigenproblem that needs no sparse solver
_DAMPING = 0.99  # b: keeps an eigenvalue of 1 from taking everything
_RIDGE = 0.5  # r: half the square of a unit row
_N_INIT = 10
_MAX_ITER = 100


def seeded_labels(
    eigenvectors: FloatArray,
    eigenvalues: FloatArray,
    codes: Array,
    n_clusters: int,
    rng: np.random.Generator,
    counts: Counts | None = None,
) -> Array:
    """One of ``0 .. k-1`` for every row; known rows keep theirs, -1 is unknown.

    ``eigenvalues`` descend; their eigenvectors are best three times as many as clusters. With no
    row known this is k-means.
    """
    relative = np.minimum(eigenvalues / max(float(eigenvalues[0]), np.finfo(float).tiny), 1.0)
    E, counts = (
        unit_rows(eigenvectors / np.sqrt(1.0 - _DAMPING * relative)),
        counts or Counts(codes.size),
    )
    if np.all(codes < 0):
        return cluster_labels(E, n_clusters, rng, counts)
    labels = _clamped_k_means(E, codes, n_clusters, rng, counts)
    labels = _corrected(E, labels, codes, n_clusters, counts)
    return np.where(codes >= 0, codes, labels)


def neighbor_rule(n_samples: float, n_clusters: int) -> int:
    """``max(7, sqrt(n/k))``: the root of an average cluster's size."""
    return max(7, round(np.sqrt(n_samples / n_clusters)))


class NeighborGraph:
    """Rows joined to their neighbours, in sparse form.

    ``K_ij = exp(-|z_i - z_j|^2 / (2 sigma_i sigma_j))`` where one of the two is among the 3r
    nearest of the other, 0 elsewhere and for i = j. ``sigma_i`` is the distance to the r-th
    neighbour, at least the median one; r is :func:`neighbor_rule`. Equal rows are one point of
    the graph that counts as often as it occurs, so that they cannot use up each other's
    neighbours.
    """

    def __init__(self, rows: FloatArray, n_clusters: int, counts: Counts | None = None) -> None:
        self._of_rows = counts or Counts(rows.shape[0])
        scale = _spread(rows, self._of_rows) or 1.0
        points, inverse = np.unique(np.round(rows / scale, 9), axis=0, return_inverse=True)
        self.n_clusters, self._point_of = n_clusters, inverse.ravel()
        self._counts = self._of_rows.per_label(self._point_of, points.shape[0])
        self._own = np.minimum(self._counts, 1.0)  # of a row's degree, its own
        self._K = _affinities(points, neighbor_rule(self._of_rows.total, n_clusters))
        self._degree = np.maximum(self._K @ self._counts - self._own, np.finfo(float).tiny)

    @cached_property
    def spectrum(self) -> Spectrum:
        """The 3k largest eigenpairs of ``D^-1/2 K D^-1/2``, descending; vectors are by row."""
        root = diags_array(np.sqrt(self._counts / self._degree))
        normalised = csr_array(root @ self._K @ root - diags_array(self._own / self._degree))
        top = _top(normalised, 3 * self.n_clusters)
        return Spectrum(top.values, top.vectors[self._point_of])

    def labels(self, codes: Array, rng: np.random.Generator) -> Array:
        """:func:`seeded_labels` in this graph."""
        spectrum = self.spectrum
        k, counts = self.n_clusters, self._of_rows
        return seeded_labels(spectrum.vectors, spectrum.values, codes, k, rng, counts)

    def association(self, labels: Array) -> float:
        """``sum_c y_c'K y_c / y_c'D y_c``, k less the normalised cut: the larger, the better."""
        # Rows of each class at each point.
        M = np.zeros((self._degree.size, self.n_clusters))
        np.add.at(M, (self._point_of, labels), self._of_rows.column[:, 0])
        within = np.sum(M * (self._K @ M), axis=0) - self._own @ M
        return float(np.sum(within / np.maximum(self._degree @ M, np.finfo(float).tiny)))


def _spread(rows: FloatArray, counts: Counts) -> float:
    """Deviation of all entries from their mean."""
    if counts.v is None:
        return float(np.std(rows))
    square = counts.mean(np.square(rows - counts.mean(rows).mean()))
    return float(np.sqrt(square.mean()))


def _affinities(points: FloatArray, n_neighbors: int) -> csr_array:
    """K on distinct points, its diagonal one."""
    from sklearn.neighbors import NearestNeighbors  # slow to load, and few fits need it

    n = points.shape[0]
    reach = min(3 * n_neighbors, n - 1)
    with single_threaded_openmp():
        distance, index = NearestNeighbors(n_neighbors=reach + 1).fit(points).kneighbors(points)
    sigma = distance[:, min(n_neighbors, reach)]
    sigma = np.maximum(sigma, np.median(sigma))
    row, col = np.repeat(np.arange(n), reach + 1), index.ravel()
    scale = np.maximum(sigma[row] * sigma[col], np.finfo(float).tiny)
    K = csr_array((np.exp(-0.5 * distance.ravel() ** 2 / scale), (row, col)), (n, n))
    return csr_array(K.maximum(K.T))


def _top(A: csr_array, k: int) -> Spectrum:
    """The k largest eigenpairs, descending; fewer where there are fewer rows."""
    n = A.shape[0]
    if n <= max(_DENSE_UP_TO, k + 1):
        values, vectors = np.linalg.eigh(A.toarray())
    else:
        start = np.random.default_rng(0).standard_normal(n)
        values, vectors = eigsh(A, k, which="LA", v0=start, tol=1e-6)
    order = np.argsort(-values, kind="stable")[:k]
    return Spectrum(values[order], vectors[:, order])


def _clamped_k_means(
    E: FloatArray, codes: Array, k: int, rng: np.random.Generator, counts: Counts
) -> Array:
    """The nearest centre of every row, known ones included, at the lowest inertia found."""
    n_init = 1 if np.unique(codes[codes >= 0]).size == k else _N_INIT
    found = [
        _lloyd(E, codes, _first_centres(E, codes, k, rng, counts), counts) for _ in range(n_init)
    ]
    return min(found, key=lambda pair: pair[0])[1]


def _first_centres(
    E: FloatArray, codes: Array, k: int, rng: np.random.Generator, counts: Counts
) -> FloatArray:
    """Means of the known rows; the rest are rows drawn by their squared distance to these."""
    present = np.unique(codes[codes >= 0])
    centres = np.zeros((k, E.shape[1]))
    of_class = [np.flatnonzero(codes == c) for c in present]
    centres[present] = [counts.take(ours).mean(E[ours]) for ours in of_class]
    taken = list(present)
    for c in np.setdiff1d(np.arange(k), present):
        distance = np.where(codes >= 0, 0.0, _squares(E, centres[taken]).min(axis=1))
        distance = counts.times(distance)
        total = float(distance.sum())
        weights = distance / total if total > 0.0 else counts.column[:, 0] / counts.total
        centres[c] = E[rng.choice(E.shape[0], p=weights)]
        taken.append(c)
    return centres


def _lloyd(E: FloatArray, codes: Array, centres: FloatArray, counts: Counts) -> tuple[float, Array]:
    """k-means in which known rows stay: its inertia, and the nearest centre of every row."""
    known, k = codes >= 0, centres.shape[0]
    last = np.full(codes.shape, -1)
    for _ in range(_MAX_ITER):
        distance = _squares(E, centres)
        nearest = distance.argmin(axis=1)
        labels = np.where(known, codes, nearest)
        if np.array_equal(labels, last):
            break
        last, Y = labels, counts.times(one_hot(labels, k))
        sizes = Y.sum(axis=0)[:, None]
        centres = np.where(sizes > 0.0, Y.T @ E / np.where(sizes > 0.0, sizes, 1.0), centres)
    return float(counts.times(distance[np.arange(codes.size), labels]).sum()), nearest


def _squares(E: FloatArray, centres: FloatArray) -> FloatArray:
    """Squared distances of rows and centres."""
    ours, theirs = np.sum(E**2, axis=1)[:, None], np.sum(centres**2, axis=1)
    return np.maximum(ours + theirs - 2.0 * E @ centres.T, 0.0)


def _corrected(E: FloatArray, labels: Array, codes: Array, k: int, counts: Counts) -> Array:
    """Spread what k-means got wrong on known rows to the rows near them."""
    known = np.flatnonzero(codes >= 0)
    if np.array_equal(labels[known], codes[known]):
        return labels
    F, E_known = one_hot(labels, k), E[known]
    residual, of_known = one_hot(codes[known], k) - F[known], counts.take(known)
    # The same by (E_L'E_L + rI)^-1 E_L', a system of the embedding's size.
    ridge = E_known.T @ of_known.times(E_known) + _RIDGE * np.eye(E.shape[1])
    spread = np.linalg.solve(ridge, E_known.T @ of_known.times(residual))
    return (F + E @ spread).argmax(axis=1)
