r"""Whether a clustering comes out again: from other starts, and from other rows.

The labels of the fit are compared with those of other attempts at it by the adjusted Rand index:

*starts*
    the other starts that the search followed to their end, labelled there;
*resamples*
    refits on one half of the rows, which label the other half as they would label new rows. Only
    these are compared, and a refit knows nothing of the subspace that was found: it searches for
    one of its own. A refit from there has seen all rows through it, and agrees on noise, too.

A refit searches from one start of every rule only. Measured, all this takes a fifth to a
half of a fit that searches, and as long as one whose search ends early.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

from .._arrays import Array, FloatArray
from .._objective import ClusterObjective, ClusterPoint
from .._progress import tell
from .._result import Agreement
from .._threads import single_threaded_blas
from ..exceptions import DegenerateDataError
from .labelling import Labelling
from .search import Starts, quick_subspace
from .settle import Found, settle_from

__all__ = [
    "STEPS",
    "TOL",
    "AbstractRetry",
    "Attempt",
    "Label",
    "Retry",
    "check_rows",
    "labels_of_all",
    "measure_agreement",
]

Label = Callable[[ClusterPoint, np.random.Generator], Labelling]
_SPLITS = 2  # into halves
_MOST_ROWS = 1000  # of a refit
STEPS = 10  # of a refit, after its search
TOL = 1e-3


@dataclass(frozen=True, eq=False)
class Attempt:
    """Labels of some rows by another way, and by how much its cost lies above, as a share."""

    rows: Array
    labels: Array
    above: float = 0.0


class AbstractRetry(ABC):
    """How the same clustering can be tried again."""

    known: Array | None = None
    """The given label of each row, -1 without: to agree on those with one is no achievement."""

    @abstractmethod
    def others(self, rng: np.random.Generator) -> Iterator[Attempt]:
        """From other starts."""

    @abstractmethod
    def again(self, rows: Array, rng: np.random.Generator) -> Array:
        """On some rows, as if there were no others: the labels that gives to all of them."""


@dataclass(frozen=True, eq=False)
class Retry(AbstractRetry):
    """Of what a search found, labelled by a rule for points of its objective.

    ``starts`` are those of a refit.
    """

    found: Found
    label: Label
    starts: Starts

    def others(self, rng: np.random.Generator) -> Iterator[Attempt]:
        """The starts that were polished and did not win."""
        for other in self.found.others:
            yield Attempt(other.rows, self.label(other.point, rng).labels, other.above)

    def again(self, rows: Array, rng: np.random.Generator) -> Array:
        """A short search and a short descent."""
        whole = self.found.point.objective
        check_rows(rows, whole.n_clusters)
        few = whole.subset(rows, accuracy=TOL)
        W = quick_subspace(few, self.starts, rng)
        ended = settle_from("again", W, few, tol=TOL, max_iter=STEPS).point
        return labels_of_all(self.label(ended, rng), whole.X, rows, few, ended.W)


def check_rows(rows: Array, n_clusters: int) -> None:
    """Refuse a refit on hardly any rows."""
    if rows.size <= n_clusters:
        raise DegenerateDataError(
            f"A refit needs more rows than clusters. Got {rows.size} rows, {n_clusters} clusters."
        )


def labels_of_all(
    labelling: Labelling, X: FloatArray, rows: Array, few: ClusterObjective, W: FloatArray
) -> Array:
    """Labels of all rows of X, as if they were new, by a labelling of some of them."""
    shift = X[rows].mean(axis=0) - few.X.mean(axis=0)
    return labelling(X @ W - shift @ W)


def measure_agreement(
    labels: Array, retry: AbstractRetry | None, rng: np.random.Generator
) -> Agreement:
    """Compare labels with those of other attempts; nothing where there is one cluster."""
    if retry is None or np.unique(labels).size < 2:
        return Agreement()
    known = np.full(labels.size, -1) if retry.known is None else retry.known
    free = known < 0
    if np.count_nonzero(free) < 2:
        return Agreement()

    def score(attempt: Attempt) -> float:
        kept = free[attempt.rows]
        return float(adjusted_rand_score(labels[attempt.rows][kept], attempt.labels[kept]))

    with single_threaded_blas():
        others = list(retry.others(rng))
        halves = list(_halves(known, rng))
        again = list(_refits(retry, halves, np.where(free, labels, -1), rng))
    starts, resamples = tuple(map(score, others)), tuple(map(score, again))
    return Agreement(
        starts=float(np.mean(starts)) if starts else None,
        n_starts=len(starts),
        start_scores=starts,
        start_costs=tuple(float(other.above) for other in others),
        resamples=float(np.mean(resamples)) if resamples else None,
        n_resamples=len(resamples),
        resample_scores=resamples,
        share=min(halves[0][0].size, _MOST_ROWS) / labels.size,
    )


def _halves(known: Array, rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
    """One half of the rows and the other, both ways; each has its share of every given label."""
    for _ in range(_SPLITS):
        order = rng.permutation(known.size)
        order = order[np.argsort(known[order], kind="stable")]
        yield order[::2], order[1::2]
        yield order[1::2], order[::2]


def _refits(
    retry: AbstractRetry,
    halves: Sequence[tuple[Array, Array]],
    labels: Array,
    rng: np.random.Generator,
) -> Iterator[Attempt]:
    """On each half, for the other; ``labels`` are those to find again, -1 where it does not matter.

    Left out are those that cannot be made, where fewer rows are too degenerate for a kernel, and
    those with one cluster to find again: there every answer of one cluster would be right.
    """
    for i, (half, other) in enumerate(halves, start=1):
        tell("labelling each half of the rows by the other", f"{i} of {len(halves)}")
        rows = np.sort(rng.permutation(half)[:_MOST_ROWS])
        wanted = labels[other]
        if np.unique(wanted[wanted >= 0]).size > 1:
            with suppress(DegenerateDataError):
                yield Attempt(other, retry.again(rows, rng)[other])
