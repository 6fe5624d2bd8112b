r"""Subspaces to start from that use what is known of the labels.

Labels are guessed for all rows, then supervised HSIC finds the subspace that shows them, and both
once more from there::

    labels <- seeded k-means in the neighbour graph of X (then of XW)
    W      <- argmax Tr(K_XW U U'),   u_i = w_i (onehot(label_i) - mean),  mean weighted by w

with ``w_i`` larger on rows whose label is known, and the Gaussian kernel. Without any known label
the guess is spectral clustering, which is still worth a start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import median_pair_distance
from .._paradigms import one_hot
from .._progress import heard_by
from .._solvers import Settings, minimise
from ..gamma import LowRank
from ..kernels import Gaussian
from .seeding import NeighborGraph
from .starts import Start, lowest_vectors

_ROUNDS = 2
_KNOWN = 5.0  # weight of a row whose label is known
_MOST_ROWS = 400  # that supervised HSIC looks at, beside the known ones
_FAIR_SPREAD = 0.25
_WIDTH = 2.0**-0.5  # bandwidth over the median distance of projected rows


@dataclass(frozen=True, eq=False)
class Guess:
    """A subspace, the labels of all rows in it, and how well they cut its graph."""

    start: str
    W: FloatArray
    labels: Array
    association: float

    @property
    def origin(self) -> str:
        """Where the alternation began that led here."""
        return self.start.split("-guided-")[0]


def unguided_starts(
    X: FloatArray, n_clusters: int, q: int, rng: np.random.Generator
) -> Iterator[Start]:
    """Starts of q dimensions from guesses that no label is known to."""
    for guess in guesses(X, np.full(X.shape[0], -1), n_clusters, q, rng):
        yield guess.start, guess.W


def guesses(
    X: FloatArray,
    codes: Array,
    n_clusters: int,
    q: int,
    rng: np.random.Generator,
    subspaces: Iterable[Start] = (),
) -> Iterator[Guess]:
    """Alternate labels and subspace from all columns, then from each of some subspaces.

    Subspaces that show only outlying rows are left out.
    """
    principal = lowest_vectors(-(X.T @ X), q)
    for name, start in chain([("all-columns", principal)], subspaces):
        W = start
        if W is principal:
            graph = NeighborGraph(X, n_clusters)
        elif shows_most_rows(X @ W):
            yield guess_in(name, X, W, codes, n_clusters, rng)
            graph = NeighborGraph(X @ W, n_clusters)
        else:
            continue
        labels = graph.labels(codes, rng)
        for i in range(1, _ROUNDS + 1):
            W = subspace_of_labels(X, labels, codes, n_clusters, W, rng)
            guess = guess_in(f"{name}-guided-{i}", X, W, codes, n_clusters, rng)
            labels = guess.labels
            yield guess


def guess_in(
    name: str, X: FloatArray, W: FloatArray, codes: Array, n_clusters: int, rng: np.random.Generator
) -> Guess:
    """Labels of all rows in the neighbour graph of one subspace."""
    graph = NeighborGraph(X @ W, n_clusters)
    labels = graph.labels(codes, rng)
    return Guess(name, W, labels, graph.association(labels))


def shows_most_rows(rows: FloatArray) -> bool:
    """Whether the median distance of two rows is a fair part of the root mean square one.

    It is 0.6 to 1 for clusters and below 0.1 where a few outlying rows hold all the spread, as in
    columns that are nearly always zero. There the others lie almost on one point, and what a
    scale-free graph finds among them is noise.
    """
    rms = float(np.sqrt(2.0 * np.sum(np.var(rows, axis=0))))
    return median_pair_distance(rows, np.random.default_rng(0)) > _FAIR_SPREAD * rms


def best_guess(found: Iterable[Guess]) -> Guess:
    """The one whose labels cut the graph of its own subspace least."""
    return max(found, key=lambda guess: guess.association)


def label_factor(labels: Array, codes: Array, n_clusters: int) -> FloatArray:
    """U of ``Psi = U U'``: one-hot labels, known rows weighted more, columns summing to zero."""
    weight = np.where(codes >= 0, _KNOWN, 1.0)[:, None]
    Y = one_hot(labels, n_clusters)
    return weight * (Y - np.sum(weight * Y, axis=0) / weight.sum())


def subspace_of_labels(
    X: FloatArray,
    labels: Array,
    codes: Array,
    n_clusters: int,
    W: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """Supervised HSIC from W, labels fixed: where the rows show these labels best."""
    some = rng.permutation(np.flatnonzero(codes < 0))[:_MOST_ROWS]
    chosen = np.sort(np.concatenate([np.flatnonzero(codes >= 0), some]))
    rows, U = X[chosen], label_factor(labels[chosen], codes[chosen], n_clusters)
    width = _WIDTH * median_pair_distance(rows @ W, rng) or 1.0
    settings = Settings(init=W, tol=1e-3, max_iter=30)
    with heard_by(None):
        return minimise(rows, LowRank(U), Gaussian(width), W.shape[1], settings).W
