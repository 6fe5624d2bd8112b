"""The loop every solver shares: budget, history, verdict."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .._arrays import FloatArray
from .._linalg import sine_of_largest_angle
from .._objective import AbstractObjective, Point, vectorised
from .._result import Record, Status
from .._stored import printable
from .._threads import end_if_unwanted
from ..exceptions import CheckpointError
from .steps import Steps

State = dict[str, float | bool | FloatArray]
"""What a solver carries from one step to the next, by name."""

_TRIALS = 30  # evaluations for a move: two or three are usual, and a line search ends by itself
_SAME_COST = 1e-6  # relative; another machine rounds differently, other data differ by more


@dataclass(frozen=True)
class Step:
    """What a solver did: where it is now, how it got there, whether it is done.

    ``products`` are those with the Hessian; ``iterations`` is how many of the method's own it
    stands for, one if it moved by default.
    """

    point: Point
    kind: str
    eigengap: float = np.nan
    evaluations: int = 0
    products: int = 0
    status: Status | None = None
    moved: bool = True
    iterations: int | None = None


class AbstractSolver(ABC):
    """A method to minimise an objective: ``start`` once, then ``step`` until a status is set.

    A solver object holds the state of one run. It never loops, times or records: the driver
    :func:`run` does, for all of them alike.

    ``max_iter`` is set by the driver. A rejected step is no move, so a run is kept finite by its
    evaluations: ``trials`` is the most that one step may take, ``budget`` that of all of them.
    """

    max_iter = 100
    is_near = False  # whether the start is an optimum of nearly this objective
    _point: Point

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        self.objective, self.tol = objective, tol

    def start(self, W: FloatArray) -> Step:
        """Evaluate the first iterate."""
        self._point = self.objective.point(W)
        return Step(self._point, "start", evaluations=1)

    @abstractmethod
    def step(self) -> Step:
        """Make one move, or say why there is none to make (``status``)."""

    @property
    def trials(self) -> int:
        """The most evaluations that one step takes."""
        return _TRIALS

    @property
    def budget(self) -> int:
        """The most evaluations of a run: 30 for each of ``max_iter`` moves, 31 to begin."""
        return 1 + _TRIALS * (self.max_iter + 1)

    def settles(self) -> Status | None:
        """The verdict on the present point when the budget is spent; None if there is none."""
        return None

    def best(self, visited: Step) -> Point:
        """The point to return; the last one unless a solver knows better."""
        return visited.point

    def _first_order(self) -> Status | None:
        """What the gradient says of the present point: vanished with Phi, vanished, or neither."""
        if self._point.vanishes:
            return Status.VANISHED
        return Status.CONVERGED if self._point.stationarity <= self.tol else None


class ResumableSolver(AbstractSolver):
    """A solver that can say where it stands, for a checkpoint."""

    name: str

    @abstractmethod
    def state(self) -> State:
        """All that the next steps depend on, besides the objective.

        Asked for just after a move: what is computed at an iterate follows from W alone, so
        neither Phi nor a Hessian is part of it.
        """

    @abstractmethod
    def restore(self, state: State) -> Step:
        """Be as after the move that led to this state; one evaluation, which no count includes."""


@dataclass(frozen=True)
class Run:
    """The outcome of one run from one start, and the name of that where it has one."""

    point: Point
    status: Status
    history: tuple[Record, ...] = field(repr=False)
    start: str = ""


@dataclass(frozen=True)
class SavedRun:
    """A run as a checkpoint holds it: all it takes to go on, to the same bits.

    ``status`` is None while it is under way.
    """

    stage: str
    start: str
    status: Status | None
    state: State
    history: tuple[Record, ...]

    @property
    def W(self) -> FloatArray:
        """The iterate."""
        return np.asarray(self.state["W"])


class _Tally:
    """The history of a run and its counts; goes on from the last record of an earlier attempt."""

    def __init__(self, history: tuple[Record, ...] = ()) -> None:
        self.history = list(history)
        self._began = time.perf_counter() - (history[-1].seconds if history else 0.0)
        self.evaluations = history[-1].evaluations if history else 0
        self._products = history[-1].hessian_products if history else 0
        self._iterations = history[-1].iterations if history else 0

    def add(self, step: Step, previous: Point) -> Record | None:
        """Count a step, and record it if it moved."""
        moves = int(step.moved and bool(self.history))
        self.evaluations += step.evaluations
        self._products += step.products
        self._iterations += moves if step.iterations is None else step.iterations
        if not step.moved:
            return None
        record = Record(
            step=step.kind,
            cost=step.point.cost,
            gradient=step.point.stationarity,
            angle=sine_of_largest_angle(previous.W, step.point.W) if self.history else 0.0,
            eigengap=step.eigengap,
            seconds=time.perf_counter() - self._began,
            evaluations=self.evaluations,
            hessian_products=self._products,
            iterations=self._iterations,
        )
        self.history.append(record)
        return record


def run(
    solver: AbstractSolver,
    W: FloatArray,
    *,
    max_iter: int,
    steps: Steps | None = None,
    note: Callable[[AbstractSolver, Step, list[Record]], None] | None = None,
    saved: SavedRun | None = None,
) -> Run:
    """Drive a solver from W until it stops or its budget is spent.

    The budget is ``max_iter`` moves, and ``solver.budget`` evaluations whether they led to a move
    or not: a step is begun only while what it may take is left, so that no run exceeds it.
    ``steps`` sees every step, and may stop the run; ``note`` every move after which it goes on. It
    starts from where an earlier attempt stood that was ``saved``. A point found by loops over pairs
    is evaluated once more, vectorised, for an exact certificate.
    """
    solver.max_iter = max_iter
    steps = steps or Steps()
    tally = _Tally(() if saved is None else saved.history)
    steps.begin()
    step = solver.start(W) if saved is None else _restored(solver, saved)
    previous = require_finite(step.point)
    while True:
        end_if_unwanted()
        record = tally.add(step, previous)
        if record is not None and step.status is None and note is not None:
            note(solver, step, tally.history)
        if record is not None:
            steps.made(record, step.point.W, len(tally.history) - 1)
        status = step.status
        if status is None and steps.are_stopped:
            status = Status.STOPPED
        spent = len(tally.history) > max_iter or tally.evaluations + solver.trials > solver.budget
        if status is None and spent:
            status = solver.settles() or Status.MAX_ITER
        if status is not None:
            return Run(vectorised(solver.best(step)), status, tuple(tally.history))
        previous = step.point
        if record is not None:
            steps.begin()
        step = solver.step()


def require_finite(point: Point) -> Point:
    """The point, if a run can start from it or from its Phi."""
    if not np.isfinite(point.cost) or not np.isfinite(point.norm):
        raise ValueError(
            f"The objective is not finite at the start: cost = {point.cost}, |Phi| = {point.norm}. "
            "The kernel overflows on these data: standardise the columns of X, or lower the degree."
        )
    return point


def _restored(solver: AbstractSolver, saved: SavedRun) -> Step:
    """Put a solver back where it stood, and check that the objective is still the same."""
    assert isinstance(solver, ResumableSolver)
    try:
        step = solver.restore(saved.state)
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"The state of a run must be what {solver.name!r} writes. The checkpoint has "
            f"{printable(sorted(saved.state))}. Start afresh with resume=False."
        ) from error
    check_same_cost(step.point, saved.history)
    return step


def check_same_cost(point: Point, history: tuple[Record, ...]) -> None:
    """Refuse an iterate at which the objective is not what an earlier attempt found there."""
    expected = history[-1].cost
    noise = 1e-9 * abs(history[0].cost)  # a cost that ends near 0 is mostly rounding
    if not np.isclose(point.cost, expected, rtol=_SAME_COST, atol=noise):
        raise CheckpointError(
            "A run goes on only with the objective it began with. The cost at the saved W is "
            f"{point.cost:.8g}, the checkpoint says {expected:.8g}. Pass the same data, or "
            "start afresh with resume=False."
        )
