r"""Subspaces to start from that use what is known of the labels.

Labels are guessed for all rows, then supervised HSIC finds the subspace that shows them, and both
once more from there::

    labels <- seeded k-means in the neighbour graph of X (then of XW)
    W      <- argmax Tr(K_XW U U'),   u_i = w_i (onehot(label_i) - mean),  mean weighted by w

with ``w_i`` larger on rows whose label is known, and the Gaussian kernel. Without any known label
the guess is spectral clustering, which is still worth a start. Rows that count v_i times are in the
mean by ``w_i v_i``, and in Tr as ``v_i u_i``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .._arrays import Array, FloatArray
from .._counts import Counts
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
    X: FloatArray,
    n_clusters: int,
    q: int,
    rng: np.random.Generator,
    counts: Counts | None = None,
) -> Iterator[Start]:
    """Starts of q dimensions from guesses that no label is known to."""
    for guess in guesses(X, np.full(X.shape[0], -1), n_clusters, q, rng, counts=counts):
        yield guess.start, guess.W


def guesses(
    X: FloatArray,
    codes: Array,
    n_clusters: int,
    q: int,
    rng: np.random.Generator,
    subspaces: Iterable[Start] = (),
    counts: Counts | None = None,
) -> Iterator[Guess]:
    """Alternate labels and subspace from all columns, then from each of some subspaces.

    Subspaces that show only outlying rows are left out.
    """
    counts = counts or Counts(X.shape[0])
    principal = lowest_vectors(-(X.T @ counts.times(X)), q)
    for name, start in chain([("all-columns", principal)], subspaces):
        W = start
        if W is principal:
            graph = NeighborGraph(X, n_clusters, counts)
        elif shows_most_rows(X @ W, counts):
            yield guess_in(name, X, W, codes, n_clusters, rng, counts)
            graph = NeighborGraph(X @ W, n_clusters, counts)
        else:
            continue
        labels = graph.labels(codes, rng)
        for i in range(1, _ROUNDS + 1):
            W = subspace_of_labels(X, labels, codes, n_clusters, W, rng, counts)
            guess = guess_in(f"{name}-guided-{i}", X, W, codes, n_clusters, rng, counts)
            labels = guess.labels
            yield guess


def guess_in(
    name: str,
    X: FloatArray,
    W: FloatArray,
    codes: Array,
    n_clusters: int,
    rng: np.random.Generator,
    counts: Counts | None = None,
) -> Guess:
    """Labels of all rows in the neighbour graph of one subspace."""
    graph = NeighborGraph(X @ W, n_clusters, counts)
    labels = graph.labels(codes, rng)
    return Guess(name, W, labels, graph.association(labels))


def shows_most_rows(rows: FloatArray, counts: Counts | None = None) -> bool:
    """Whether the median distance of two rows is a fair part of the root mean square one.

    It is 0.6 to 1 for clusters and below 0.1 where a few outlying rows hold all the spread, as in
    columns that are nearly always zero. There the others lie almost on one point, and what a
    scale-free graph finds among them is noise.
    """
    counts = counts or Counts(rows.shape[0])
    rms = float(np.sqrt(2.0 * np.sum(counts.variances(rows))))
    median = median_pair_distance(rows, np.random.default_rng(0), weights=counts.v)
    return median > _FAIR_SPREAD * rms


def best_guess(found: Iterable[Guess]) -> Guess:
    """The one whose labels cut the graph of its own subspace least."""
    return max(found, key=lambda guess: guess.association)


def label_factor(
    labels: Array, codes: Array, n_clusters: int, counts: Counts | None = None
) -> FloatArray:
    """U of ``Psi = U U'``: one-hot labels, known rows weighted more, columns summing to zero."""
    weight = np.where(codes >= 0, _KNOWN, 1.0)[:, None]
    Y, share = one_hot(labels, n_clusters), (counts or Counts(labels.size)).times(weight)
    return weight * (Y - np.sum(share * Y, axis=0) / share.sum())


def subspace_of_labels(
    X: FloatArray,
    labels: Array,
    codes: Array,
    n_clusters: int,
    W: FloatArray,
    rng: np.random.Generator,
    counts: Counts | None = None,
) -> FloatArray:
    """Supervised HSIC from W, labels fixed: where the rows show these labels best."""
    some = rng.permutation(np.flatnonzero(codes < 0))[:_MOST_ROWS]
    chosen = np.sort(np.concatenate([np.flatnonzero(codes >= 0), some]))
    ours = (counts or Counts(codes.size)).take(chosen)
    rows, U = X[chosen], label_factor(labels[chosen], codes[chosen], n_clusters, ours)
    width = _WIDTH * median_pair_distance(rows @ W, rng, weights=ours.v) or 1.0
    settings = Settings(init=W, tol=1e-3, max_iter=30)
    with heard_by(None):
        return minimise(rows, LowRank(ours.times(U)), Gaussian(width), W.shape[1], settings).W
