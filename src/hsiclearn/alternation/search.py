r"""Search, then settle: from many starts to one subspace.

1. *Search.* The neighbour scales are frozen, a few steps are taken, the scales are refreshed, and
   so on. That is not monotone on any one objective, and therefore leaves minima that a descent
   would stay in. It is done on a subsample, in heats: every start gets a round, the better ones
   get more. It ends early where clusters are separated so well that the objective is at its bound.
2. *Polish.* The best three are searched and descended further on all rows, or on 2000 of them.
   The lowest objective wins.
3. *Settle.* The exact objective, with scales that move, descends on all rows. It never rises. It
   ends early where it creeps: where clusters overlap in many dimensions, it would for hundreds of
   steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from .._arrays import Array, FloatArray
from ..exceptions import DegenerateDataError
from ..linalg import sine_of_largest_angle
from ..objective import ClusterObjective, ClusterPoint
from ..result import Record
from ..solvers import LbfgsSolver, Run, run
from .starts import Start

__all__ = ["Found", "Tried", "finalists", "find_subspace", "settle_from"]

Starts = Callable[[ClusterObjective, ClusterObjective], Iterable[Start]]
_FEW_ROWS = 400  # to search on
_MANY_ROWS = 2000  # to make starts from and to polish on
_BUDGET = 1500  # evaluations on it
_HEATS = ((12, 2), (6, 4), (3, 8))  # how many go on, and for how many rounds more
_STEPS = 8  # in a round
_POLISHED, _POLISH_ROUNDS, _POLISH_STEPS = 3, 10, 100
_ROUGH = 1e-3  # tolerance of the search
_ROUGH_ACCURACY = 1e-3  # of eigenvectors; of the cost, its square
_SAME_COST = 1e-3  # relative; below that the clearer clustering wins
_MANY_UNKNOWNS = 200  # of a subspace: from here on descents were seen to creep
_WORTH = 1e-2  # of what is left above the bound: at that pace 1000 steps leave a third of it


@dataclass(frozen=True)
class Tried:
    """One start, and the objective on the subsample after one round from it."""

    start: str
    cost: float


@dataclass(frozen=True, eq=False)
class Other:
    """Where another start ended: a point of the objective on some rows.

    ``above`` is by how much its cost lies above that of the winner, as a share of it.
    """

    point: ClusterPoint
    rows: Array
    above: float


@dataclass(frozen=True)
class Found:
    """The winner, settled on all rows, and everything that was tried on the way.

    ``ended`` is how it settled, in the solver's word, and ``others`` is where the other starts that
    were polished ended.
    """

    run: Run
    point: ClusterPoint
    start: str
    ended: str = ""
    tried: tuple[Tried, ...] = ()
    others: tuple[Other, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """Where a search stands, and the best point it has seen."""

    start: str
    here: ClusterPoint
    best: ClusterPoint


def find_subspace(
    objective: ClusterObjective,
    starts: Starts,
    rng: np.random.Generator,
    *,
    n_samples: int = 1,
    tol: float = 1e-6,
    max_iter: int = 300,
    report: Callable[[Record], None] | None = None,
) -> Found:
    """Minimise over subspaces; ``starts`` makes them from the objective on some rows, and more.

    The search is repeated on ``n_samples`` subsamples.
    """
    polished: list[tuple[_Candidate, Array]] = []
    tried: list[Tried] = []
    for _ in range(n_samples):
        few, many, rows = _subsamples(objective, rng)
        best, record = _screen(few, starts(few, many))
        polished += [(_polished(many, candidate, max(tol, _ROUGH)), rows) for candidate in best]
        tried += record
    winner = _ranked([candidate for candidate, _ in polished])[0]
    found = settle_from(
        winner.start, winner.best.W, objective, tol=tol, max_iter=max_iter, report=report
    )
    return replace(found, tried=tuple(tried), others=_others(winner, polished))


def _others(winner: _Candidate, polished: Iterable[tuple[_Candidate, Array]]) -> tuple[Other, ...]:
    lowest, scale = winner.best.cost, max(abs(winner.best.cost), np.finfo(float).tiny)
    return tuple(
        Other(candidate.best, rows, (candidate.best.cost - lowest) / scale)
        for candidate, rows in polished
        if candidate is not winner
    )


def finalists(
    objective: ClusterObjective, starts: Starts, rng: np.random.Generator
) -> tuple[list[Start], tuple[Tried, ...]]:
    """The subspaces a search on a few rows ends with, the best first, and the record of all."""
    few, many, _ = _subsamples(objective, rng)
    best, tried = _screen(few, starts(few, many))
    return [(candidate.start, candidate.best.W) for candidate in best], tuple(tried)


def settle_from(
    start: str,
    W: FloatArray,
    objective: ClusterObjective,
    *,
    tol: float = 1e-6,
    max_iter: int = 300,
    report: Callable[[Record], None] | None = None,
    worth: float | None = None,
) -> Found:
    """Descend from one subspace, without a search.

    ``worth`` is what ten steps must gain, beside the cost; by default see :func:`_patience`.
    """
    patience = _patience(objective, W.shape[1]) if worth is None else {"worth": worth}
    settled, point, ended = _settle(objective, W, tol, max_iter, report, patience)
    return Found(settled, point, start, ended)


def _patience(objective: ClusterObjective, q: int) -> dict[str, float]:
    """What ten steps must gain: a share of what is left, where the bound tells how much that is.

    With few unknowns a descent ends by itself, and is let go on.

    Separated clusters attain the bound of the normalised cut. There differences that are small
    beside the cost matter, but they are large beside what is left: such a descent goes on. The
    other objective stays far above its bound, and goes on until it settles by itself.
    """
    if not objective.saturates or q * (objective.n_features - q) < _MANY_UNKNOWNS:
        return {}
    return {"worth": _WORTH, "bound": objective.lower_bound}


def _subsamples(
    objective: ClusterObjective, rng: np.random.Generator
) -> tuple[ClusterObjective, ClusterObjective, Array]:
    """The objective on a few rows and on many, all of them up to 2000; which these are."""
    n = objective.n_samples
    order = rng.permutation(n)
    few = objective.subset(np.sort(order[:_FEW_ROWS]), accuracy=_ROUGH_ACCURACY)
    rows = np.sort(order[:_MANY_ROWS])
    return few, objective if n <= _MANY_ROWS else objective.subset(rows), rows


def _polished(objective: ClusterObjective, candidate: _Candidate, tol: float) -> _Candidate:
    """A search and a rough descent on many rows.

    At frozen scales rows get out of each other's reach, and the spectrum too crowded for accurate
    eigenvectors to be had soon; a search does with rough ones.
    """
    rough = objective.subset(np.arange(objective.n_samples), accuracy=_ROUGH_ACCURACY)
    W = _searched(rough, candidate.start, candidate.best.W, _POLISH_ROUNDS).best.W
    point = _settle(objective, W, tol, _POLISH_STEPS)[1]
    return _Candidate(candidate.start, point, point)


def _screen(
    sample: ClusterObjective, starts: Iterable[Start]
) -> tuple[list[_Candidate], list[Tried]]:
    """Search from every start; the best few, and the record of all."""
    candidates: list[_Candidate] = []
    problem: DegenerateDataError | None = None
    for name, W in starts:
        try:
            candidates.append(_searched(sample, name, W, 1))
        except DegenerateDataError as error:
            problem = error
            continue
        if candidates[-1].best.is_as_good_as_any:
            return candidates[-1:], _record(candidates)
    if problem is not None and not candidates:
        raise problem
    tried = _record(candidates)
    for survivors, rounds in _HEATS:
        candidates = _survivors(_ranked(candidates), survivors)
        for i, (name, here, best) in enumerate((c.start, c.here, c.best) for c in candidates):
            if len(candidates) > 1 and sample.evaluations < _BUDGET:
                candidates[i] = _searched(sample, name, here.W, rounds, best)
                if candidates[i].best.is_as_good_as_any:
                    return [candidates[i]], tried
    return _ranked(candidates)[:_POLISHED], tried


def _record(candidates: list[_Candidate]) -> list[Tried]:
    return [Tried(candidate.start, candidate.best.cost) for candidate in candidates]


def _survivors(ranked: list[_Candidate], n: int) -> list[_Candidate]:
    """The n best, the best of every rule among them while there is room.

    After a round or two the cost says little about where a search will end, and rules differ.
    """
    best_of_rule = {c.start.split("-")[0]: c for c in reversed(ranked)}
    kept = list(best_of_rule.values()) if len(best_of_rule) <= n else []
    kept += [c for c in ranked if c not in kept][: n - len(kept)]
    return _ranked(kept)


def _searched(
    objective: ClusterObjective,
    start: str,
    W: FloatArray,
    rounds: int,
    best: ClusterPoint | None = None,
) -> _Candidate:
    """Alternate a few steps at frozen scales with refreshing them."""
    if not objective.has_scales:  # then the objective is its own search
        point = _settle(objective, W, _ROUGH, rounds * _STEPS)[1]
        return _Candidate(start, point, point)
    here = objective.point(W)
    best = here if best is None else best
    for _ in range(rounds):
        with objective.frozen(here.W):
            W = _settle(objective, here.W, _ROUGH, _STEPS)[1].W
        turned = sine_of_largest_angle(here.W, W)
        here = objective.point(W)
        best = min(best, here, key=lambda point: point.cost)
        if turned < 1e-2:
            break
    return _Candidate(start, here, best)


def _settle(
    objective: ClusterObjective,
    W: FloatArray,
    tol: float,
    max_iter: int,
    report: Callable[[Record], None] | None = None,
    patience: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Run, ClusterPoint, str]:
    """Descend from W; the run, where it ended, and how."""
    solver = LbfgsSolver(objective, tol, **patience)
    outcome = run(solver, W, max_iter=max_iter, report=report)
    assert isinstance(outcome.point, ClusterPoint)
    return outcome, outcome.point, solver.ended


def _ranked(candidates: list[_Candidate]) -> list[_Candidate]:
    """By cost; among those as low as the lowest, by how clearly the clusters stand apart.

    The normalised cut saturates at -k for separated clusters and says no more there; the other
    objective does not, and there the lowest cost wins.
    """
    lowest = min(candidate.best.cost for candidate in candidates)
    margin = _SAME_COST * abs(lowest) if candidates[0].best.objective.saturates else 0.0

    def key(candidate: _Candidate) -> tuple[float, float]:
        cost = candidate.best.cost
        tied = cost <= lowest + margin
        return (lowest, candidate.best.tightness) if tied else (cost, 0.0)

    return sorted(candidates, key=key)
