r"""The search for a subspace: many starts, on a subsample, in heats.

The neighbour scales are frozen, a few steps are taken, the scales are refreshed, and so on. That is
not monotone on any one objective, and therefore leaves minima that a descent would stay in. Every
start gets a round, the better ones get more. It ends early where clusters are separated so well
that the objective is at its bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import sine_of_largest_angle
from .._objective import ClusterObjective, ClusterPoint
from .._progress import stop_is_asked, tell
from .._solvers import LbfgsSolver, Run, Steps, run
from ..exceptions import DegenerateDataError
from .starts import Start, cluster_starts

ROUGH = 1e-3
"""Tolerance of the search; accuracy of its eigenvectors, and of the cost the square."""

_FEW_ROWS = 400  # to search on
_MANY_ROWS = 2000  # to make starts from and to polish on
_BUDGET = 1500  # evaluations of the search
_HEATS = ((12, 2), (6, 4), (3, 8))  # how many go on, and for how many rounds more
_QUICK_HEATS = ((2, 2),)
_STEPS = 8  # in a round
_POLISHED = 3
_SAME_COST = 1e-3  # relative; below that the clearer clustering wins


@dataclass(frozen=True)
class Tried:
    """One start, and the objective on the subsample after one round from it."""

    start: str
    cost: float


@dataclass(frozen=True)
class Contender:
    """Where a search stands, and the best point it has seen."""

    start: str
    here: ClusterPoint
    best: ClusterPoint


def descend(
    objective: ClusterObjective,
    W: FloatArray,
    tol: float,
    max_iter: int,
    steps: Steps | None = None,
    **patience: float,
) -> tuple[Run, ClusterPoint, str]:
    """Descend from W; the run, where it ended, and how in the solver's word."""
    solver = LbfgsSolver(objective, tol, **patience)
    outcome = run(solver, W, max_iter=max_iter, steps=steps)
    assert isinstance(outcome.point, ClusterPoint)
    return outcome, outcome.point, solver.ended


def search(
    objective: ClusterObjective, q: int, rng: np.random.Generator, first: Iterable[Start] = ()
) -> tuple[list[Contender], list[Tried], ClusterObjective, Array]:
    """The best few, best first, and the record of all; the objective on 2000 rows, and which."""
    few, many, rows = _samples(objective, rng)
    best, tried = _screen(few, chain(first, cluster_starts(few, many, q, rng)), _HEATS)
    return best, tried, many, rows


def _samples(
    objective: ClusterObjective, rng: np.random.Generator
) -> tuple[ClusterObjective, ClusterObjective, Array]:
    """The objective on 400 rows and on 2000, the first among the second, and which these are.

    Rows with weights are drawn by them, and count for those that were not drawn.
    """
    n = objective.n_samples
    if objective.counts.v is None:
        order = rng.permutation(n)
        few = objective.subset(np.sort(order[:_FEW_ROWS]), accuracy=ROUGH)
        rows = np.sort(order[:_MANY_ROWS])
        return few, objective if n <= _MANY_ROWS else objective.subset(rows), rows
    rows, counts = objective.counts.draw(_MANY_ROWS, rng)
    many = objective if n <= _MANY_ROWS else objective.subset(rows, counts=counts)
    return _fewer(many, rng), many, rows


def _fewer(objective: ClusterObjective, rng: np.random.Generator) -> ClusterObjective:
    rows, counts = objective.counts.draw(_FEW_ROWS, rng)
    return objective.subset(rows, accuracy=ROUGH, counts=counts)


def quick_subspace(
    objective: ClusterObjective,
    starts: Callable[[ClusterObjective], Iterable[Start]],
    rng: np.random.Generator,
) -> FloatArray:
    """Where a short search on a few rows ends."""
    few = _fewer(objective, rng)
    return _screen(few, starts(few), _QUICK_HEATS)[0][0].best.W


def _screen(
    sample: ClusterObjective, starts: Iterable[Start], heats: Sequence[tuple[int, int]]
) -> tuple[list[Contender], list[Tried]]:
    """Search from every start; the best few, and the record of all."""
    stage = f"searching on {sample.n_samples} rows"
    found = _first_round(sample, starts, stage)
    tried = [Tried(one.start, one.best.cost) for one in found]
    if found[-1].best.is_as_good_as_any:
        return found[-1:], tried
    for heat, (survivors, rounds) in enumerate(heats, start=1):
        found = _survivors(ranked(found), survivors)
        for i, one in enumerate(found):
            if stop_is_asked():
                return ranked(found)[:1], tried
            if len(found) > 1 and sample.evaluations < _BUDGET:
                place = f"heat {heat} of {len(heats)}, {i + 1} of {len(found)}, {rounds} rounds"
                tell(stage, f"{place}: {one.start}{_so_far(found)}")
                found[i] = searched(sample, one.start, one.here.W, rounds, one.best)
                if found[i].best.is_as_good_as_any:
                    return [found[i]], tried
    return ranked(found)[:_POLISHED], tried


def _first_round(sample: ClusterObjective, starts: Iterable[Start], stage: str) -> list[Contender]:
    """A round from every start, until one is as good as any can be; at least one contender."""
    found: list[Contender] = []
    problem: DegenerateDataError | None = None
    tell(stage)
    for name, W in starts:
        tell(stage, f"start {len(found) + 1}: {name}{_so_far(found)}")
        try:
            found.append(searched(sample, name, W, 1))
        except DegenerateDataError as error:
            problem = error
            continue
        if found[-1].best.is_as_good_as_any or stop_is_asked():
            break
    if problem is not None and not found:
        raise problem
    return found


def _so_far(found: list[Contender]) -> str:
    return f"; lowest cost {min(one.best.cost for one in found):.6g}" if found else ""


def _survivors(ranking: list[Contender], n: int) -> list[Contender]:
    """The n best, the best of every rule among them while there is room.

    After a round or two the cost says little about where a search will end, and rules differ.
    """
    best_of_rule = {one.start.split("-")[0]: one for one in reversed(ranking)}
    kept = list(best_of_rule.values()) if len(best_of_rule) <= n else []
    kept += [one for one in ranking if one not in kept][: n - len(kept)]
    return ranked(kept)


def searched(
    objective: ClusterObjective,
    start: str,
    W: FloatArray,
    rounds: int,
    best: ClusterPoint | None = None,
    note: Callable[[int, float], None] = lambda number, cost: None,
) -> Contender:
    """Alternate a few steps at frozen scales with refreshing them; ``note`` hears of each round."""
    if not objective.has_scales:  # then the objective is its own search
        point = descend(objective, W, ROUGH, rounds * _STEPS)[1]
        return Contender(start, point, point)
    here = objective.point(W)
    best = here if best is None else best
    for number in range(1, rounds + 1):
        note(number, here.cost)
        with objective.frozen(here.W):
            W = descend(objective, here.W, ROUGH, _STEPS)[1].W
        turned = sine_of_largest_angle(here.W, W)
        here = objective.point(W)
        best = min(best, here, key=lambda point: point.cost)
        if turned < 1e-2:
            break
    return Contender(start, here, best)


def ranked(found: list[Contender]) -> list[Contender]:
    """By cost; among those as low as the lowest, by how clearly the clusters stand apart.

    The normalised cut saturates at -k for separated clusters and says no more there; the other
    objective does not, and there the lowest cost wins.
    """
    lowest = min(one.best.cost for one in found)
    margin = _SAME_COST * abs(lowest) if found[0].best.objective.saturates else 0.0

    def key(one: Contender) -> tuple[float, float]:
        tied = one.best.cost <= lowest + margin
        return (lowest, one.best.tightness) if tied else (one.best.cost, 0.0)

    return sorted(found, key=key)
