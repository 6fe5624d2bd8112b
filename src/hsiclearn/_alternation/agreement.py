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

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from .._arrays import Array
from .._counts import Counts
from .._progress import heard_by, stop_is_asked, tell
from .._result import Agreement, Status
from .._threads import single_threaded_blas
from ..exceptions import DegenerateDataError
from .problem import AbstractRepeatable, Attempt, ClusterFit, ClusterProblem

_SPLITS = 2  # into halves
_MOST_ROWS = 1000  # of a refit


def rand_index(labels: Array, others: Array, counts: Counts | None = None) -> float:
    """Adjusted for chance: 1 for the same clusters, about 0 for labels drawn at random.

    Of rows that count more or less than once, which scikit-learn does not know, from the pairs of
    different rows: of P in all, A are together in the first, B in the second, and T in both. Then
    it is ``(T - AB/P) / ((A + B)/2 - AB/P)``.
    """
    if counts is None or counts.v is None:
        from sklearn.metrics import adjusted_rand_score  # slow to load, for clusterings alone

        return float(adjusted_rand_score(labels, others))
    k, own = int(others.max(initial=0)) + 1, counts.of_own(np.ones(counts.n))

    def pairs(codes: Array) -> float:
        return 0.5 * (float(np.square(counts.per_label(codes, 1)).sum()) - own)

    in_all, ours, theirs = pairs(np.zeros_like(labels)), pairs(labels), pairs(others)
    by_chance = ours * theirs / in_all if in_all > 0.0 else 0.0
    most = 0.5 * (ours + theirs) - by_chance
    return (pairs(k * labels + others) - by_chance) / most if most > 1e-12 * in_all else 1.0


def measure_agreement(fit: ClusterFit, rng: np.random.Generator) -> Agreement:
    """Compare the labels of a fit with those of other attempts, on the rows it was solved on.

    Nothing where there is one cluster, or a callback has asked for an end. To agree on rows whose
    label was given is no achievement: they do not count.
    """
    strategy, labels, codes = fit.strategy, fit.labelling.labels, fit.problem.codes
    counts = fit.problem.counts
    known = np.full(labels.size, -1) if codes is None else codes
    free = known < 0
    is_idle = np.unique(labels).size < 2 or np.count_nonzero(free) < 2 or stop_is_asked()
    if is_idle or not isinstance(strategy, AbstractRepeatable):
        return Agreement()

    def score(attempt: Attempt) -> float:
        kept = free[attempt.rows]
        rows = attempt.rows[kept]
        return rand_index(labels[rows], attempt.labels[kept], counts.take(rows))

    with single_threaded_blas():
        tell("comparing with other starts")
        others = list(strategy.others(fit, rng))
        halves = list(_halves(known, rng))
        again = list(_refits(strategy, fit.problem, halves, np.where(free, labels, -1), rng))
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


def with_agreement(fit: ClusterFit, rng: np.random.Generator) -> tuple[ClusterFit, Agreement]:
    """The fit, and how far other attempts agree; it stands where an interrupt ends these."""
    try:
        return fit, measure_agreement(fit, rng)
    except KeyboardInterrupt:
        if fit.problem.settings.on_interrupt == "raise":
            raise
        result = replace(fit.result, status=Status.INTERRUPTED)
        return replace(fit, result=result), Agreement()


def _halves(known: Array, rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
    """One half of the rows and the other, both ways; each has its share of every given label."""
    for _ in range(_SPLITS):
        order = rng.permutation(known.size)
        order = order[np.argsort(known[order], kind="stable")]
        yield order[::2], order[1::2]
        yield order[1::2], order[::2]


def _refits(
    strategy: AbstractRepeatable,
    problem: ClusterProblem,
    halves: Sequence[tuple[Array, Array]],
    labels: Array,
    rng: np.random.Generator,
) -> Iterator[Attempt]:
    """On each half, for the other; ``labels`` are those to find again, -1 where it does not matter.

    Left out are those that cannot be made, of no more rows than clusters or where fewer rows are
    too degenerate for a kernel, and those with one cluster to find again: there every answer of one
    cluster would be right.
    """
    X, k = problem.X, int(problem.n_clusters)
    for i, (half, other) in enumerate(halves, start=1):
        stage, n = "labelling each half of the rows by the other", len(halves)
        tell(stage, f"{i} of {n}", at_most=n)
        rows = np.sort(rng.permutation(half)[:_MOST_ROWS])
        wanted = labels[other]
        if rows.size <= k or np.unique(wanted[wanted >= 0]).size < 2:
            continue
        with suppress(DegenerateDataError), heard_by(None):
            point, labelling = strategy.refit(problem.take(rows), rng)
            shift = X[rows].mean(axis=0) - point.objective.X.mean(axis=0)
            yield Attempt(other, labelling(X @ point.W - shift @ point.W)[other])
