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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import sine_of_largest_angle
from .._objective import ClusterObjective, ClusterPoint
from .._progress import tell
from .._result import Record
from ..exceptions import DegenerateDataError
from .guided_starts import unguided_starts
from .settle import Found, Other, Tried, descend, settle_from
from .starts import Start, cluster_starts

_FEW_ROWS = 400  # to search on
_MANY_ROWS = 2000  # to make starts from and to polish on
_BUDGET = 1500  # evaluations on it
_HEATS = ((12, 2), (6, 4), (3, 8))  # how many go on, and for how many rounds more
_QUICK_HEATS = ((2, 2),)
_STEPS = 8  # in a round
_POLISHED, _POLISH_ROUNDS, _POLISH_STEPS = 3, 10, 100
_ROUGH = 1e-3  # tolerance of the search
_ROUGH_ACCURACY = 1e-3  # of eigenvectors; of the cost, its square
_SAME_COST = 1e-3  # relative; below that the clearer clustering wins


@dataclass(frozen=True)
class _Candidate:
    """Where a search stands, and the best point it has seen."""

    start: str
    here: ClusterPoint
    best: ClusterPoint


def find_subspace(
    objective: ClusterObjective,
    q: int,
    rng: np.random.Generator,
    *,
    n_samples: int = 1,
    tol: float = 1e-6,
    max_iter: int = 300,
    report: Callable[[Record], None] | None = None,
) -> Found:
    """Minimise over subspaces of q dimensions; the search is made on ``n_samples`` subsamples."""
    polished: list[tuple[_Candidate, Array]] = []
    tried: list[Tried] = []
    for _ in range(n_samples):
        few, many, rows = _subsamples(objective, rng)
        guessed = unguided_starts(objective.X, objective.n_clusters, q, rng)
        best, record = _screen(few, chain(guessed, cluster_starts(few, many, q, rng)))
        for i, candidate in enumerate(best, start=1):
            detail = f"{i} of {len(best)}: start {candidate.start}, cost {candidate.best.cost:.6g}"
            tell(f"polishing on {many.n_samples} rows", detail)
            polished.append((_polished(many, candidate, max(tol, _ROUGH)), rows))
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
    objective: ClusterObjective, q: int, rng: np.random.Generator
) -> tuple[list[Start], list[Tried]]:
    """The subspaces a search on a few rows ends with, the best first, and the record of all."""
    few, many, _ = _subsamples(objective, rng)
    best, tried = _screen(few, cluster_starts(few, many, q, rng))
    return [(candidate.start, candidate.best.W) for candidate in best], tried


def rough_subset(objective: ClusterObjective, rng: np.random.Generator) -> ClusterObjective:
    """The objective on a few rows, to search on."""
    rows = np.sort(rng.permutation(objective.n_samples)[:_FEW_ROWS])
    return objective.subset(rows, accuracy=_ROUGH_ACCURACY)


def quick_subspace(few: ClusterObjective, starts: Iterable[Start]) -> FloatArray:
    """Where a short search ends."""
    return _screen(few, starts, _QUICK_HEATS)[0][0].best.W


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
    point = descend(objective, W, tol, _POLISH_STEPS)[1]
    return _Candidate(candidate.start, point, point)


def _screen(
    sample: ClusterObjective, starts: Iterable[Start], heats: Sequence[tuple[int, int]] = _HEATS
) -> tuple[list[_Candidate], list[Tried]]:
    """Search from every start; the best few, and the record of all."""
    stage = f"searching on {sample.n_samples} rows"
    candidates = _first_round(sample, starts, stage)
    tried = [Tried(candidate.start, candidate.best.cost) for candidate in candidates]
    if candidates[-1].best.is_as_good_as_any:
        return candidates[-1:], tried
    for survivors, rounds in heats:
        candidates = _survivors(_ranked(candidates), survivors)
        for i, (name, here, best) in enumerate((c.start, c.here, c.best) for c in candidates):
            if len(candidates) > 1 and sample.evaluations < _BUDGET:
                tell(stage, f"best {i + 1} of {len(candidates)}: {name}{_so_far(candidates)}")
                candidates[i] = _searched(sample, name, here.W, rounds, best)
                if candidates[i].best.is_as_good_as_any:
                    return [candidates[i]], tried
    return _ranked(candidates)[:_POLISHED], tried


def _first_round(sample: ClusterObjective, starts: Iterable[Start], stage: str) -> list[_Candidate]:
    """A round from every start, until one is as good as any can be; at least one candidate."""
    candidates: list[_Candidate] = []
    problem: DegenerateDataError | None = None
    tell(stage)
    for name, W in starts:
        tell(stage, f"start {len(candidates) + 1}: {name}{_so_far(candidates)}")
        try:
            candidates.append(_searched(sample, name, W, 1))
        except DegenerateDataError as error:
            problem = error
            continue
        if candidates[-1].best.is_as_good_as_any:
            break
    if problem is not None and not candidates:
        raise problem
    return candidates


def _so_far(candidates: list[_Candidate]) -> str:
    if not candidates:
        return ""
    return f"; lowest cost {min(c.best.cost for c in candidates):.6g}"


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
        point = descend(objective, W, _ROUGH, rounds * _STEPS)[1]
        return _Candidate(start, point, point)
    here = objective.point(W)
    best = here if best is None else best
    for _ in range(rounds):
        with objective.frozen(here.W):
            W = descend(objective, here.W, _ROUGH, _STEPS)[1].W
        turned = sine_of_largest_angle(here.W, W)
        here = objective.point(W)
        best = min(best, here, key=lambda point: point.cost)
        if turned < 1e-2:
            break
    return _Candidate(start, here, best)


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
