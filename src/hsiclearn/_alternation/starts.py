"""Where to look for a clustering: subspaces worth starting from.

Clustering objectives have many local minima, so many starts are tried on a subsample. Each rule
sees something the others miss; none looks at an answer. Moments and scatters are those of rows as
often as they count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import ceil, comb

import numpy as np

from .._arrays import FloatArray
from .._counts import Counts
from .._linalg import lowest_eigenpairs, null_space_of, orthonormal_basis, typical_distance
from .._objective import ClusterObjective
from .._progress import heard_by
from .._solvers import Settings, minimise
from ..exceptions import DegenerateDataError
from ..gamma import LowRank
from ..kernels import Gaussian
from .neighbors import nearest_rows

Start = tuple[str, FloatArray]
_MOST_SUBSETS = 15  # of columns
_MOST_WINDOWS = 6  # of directions by kurtosis
_NEIGHBORS = (5, 10, 20)  # of local scatter
_RANDOM = 5
_NO_VARIANCE = 1e-10  # beside the largest


def cluster_starts(
    objective: ClusterObjective, wide: ClusterObjective, q: int, rng: np.random.Generator
) -> Iterator[Start]:
    """All starts of q dimensions.

    ``objective`` is on few rows, for rules that evaluate it; ``wide`` is on more, for rules that
    only look at the rows.
    """
    yield from _informed(objective, wide, q)
    yield from _column_subsets(objective, q)
    for _ in range(_RANDOM):
        yield "random", orthonormal_basis(rng.standard_normal((objective.n_features, q)))


def quick_starts(objective: ClusterObjective, q: int) -> Iterator[Start]:
    """A few of them: the first of every rule that looks at the rows."""
    first: dict[str, FloatArray] = {}
    for name, W in _informed(objective, objective, q, _NEIGHBORS[:1]):
        first.setdefault(name.rsplit("-", 1)[0], W)
    yield from first.items()


def _informed(
    objective: ClusterObjective,
    wide: ClusterObjective,
    q: int,
    neighbors: tuple[int, ...] = _NEIGHBORS,
) -> Iterator[Start]:
    yield from _peel(objective, q)
    yield "principal", lowest_vectors(-(wide.X.T @ wide.counts.times(wide.X)), q)
    yield from _structure(wide, q, neighbors)
    yield from _without_the_given(wide, q)


def identity_start(objective: ClusterObjective, q: int) -> FloatArray:
    """The lowest eigenvectors of Phi at W = I."""
    return lowest_vectors(objective.phi(np.eye(objective.n_features)), q)


def lowest_vectors(A: FloatArray, q: int) -> FloatArray:
    """The q lowest eigenvectors; of ``-X'X``, the directions of largest variance."""
    return lowest_eigenpairs(A, q).vectors[:, :q]


def _peel(objective: ClusterObjective, q: int) -> Iterator[Start]:
    """From W = I, drop the dimension that W'Phi W likes least, and look again.

    One at a time while they are few, a fifth at a time while they are many.
    """
    W = np.eye(objective.n_features)
    while (p := W.shape[1]) > q:
        try:
            with objective.frozen(W):
                phi = W.T @ objective.phi(W) @ W
        except DegenerateDataError:  # in many dimensions all rows may be out of each other's reach
            return
        W = W @ lowest_vectors(phi, max(q, _fewer(p)))
    yield "peel", W


def _windows(X: FloatArray, counts: Counts, q: int) -> Iterator[tuple[int, FloatArray]]:
    """Runs of q adjacent eigenvectors of ``E[|z|^2 z z']``, z the whitened rows.

    They order directions by kurtosis: clusters lie at the low end, heavy tails at the high one,
    Gaussian noise between (FOBI). Where there are many, the outermost windows are taken.
    """
    whiten = _whitening(X, counts)
    Z = (X - counts.mean(X)) @ whiten
    if Z.shape[1] < q or 2 * Z.shape[1] > counts.total:
        return  # too few rows for fourth moments
    fourth = Z.T @ counts.times(np.sum(Z**2, axis=1, keepdims=True) * Z)
    directions = whiten @ np.linalg.eigh(fourth)[1]
    firsts = list(range(Z.shape[1] - q + 1))
    if len(firsts) > _MOST_WINDOWS:
        firsts = firsts[: _MOST_WINDOWS // 2] + firsts[-_MOST_WINDOWS // 2 :]
    for j in firsts:
        yield j, directions[:, j : j + q]


def _structure(wide: ClusterObjective, q: int, neighbors: tuple[int, ...]) -> Iterator[Start]:
    """Directions of low kurtosis or low local scatter, in all columns and beside the given labels.

    Two clusterings of the same shape have the same moments: these rules alone would mix them.
    Supervised HSIC knows the subspace of the given one, of which 1, 2, ... q dimensions are set
    aside in turn.
    """
    X, counts = wide.X, wide.counts
    for p, B in _complements(wide, q):
        for j, V in _windows(X @ B, counts, q):
            yield f"kurtosis-{p}-{j}", orthonormal_basis(B @ V)
        # Of numbers whose squares vanish there is a rank, but no variance.
        if min(np.linalg.matrix_rank(X @ B), _whitening(X @ B, counts).shape[1]) < q:
            continue
        for k in neighbors:
            yield f"local-{p}-{k}", orthonormal_basis(B @ _local_peel(X @ B, counts, q, k))


def _complements(objective: ClusterObjective, q: int) -> Iterator[tuple[int, FloatArray]]:
    """Everything, and what is left beside p dimensions that depend most on the given labels."""
    X, d, counts = objective.X, objective.n_features, objective.counts
    yield 0, np.eye(d)
    given = [counts.times(term.U) for term in objective.guidance if not term.follow]
    if not given:
        return
    typical = typical_distance(X, np.random.default_rng(0), weights=counts.v)
    scale = 0.75 * typical * np.sqrt(q / d)
    gamma, settings = LowRank(np.concatenate(given, axis=1)), Settings(n_init=3, tol=1e-3)
    for p in range(1, min(q, d - q) + 1):
        with heard_by(None):
            dependent = minimise(X, gamma, Gaussian(scale), p, settings).W
        yield p, null_space_of(dependent)


def _local_peel(X: FloatArray, counts: Counts, q: int, k: int) -> FloatArray:
    """Drop whitened directions one at a time, the one of largest local scatter first.

    The scatter of differences between neighbours, each of unit length, is small along
    directions in which the rows bunch up, into blobs or along curves, and large along noise.
    """
    whiten = _whitening(X, counts)
    V = np.eye(whiten.shape[1])
    while V.shape[1] > q:
        Z = X @ whiten @ V
        scatter = np.zeros((Z.shape[1], Z.shape[1]))
        for neighbors in nearest_rows(Z, min(k, Z.shape[0] - 1)):
            R = Z - Z[neighbors]
            squares = np.sum(R**2, axis=1, keepdims=True)
            times = counts.times(counts.column[neighbors])  # that this pair is there
            scatter += R.T @ (R / (np.where(squares > 0.0, squares, 1.0) / times))
        V = V @ lowest_vectors(scatter, max(q, _fewer(V.shape[1])))
    return whiten @ V


def _whitening(X: FloatArray, counts: Counts) -> FloatArray:
    """T with ``XT`` of unit covariance; directions without variance are left out."""
    X = X - counts.mean(X)
    variances, axes = np.linalg.eigh(X.T @ counts.times(X) / counts.total)
    kept = variances > _NO_VARIANCE * variances[-1]
    return axes[:, kept] / np.sqrt(variances[kept])


def _fewer(p: int) -> int:
    """One dimension less while they are few, a fifth less while they are many."""
    return p - 1 if p <= 20 else ceil(0.8 * p)


def _without_the_given(objective: ClusterObjective, q: int) -> Iterator[Start]:
    """Principal directions of what is left beside the given labels' discriminant directions."""
    X, counts = objective.X, objective.counts
    for term in objective.guidance:
        if term.follow:
            continue
        A = np.linalg.lstsq(counts.scaled(X), counts.scaled(term.U), rcond=1e-8)[0]
        U, sizes, _ = np.linalg.svd(A, full_matrices=False)
        rank = int(np.count_nonzero(sizes > 1e-8 * sizes[0]))
        B = null_space_of(U[:, : min(rank, X.shape[1] - q)])
        XB = X @ B
        yield "discriminant-complement", B @ lowest_vectors(-(XB.T @ counts.times(XB)), q)


def _column_subsets(objective: ClusterObjective, q: int) -> Iterator[Start]:
    """Every q columns, where there are few such choices."""
    d = objective.n_features
    if comb(d, q) <= _MOST_SUBSETS:
        for chosen in combinations(range(d), q):
            yield "columns-" + "-".join(map(str, chosen)), np.eye(d)[:, list(chosen)]
