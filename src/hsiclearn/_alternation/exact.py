"""Search, polish, settle, label: the exact objective, with guidance that is fixed if there is any.

1. *Search* from many starts on a subsample: see :mod:`.search`.
2. *Polish.* The best three are searched and descended further on all rows, or on 2000 of them.
   The lowest objective wins.
3. *Settle.* The exact objective, with scales that move, descends on all rows. It never rises. It
   ends early where it creeps: where clusters overlap in many dimensions, it would for hundreds of
   steps. Of many rows eigenvectors are as exact as the gradient is small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._certificate import certificate_at
from .._engines import single_threaded_blas
from .._linalg import Basis, orthonormal_basis
from .._objective import ClusterObjective, ClusterPoint
from .._progress import ask_to_stop, shown_by, stop_is_asked, tell
from .._result import Record, Result, Status
from .._solvers import Callback, Run, Steps, result_of
from .guided_starts import unguided_starts
from .labelling import Labelling, label_rows
from .problem import (
    AbstractRepeatable,
    Attempt,
    ClusterFit,
    ClusterProblem,
    ClusterSettings,
    Other,
)
from .search import ROUGH, Contender, Tried, descend, quick_subspace, ranked, search, searched
from .starts import Start, identity_start, quick_starts

REFIT_TOL = 1e-3
_REFIT_STEPS = 10  # after its search
_POLISH_ROUNDS, _POLISH_STEPS = 10, 100
_LAST = 11  # costs, ten steps
_MANY_UNKNOWNS = 200  # of a subspace: from here on descents were seen to creep
_EXACT_UP_TO = 2000  # rows, of which exact eigenvectors are soon had
_EXACT_ENOUGH = 1e-2  # accuracy of eigenvectors beside the gradient, while that is large
_ROUGHEST = 1e-4  # accuracy of a descent: of its costs, about the square
_WORTH = 1e-2  # of what is left above the bound: at that pace 1000 steps leave a third of it


@final
class Exact(AbstractRepeatable):
    """Minimise the objective over subspaces, from many starts or from a given one."""

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """As ``init`` says: by a search, from W = I, or from an array."""
        with single_threaded_blas():
            basis, problem = problem.in_row_space()
            with shown_by(basis.lift):
                found = _found(problem, rng)
            result, point = certified(found, basis, problem.settings.tol)
            tell("labelling the rows")
            labelling = label_rows(point, rng, problem.finer)
            return ClusterFit.at(
                point, self, problem, result, labelling, tried=found.tried, others=found.others
            )

    def others(self, fit: ClusterFit, rng: np.random.Generator) -> Iterator[Attempt]:
        """The starts that were polished and did not win."""
        for other in fit.others:
            labels = label_rows(other.point, rng, fit.problem.finer).labels
            yield Attempt(other.rows, labels, other.above)

    def refit(
        self, problem: ClusterProblem, rng: np.random.Generator
    ) -> tuple[ClusterPoint, Labelling]:
        """A short search and a short descent."""
        q = problem.n_components

        def starts(few: ClusterObjective) -> Iterator[Start]:
            # Of an array nobody knows which rows it was made from: there a search, too.
            if problem.settings.is_from_identity:
                yield "identity", identity_start(few, q)
            else:
                guessed = unguided_starts(few.X, few.n_clusters, q, rng, few.counts)
                yield from islice(guessed, 1)
                yield from quick_starts(few, q)

        objective = problem.objective(accuracy=REFIT_TOL)
        point = settle_again(quick_subspace(objective, starts, rng), objective)
        return point, label_rows(point, rng, problem.finer)


@dataclass(frozen=True)
class Found:
    """A subspace settled on all rows, how it ended, and what was tried on the way."""

    run: Run
    point: ClusterPoint
    start: str
    ended: str = ""
    tried: tuple[Tried, ...] = ()
    others: tuple[Other, ...] = ()


def _found(problem: ClusterProblem, rng: np.random.Generator) -> Found:
    objective, q, settings = problem.objective(), problem.n_components, problem.settings
    if not isinstance(settings.init, str):
        return settle_from("array", orthonormal_basis(settings.init), objective, settings)
    if settings.is_from_identity:
        return settle_from("identity", identity_start(objective, q), objective, settings)
    return _find_subspace(objective, q, settings, rng)


def _find_subspace(
    objective: ClusterObjective, q: int, settings: ClusterSettings, rng: np.random.Generator
) -> Found:
    """Search on ``n_init`` subsamples, polish the best of each, settle the winner."""
    polished, tried = list[tuple[Contender, Array]](), list[Tried]()
    for _ in range(settings.n_init):
        X, k, counts = objective.X, objective.n_clusters, objective.counts
        guessed = unguided_starts(X, k, q, rng, counts)
        best, record, many, rows = search(objective, q, rng, guessed)
        for i, one in enumerate(best, start=1):
            if polished and stop_is_asked():
                break
            place = f"{i} of {len(best)}: start {one.start}"
            polished.append((_polished(many, one, max(settings.tol, ROUGH), place), rows))
        tried += record
    winner = ranked([one for one, _ in polished])[0]
    found = settle_from(winner.start, winner.best.W, objective, settings)
    return replace(found, tried=tuple(tried), others=_others(winner, polished))


def _polished(objective: ClusterObjective, one: Contender, tol: float, place: str) -> Contender:
    """A search and a rough descent on many rows.

    At frozen scales rows get out of each other's reach, and the spectrum too crowded for accurate
    eigenvectors to be had soon; a search does with rough ones. Where a stop is asked for, it stays
    as it is.
    """
    if stop_is_asked():
        return one
    stage = f"polishing on {objective.n_samples} rows"

    def note(number: int, cost: float) -> None:
        tell(stage, f"{place}, round {number} of at most {_POLISH_ROUNDS}; cost {cost:.6g}")

    rough = objective.subset(np.arange(objective.n_samples), accuracy=ROUGH)
    found = searched(rough, one.start, one.best.W, _POLISH_ROUNDS, note=note)
    tell(stage, f"{place}, at most {_POLISH_STEPS} steps; cost {found.best.cost:.6g}")
    point = descend(objective, found.best.W, tol, _POLISH_STEPS)[1]
    return Contender(one.start, point, point)


def _others(winner: Contender, polished: Iterable[tuple[Contender, Array]]) -> tuple[Other, ...]:
    lowest, scale = winner.best.cost, max(abs(winner.best.cost), np.finfo(float).tiny)
    return tuple(
        Other(one.best, rows, (one.best.cost - lowest) / scale)
        for one, rows in polished
        if one is not winner
    )


def settle_from(
    start: str,
    W: FloatArray,
    objective: ClusterObjective,
    settings: ClusterSettings,
    worth: float | None = None,
) -> Found:
    """Descend from one subspace; ``worth`` is what ten steps must gain, beside the cost."""
    patience = _patience(objective, W.shape[1], worth)
    exact = objective.accuracy
    steps = _Settling(objective, settings.max_iter, settings.callback)
    steps.announce()
    try:
        settled, point, ended = descend(
            objective, W, settings.tol, settings.max_iter, steps, **patience
        )
    except KeyboardInterrupt:
        if settings.on_interrupt == "raise" or steps.last is None:
            raise
        ask_to_stop()  # what follows is as short as can be
        settled, point, ended = *steps.interrupted(), ""
    finally:
        is_exact, objective.accuracy = objective.accuracy == exact, exact
    if not is_exact:
        point = objective.point(point.W)
    return Found(replace(settled, point=point), point, start, ended)


class _Settling(Steps):
    """Steps on all rows, each with eigenvectors as exact as the gradient before asks for."""

    def __init__(
        self, objective: ClusterObjective, max_iter: int, callback: Callback | None
    ) -> None:
        super().__init__(f"settling on {objective.n_samples} rows", max_iter, callback)
        self._objective, self._exact = objective, objective.accuracy
        self._history: list[Record] = []
        self.last: FloatArray | None = None
        """The last iterate, which is the best."""

    def interrupted(self) -> tuple[Run, ClusterPoint]:
        """What an interrupt leaves."""
        assert self.last is not None
        point = self._objective.point(self.last)
        return Run(point, Status.INTERRUPTED, tuple(self._history)), point

    def made(self, record: Record, W: FloatArray, number: int) -> None:
        objective = self._objective
        if objective.n_samples > _EXACT_UP_TO:
            wanted = min(_EXACT_ENOUGH * record.gradient, _ROUGHEST)
            objective.accuracy = max(wanted, self._exact)
        self.last = W
        self._history.append(record)
        super().made(record, W, number)


def settle_again(
    W: FloatArray, objective: ClusterObjective, worth: float | None = None
) -> ClusterPoint:
    """Where a short descent ends, for a refit."""
    patience = _patience(objective, W.shape[1], worth)
    return descend(objective, W, REFIT_TOL, _REFIT_STEPS, None, **patience)[1]


def _patience(objective: ClusterObjective, q: int, worth: float | None) -> dict[str, float]:
    """What ten steps must gain: a share of what is left, where the bound tells how much that is.

    With few unknowns a descent ends by itself, and is let go on. Separated clusters attain the
    bound of the normalised cut: there differences that are small beside the cost matter, but they
    are large beside what is left, and such a descent goes on. The other objective stays far above
    its bound, and goes on until it settles by itself.
    """
    if worth is not None:
        return {"worth": worth}
    if not objective.saturates or q * (objective.n_features - q) < _MANY_UNKNOWNS:
        return {}
    return {"worth": _WORTH, "bound": objective.lower_bound}


def certified(found: Found, basis: Basis, tol: float) -> tuple[Result, ClusterPoint]:
    """What was found, in the columns of X, with its certificate of first order; the point there.

    The point is evaluated once more, at the ordered basis: embedding and subspace belong together.
    """
    tell("verifying")
    point, costs = found.point, [record.cost for record in found.run.history]
    scale, status = max(abs(point.cost), np.finfo(float).tiny), found.run.status
    bound = point.objective.proven_bound
    certificate = replace(
        certificate_at(point, tol),
        ended=found.ended if status is Status.SETTLED else status.name.lower(),
        last_gain=(costs[-min(_LAST, len(costs))] - costs[-1]) / scale,
        most_gain=None if bound is None else max(point.cost - bound, 0.0) / scale,
    )
    result = result_of(found.run, found.start, certificate, basis)
    return result, point.objective.point(basis.coordinates(result.W))
