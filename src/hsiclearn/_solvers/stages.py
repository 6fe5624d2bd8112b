"""The stages of a solve: first where steps are cheap, then on all rows, then as exact as asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from .._arrays import FloatArray
from .._objective import CurvedPoint, Objective, vectorised
from .._progress import duration, stop_is_asked, tell
from .._result import EngineError, Record, Status
from .._stored import printable
from ..exceptions import CheckpointError
from ._base import AbstractSolver, ResumableSolver, Run, SavedRun, Step, run
from .checkpoint import CheckpointFile, ended_run, ended_state
from .corrections import Look, cheap_look, corrected
from .problem import SOLVERS, Settings
from .rough import rough_descent
from .steps import Steps

_SAMPLE = 20_000  # rows of the first stage, where there are many more
_MANY_MORE = 4  # times as many
_MANY_FEATURES = 300
_FEW_PAIRS = 1500  # rows: 72 MB of their pairs
_GRADIENTS = 300
_LEARNT = 0.2  # of sqrt(d / n): the gradient at the optimum of a sample of n rows, on all rows
_TURN = 1e4  # times tol: the angle by which an engine may turn the answer, as far as proven
_FLAT = 100.0  # times tol: an error of Phi that is small enough whatever the curvature
_PATIENCE = 60.0  # seconds a fall-back to all pairs may take
_REFINEMENTS = 3
_LEAST_FACTOR = 1e-4  # of a refinement
_ROUNDING = 1e-12


class Stages:
    """Descents by one solver; a stage is an objective, on which every start given is run.

    Stages, and the runs in each, come in an order that follows from the problem alone. A file
    lists the runs in that order, at most the last one under way; so to resume is to walk the same
    sequence, taking from the file what it holds.
    """

    def __init__(self, settings: Settings, file: CheckpointFile | None = None) -> None:
        self._settings, self._file = settings, file
        self._known = iter(file.load() if file is not None and settings.resume else ())
        self._finished: list[SavedRun] = []
        self._outcomes: list[Run] = []
        self._under_way: list[Run] = []
        self.were_stopped = False

    def run(
        self,
        objective: Objective,
        starts: Iterable[tuple[str, FloatArray]],
        tol: float,
        *,
        is_near: bool = False,
    ) -> list[Run]:
        """The outcome from every start, written down on the way.

        ``is_near`` says that starts are optima of nearly this objective.
        """
        stage, settings = f"{objective.n_samples} rows, {objective.engine} engine", self._settings
        # With other rows or another engine, iterates from before no longer compare.
        self._outcomes, self._under_way = [], []
        n_starts = len(starts) if isinstance(starts, Sequence) else settings.n_init
        steps = Steps(stage, settings.max_iter, settings.callback, n_starts)
        steps.announce()
        for name, W in starts:
            saved = self._next_known(stage, name, W.shape)
            if saved is not None and saved.status is not None:
                tell(stage, f"start {name!r} was finished before")
                outcome = ended_run(saved, saved.status, objective, tol)
            else:
                if saved is not None:
                    n_steps, seconds = len(saved.history) - 1, duration(saved.history[-1].seconds)
                    tell(stage, f"start {name!r} goes on after step {n_steps}, {seconds} into it")
                solver = SOLVERS[settings.solver](objective, tol)
                solver.is_near = is_near
                outcome = run(
                    solver,
                    W,
                    max_iter=settings.max_iter,
                    steps=steps,
                    note=partial(self._note, stage, name),
                    saved=saved,
                )
            was_stopped = outcome.status is Status.STOPPED
            self.were_stopped |= was_stopped
            if self._file is not None and not was_stopped:  # it is under way in the file
                state = ended_state(outcome)
                ended = SavedRun(stage, name, outcome.status, state, outcome.history)
                self._finished.append(ended)
                if saved is None or saved.status is None:
                    self._file.save(self._finished)
            self._outcomes.append(replace(outcome, start=name))
            self._under_way = []
        return self._outcomes

    def _note(
        self, stage: str, start: str, solver: AbstractSolver, step: Step, history: list[Record]
    ) -> None:
        """Keep the best iterate of the present run, and save where it stands."""
        best = Run(vectorised(solver.best(step)), Status.INTERRUPTED, tuple(history), start)
        self._under_way = [best]
        if self._file is not None and not stop_is_asked():  # what follows a stop is cut short
            assert isinstance(solver, ResumableSolver)  # as the settings have checked
            saved = SavedRun(stage, start, None, solver.state(), best.history)
            self._file.save([*self._finished, saved])

    def visited(self) -> list[Run]:
        """What an interrupt leaves of this stage: its finished runs, and the one under way."""
        return self._outcomes + self._under_way

    def _next_known(self, stage: str, start: str, shape: tuple[int, ...]) -> SavedRun | None:
        """The file's word on the run that is due, from a start of that shape, if it has one."""
        saved = next(self._known, None)
        if saved is not None and (saved.stage, saved.start) != (stage, start):
            raise CheckpointError(
                "A solve must be resumed by the version of hsiclearn that began it. Run "
                f"{len(self._finished) + 1} is start {start!r} on {stage}; the checkpoint has "
                f"start {saved.start[:60]!r} on {printable(saved.stage, 60)}. Start afresh with "
                "resume=False."
            )
        if saved is not None and saved.W.shape != shape:
            raise CheckpointError(
                f"The directions of a run must have shape {shape}, as at its start. The checkpoint "
                f"has shape {saved.W.shape}. Start afresh with resume=False."
            )
        return saved


def lowest(runs: list[Run]) -> Run:
    """The run of lowest cost."""
    return min(runs, key=lambda run: run.point.cost)


def on_a_sample(
    objective: Objective,
    starts: list[tuple[str, FloatArray]],
    stages: Stages,
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[Objective, list[tuple[str, FloatArray]]]:
    """Of very many rows, a sample first: near its optimum few passes over all rows remain.

    Sampling alone makes a gradient of some ``sqrt(d / n)`` at the optimum of all rows, often a
    fifth of that. A start with no more, on all rows, has nothing to learn from a sample; where a
    direction is nearly free, one made from all rows may even be better, and is kept then.

    The sample also tells how exact the sums have to be, as far as it can; they are made so before
    there is anything to be done over.
    """
    n = objective.n_samples
    is_large = objective.is_in_linear_time and n > _MANY_MORE * _SAMPLE
    if not is_large or settings.solver != "spectral":
        return objective, starts
    noise = float(np.sqrt(objective.n_features / _SAMPLE))
    sample = objective.subset(np.sort(rng.choice(n, _SAMPLE, replace=False)))
    start, first = starts[0][1], None
    # The optimum of all rows has a gradient of ``_LEARNT * noise`` on a sample: an answer on some
    # rows that has more there has something to learn, and all rows need not tell.
    is_far = settings.is_near and sample.point(start).stationarity > _LEARNT * noise
    if len(starts) == 1 and not is_far and not objective.is_pairwise:
        first = _looked_at(objective, start, settings)
        if first.stationarity <= _LEARNT * noise:
            return objective, starts
    best = lowest(stages.run(sample, starts, max(settings.tol, 0.1 * noise)))
    for size in _steps_between(objective):
        sample = objective.subset(np.sort(rng.choice(n, size, replace=False)))
        tol, W = max(settings.tol, 0.1 * float(np.sqrt(objective.n_features / size))), best.point.W
        if sample.has_stand_in:
            W, _ = corrected(sample, W, tol)
        best = lowest(stages.run(sample, [(best.start, W)], tol, is_near=True))
    point = cast(CurvedPoint, best.point)
    objective = objective.sharpened(
        _factor_missing(point.objective.engine_error(point), settings.tol)
    )
    W, cost = point.W, -np.inf
    if objective.has_stand_in:
        W, cost = corrected(objective, W, settings.tol)
    elif first is not None:
        cost = objective.point(W).cost
    if first is not None and cost > first.cost:
        return objective, starts
    return objective, [(best.start, W)]


def _steps_between(objective: Objective) -> list[int]:
    """Sizes of further samples: where pairs are visited, each takes a 16th of the next one."""
    sizes, size = list[int](), objective.n_samples // 4
    while objective.is_pairwise and size > 2 * _SAMPLE:
        sizes.insert(0, size)
        size //= 4
    return sizes


def _looked_at(objective: Objective, W: FloatArray, settings: Settings) -> Look:
    """What all rows say of a start: of one that may be kept what a run needs anyway."""
    if settings.is_near and objective.has_stand_in:
        return cheap_look(objective, W, settings.tol)
    point = objective.point(W)
    return Look(point.cost, point.stationarity)


def _factor_missing(error: EngineError, tol: float) -> float:
    """How many times as exact an engine has to be; 1 where it is exact enough.

    Along a flat direction any angle is as good: there the error of Phi has to do.
    """
    allowed = _TURN * tol
    if error.angle <= allowed or error.approximation <= _FLAT * tol:
        return 1.0
    return max(0.3 * allowed / error.angle, _LEAST_FACTOR)


def by_gradients(
    objective: Objective, starts: list[tuple[str, FloatArray]], settings: Settings
) -> list[tuple[str, FloatArray]]:
    """A start that is near an answer, made nearer by gradients alone where Phi is large.

    A Newton step costs an evaluation of Phi, ``n^2 d``, and its spectrum; for the price of one
    there are ten or more gradients, and from where they lead one or two Newton steps remain.
    """
    is_large = objective.n_features > _MANY_FEATURES and objective.n_samples <= _FEW_PAIRS
    is_apt = settings.solver == "spectral" and not objective.is_in_linear_time
    if not (settings.is_near and is_large and is_apt):
        return starts
    dense = Objective(objective.rows, objective.gamma, objective.kernel, "dense")
    return [
        (name, rough_descent(dense, W, gain=0.1 * settings.tol, max_iter=_GRADIENTS).W)
        for name, W in starts
    ]


def made_exact(run: Run, stages: Stages, settings: Settings) -> tuple[Run, EngineError]:
    """The run, made as exact as ``tol`` asks: landmarks are added where a bound asks for it.

    Where the most landmarks allowed are too few, all pairs are visited if that is quick; else the
    answer stands as it is, with a status that says so.
    """
    attempt = 0
    while True:  # three refinements, then all pairs, which have no error
        point = cast(CurvedPoint, run.point)
        objective = point.objective
        error = objective.engine_error(point)
        # A solver stalls where the cost is not exact enough to tell whether it falls.
        stalled = run.status is Status.STALLED and error.approximation > _ROUNDING
        factor = _factor_missing(error, settings.tol)
        if not stalled and (factor == 1.0 or not run.status.converged):
            return run, error
        finer = None
        if attempt < _REFINEMENTS:
            # A stalled run asks for more even where the angle would do, or is 0 since q = d.
            finer = objective.refined(point.W, min(factor, 0.3))
        finer = finer or objective.exact_twin(_PATIENCE)
        if finer is None:
            return replace(run, status=Status.COARSE), error
        [run] = stages.run(finer, [(run.start, point.W)], settings.tol, is_near=True)
        attempt += 1
