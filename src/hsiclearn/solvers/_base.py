"""The loop every solver shares: budget, history, verdict."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .._arrays import FloatArray
from ..linalg import sine_of_largest_angle
from ..objective import AbstractObjective, Point
from ..result import Record, Status

__all__ = ["AbstractSolver", "Run", "Step", "run"]


@dataclass(frozen=True)
class Step:
    """What a solver did: where it is now, how it got there, whether it is done.

    ``iterations`` is how many of the method's own it stands for, one if it moved by default.
    """

    point: Point
    kind: str
    eigengap: float = np.nan
    evaluations: int = 0
    hessian_products: int = 0
    status: Status | None = None
    moved: bool = True
    iterations: int | None = None


class AbstractSolver(ABC):
    """A method to minimise an objective: ``start`` once, then ``step`` until a status is set.

    A solver object holds the state of one run. It never loops, times or records: the driver
    :func:`run` does, for all of them alike.
    """

    name: str

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        self.objective, self.tol = objective, tol

    @abstractmethod
    def start(self, W: FloatArray) -> Step:
        """Evaluate the first iterate."""

    @abstractmethod
    def step(self) -> Step:
        """Make one move, or say why there is none to make (``status``)."""

    def settles(self) -> Status | None:
        """The verdict on the present point when the budget is spent; None if there is none."""
        return None

    def best(self, visited: Step) -> Point:
        """The point to return; the last one unless a solver knows better."""
        return visited.point


@dataclass(frozen=True)
class Run:
    """The outcome of one run from one start."""

    point: Point
    status: Status
    history: tuple[Record, ...] = field(repr=False)


def run(
    solver: AbstractSolver,
    W: FloatArray,
    *,
    max_iter: int,
    report: Callable[[Record], None] | None = None,
) -> Run:
    """Drive a solver from W until it stops or the budget of ``max_iter`` steps is spent."""
    began = time.perf_counter()
    history: list[Record] = []
    evaluations = products = iterations = 0
    step = solver.start(W)
    if not np.isfinite(step.point.cost) or not np.all(np.isfinite(step.point.phi)):
        raise ValueError(
            f"The objective is not finite at the start: cost = {step.point.cost}. The kernel "
            "overflows on these data: standardise the columns of X, or lower the degree."
        )
    previous = step.point
    while True:
        evaluations += step.evaluations
        products += step.hessian_products
        if step.iterations is not None:
            iterations += step.iterations
        elif step.moved and history:
            iterations += 1
        if step.moved:
            record = Record(
                step=step.kind,
                cost=step.point.cost,
                gradient=step.point.stationarity,
                angle=sine_of_largest_angle(previous.W, step.point.W) if history else 0.0,
                eigengap=step.eigengap,
                seconds=time.perf_counter() - began,
                evaluations=evaluations,
                hessian_products=products,
                iterations=iterations,
            )
            history.append(record)
            if report is not None:
                report(record)
        if step.status is not None:
            return Run(solver.best(step), step.status, tuple(history))
        if len(history) > max_iter:
            status = solver.settles() or Status.MAX_ITER
            return Run(solver.best(step), status, tuple(history))
        previous = step.point
        step = solver.step()
