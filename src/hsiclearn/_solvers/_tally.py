"""What a run has done so far, and what it took."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .._linalg import sine_of_largest_angle
from .._objective import Point
from .._result import Record

if TYPE_CHECKING:
    from ._base import Step

__all__ = ["Tally"]


class Tally:
    """The history of a run and its counts; goes on from the last record of an earlier attempt."""

    def __init__(self, history: tuple[Record, ...] = ()) -> None:
        self.history = list(history)
        self._began = time.perf_counter()
        self.evaluations = self._products = self._iterations = 0
        if history:
            last = history[-1]
            self._began -= last.seconds
            self.evaluations, self._products = last.evaluations, last.hessian_products
            self._iterations = last.iterations

    def add(self, step: Step, previous: Point) -> Record | None:
        """Count a step, and record it if it moved."""
        self.evaluations += step.evaluations
        self._products += step.hessian_products
        if step.iterations is not None:
            self._iterations += step.iterations
        elif step.moved and self.history:
            self._iterations += 1
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
