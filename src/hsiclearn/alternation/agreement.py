r"""Whether a clustering comes out again: from other starts, and from other rows.

The labels of the fit are compared with those of other attempts at it by the adjusted Rand index:

*starts*
    the other starts that the search followed to their end, labelled there;
*resamples*
    refits on four fifths of the rows, each fifth left out once, from the subspace that was found.
    Rows that a refit did not see it labels as it would label new ones.

A refit takes a few steps only. It does not search again: whether another search would find the
same subspace is what the starts tell. Measured, all this takes a tenth of a fit that searches. A
fit that does not is soon done: it is repeated three times, with fewer steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

from .._arrays import Array, FloatArray
from .._progress import tell
from .._threads import single_threaded_blas
from ..exceptions import DegenerateDataError
from ..objective import ClusterObjective, ClusterPoint
from ..result import Agreement
from .labelling import Labelling
from .settle import Found, settle_from

__all__ = ["AbstractRetry", "Attempt", "Label", "Retry", "labels_of_all", "measure_agreement"]

Label = Callable[[ClusterPoint, np.random.Generator], Labelling]
_FOLDS = 5
_FEW_REFITS = 3
_MOST_ROWS = 2000  # of a refit, as of a polish
_STEPS = 10  # of a refit
TOL = 1e-3


@dataclass(frozen=True, eq=False)
class Attempt:
    """Labels of some rows by another way, and by how much its cost lies above, as a share."""

    rows: Array
    labels: Array
    above: float = 0.0


class AbstractRetry(ABC):
    """How the same clustering can be tried again; ``searched`` says how much work it was."""

    searched: bool
    known: Array | None = None
    """Which rows had a label to start with: to agree on these is no achievement."""

    n_steps: int

    @abstractmethod
    def others(self, rng: np.random.Generator) -> Iterator[Attempt]:
        """From other starts."""

    @abstractmethod
    def again(self, rows: Array, rng: np.random.Generator) -> Array:
        """On some rows: the labels that gives to all of them."""

    @property
    def budget(self) -> int:
        """Steps of a refit."""
        return _STEPS if self.searched else min(_STEPS, max(2, self.n_steps // 10))


@dataclass(frozen=True, eq=False)
class Retry(AbstractRetry):
    """Of what a search found, labelled by a rule for points of its objective."""

    found: Found
    label: Label

    @property
    def searched(self) -> bool:  # type: ignore[override]
        """Whether several starts were tried."""
        return bool(self.found.tried)

    @property
    def n_steps(self) -> int:  # type: ignore[override]
        """Steps of the descent."""
        return len(self.found.run.history) - 1

    def others(self, rng: np.random.Generator) -> Iterator[Attempt]:
        """The starts that were polished and did not win."""
        for other in self.found.others:
            yield Attempt(other.rows, self.label(other.point, rng).labels, other.above)

    def again(self, rows: Array, rng: np.random.Generator) -> Array:
        """A short descent on some rows."""
        point = self.found.point
        few = point.objective.subset(rows, accuracy=TOL)
        ended = settle_from("again", point.W, few, tol=TOL, max_iter=self.budget).point
        return labels_of_all(self.label(ended, rng), point.objective.X, rows, few, ended.W)


def labels_of_all(
    labelling: Labelling, X: FloatArray, rows: Array, few: ClusterObjective, W: FloatArray
) -> Array:
    """Labels of all rows of X by a labelling of some of them, which keep theirs."""
    shift = X[rows].mean(axis=0) - few.X.mean(axis=0)
    labels = labelling((X - shift) @ W)
    labels[rows] = labelling.labels
    return labels


def measure_agreement(
    labels: Array, retry: AbstractRetry | None, rng: np.random.Generator
) -> Agreement:
    """Compare labels with those of other attempts; nothing where there is one cluster."""
    if retry is None or np.unique(labels).size < 2:
        return Agreement()
    free = np.ones(labels.size, dtype=bool) if retry.known is None else ~retry.known
    if np.count_nonzero(free) < 2:
        return Agreement()

    def score(attempt: Attempt) -> float:
        kept = free[attempt.rows]
        return float(adjusted_rand_score(labels[attempt.rows][kept], attempt.labels[kept]))

    with single_threaded_blas():
        others = list(retry.others(rng))
        samples = list(_samples(labels.size, rng))[: _FOLDS if retry.searched else _FEW_REFITS]
        again = list(_refits(retry, samples, labels.size, rng))
    starts, resamples = tuple(map(score, others)), tuple(map(score, again))
    return Agreement(
        starts=float(np.mean(starts)) if starts else None,
        n_starts=len(starts),
        start_scores=starts,
        start_costs=tuple(float(other.above) for other in others),
        resamples=float(np.mean(resamples)) if resamples else None,
        n_resamples=len(resamples),
        resample_scores=resamples,
        share=samples[0].size / labels.size,
    )


def _samples(n: int, rng: np.random.Generator) -> Iterator[Array]:
    """All rows but a fifth, each fifth in turn; of many rows, some of these."""
    for fold in np.array_split(rng.permutation(n), min(_FOLDS, n)):
        kept = rng.permutation(np.setdiff1d(np.arange(n), fold))
        yield np.sort(kept[:_MOST_ROWS])


def _refits(
    retry: AbstractRetry, samples: Sequence[Array], n: int, rng: np.random.Generator
) -> Iterator[Attempt]:
    """The refits that can be made: fewer rows may be too degenerate for a kernel."""
    for i, rows in enumerate(samples, start=1):
        tell("labelling again, without some rows", f"{i} of {len(samples)}")
        with suppress(DegenerateDataError):
            yield Attempt(np.arange(n), retry.again(rows, rng))
