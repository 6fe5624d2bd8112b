"""The last stage: a descent of the exact objective on all rows, and what is known at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .._arrays import Array, FloatArray
from .._objective import ClusterObjective, ClusterPoint
from .._result import Record
from .._solvers import LbfgsSolver, Run, run

_MANY_UNKNOWNS = 200  # of a subspace: from here on descents were seen to creep
_WORTH = 1e-2  # of what is left above the bound: at that pace 1000 steps leave a third of it

REFIT_TOL = 1e-3
_REFIT_STEPS = 10  # after its search


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
    settled, point, ended = descend(objective, W, tol, max_iter, report, patience)
    return Found(settled, point, start, ended)


def settle_again(
    W: FloatArray, objective: ClusterObjective, worth: float | None = None
) -> ClusterPoint:
    """Where a short descent ends, for a refit."""
    found = settle_from("again", W, objective, tol=REFIT_TOL, max_iter=_REFIT_STEPS, worth=worth)
    return found.point


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


def descend(
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
