"""The stages of a solve: first where steps are cheap, then on all rows, then as exact as asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import numpy as np

from .._arrays import FloatArray
from .._objective import CurvedPoint, Objective
from .._result import EngineError, Status
from ._base import Run, run
from .journal import Journal
from .progress import step_teller
from .settings import SOLVERS, Settings

__all__ = ["Outcome", "Stages", "lowest", "made_exact", "on_a_sample"]

Outcome = tuple[Run, str]
_SAMPLE = 20_000  # rows of the first stage, where there are many more
_MANY_MORE = 4  # times as many
_TURN = 1e4  # times tol: the angle by which an engine may turn the answer, as far as proven
_FLAT = 100.0  # times tol: an error of Phi that is small enough whatever the curvature
_PATIENCE = 60.0  # seconds a fall-back to all pairs may take
_REFINEMENTS = 3
_ROUNDING = 1e-12


class Stages:
    """Descents by one solver: a stage is an objective, on which every start given is run."""

    def __init__(self, settings: Settings, journal: Journal) -> None:
        self._settings, self._journal = settings, journal

    def run(
        self, objective: Objective, starts: Iterable[tuple[str, FloatArray]], tol: float
    ) -> list[Outcome]:
        """The outcome from every start, written down in the journal on the way."""
        self._journal.open_stage(_title(objective))
        return [(self._descend(objective, name, W, tol), name) for name, W in starts]

    def _descend(self, objective: Objective, name: str, W: FloatArray, tol: float) -> Run:
        settings, journal = self._settings, self._journal
        solver = SOLVERS[settings.solver](objective, tol)
        report = settings.report or step_teller(_title(objective))

        def drive() -> Run:
            return run(solver, W, max_iter=settings.max_iter, report=report, journal=journal)

        return journal.follow(name, solver, W, drive)


def _title(objective: Objective) -> str:
    return f"{objective.n_samples} rows, {objective.engine} engine"


def lowest(outcomes: list[Outcome]) -> Outcome:
    """The outcome of lowest cost."""
    return min(outcomes, key=lambda outcome: outcome[0].point.cost)


def on_a_sample(
    objective: Objective,
    starts: list[tuple[str, FloatArray]],
    stages: Stages,
    settings: Settings,
    rng: np.random.Generator,
) -> list[tuple[str, FloatArray]]:
    """Of very many rows, a sample first: near its optimum few passes over all rows remain.

    Sampling alone makes a gradient of some ``sqrt(d / n)`` at the optimum of all rows. Below that a
    sample has nothing to tell, and a start made from all rows is as near or nearer.
    """
    n = objective.n_samples
    is_large = objective.is_in_linear_time and n > _MANY_MORE * _SAMPLE
    if not is_large or settings.solver != "spectral":
        return starts
    sample = objective.subset(np.sort(rng.choice(n, _SAMPLE, replace=False)))
    noise = float(np.sqrt(objective.n_features / _SAMPLE))
    if len(starts) == 1 and sample.point(starts[0][1]).stationarity <= noise:
        return starts
    best, name = lowest(stages.run(sample, starts, max(settings.tol, 0.1 * noise)))
    return [(name, best.point.W)]


def made_exact(outcome: Outcome, stages: Stages, settings: Settings) -> tuple[Outcome, EngineError]:
    """The outcome, made as exact as ``tol`` asks: landmarks are added where a bound asks for it.

    Where the most landmarks allowed are too few, all pairs are visited if that is quick; else the
    answer stands as it is, with a status that says so.
    """
    allowed = _TURN * settings.tol
    attempt = 0
    while True:  # three refinements, then all pairs, which have no error
        run, name = outcome
        point = cast(CurvedPoint, run.point)
        objective = point.objective
        error = objective.engine_error(point)
        # A solver stalls where the cost is not exact enough to tell whether it falls.
        stalled = run.status is Status.STALLED and error.approximation > _ROUNDING
        # Along a flat direction any angle is as good: there the error of Phi has to do.
        exact = error.angle <= allowed or error.approximation <= _FLAT * settings.tol
        if not stalled and (exact or not run.status.converged):
            return outcome, error
        finer = None
        if attempt < _REFINEMENTS:
            # A stalled run asks for more even where the angle would do, or is 0 since q = d.
            factor = 0.3 * allowed / max(error.angle, allowed)
            finer = objective.refined(point.W, max(factor, 1e-4))
        finer = finer or objective.exact_twin(_PATIENCE)
        if finer is None:
            return (replace(run, status=Status.COARSE), name), error
        [outcome] = stages.run(finer, [(name, point.W)], settings.tol)
        attempt += 1
