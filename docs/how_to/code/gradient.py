"""Riemannian gradient descent: the example of docs/how_to/add_a_solver.md."""

from __future__ import annotations

import numpy as np

from hsiclearn._arrays import FloatArray
from hsiclearn._objective import AbstractObjective
from hsiclearn._result import Status
from hsiclearn._solvers import AbstractSolver, Step
from hsiclearn._solvers.stiefel import barzilai_borwein

__all__ = ["GradientSolver"]

_SUFFICIENT = 1e-4  # of the decrease the slope promises
_TRIALS = 30


class GradientSolver(AbstractSolver):
    """``W <- qr(W - t R)``, ``R = 2 (I - WW') Phi W``, t by Barzilai and Borwein.

    It is halved until the cost falls enough.
    """

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        super().__init__(objective, tol)
        self._length = 0.0

    def start(self, W: FloatArray) -> Step:
        """Evaluate the first iterate."""
        step = super().start(W)
        self._length = 1.0 / step.point.norm
        return step

    def step(self) -> Step:
        """One step down the gradient."""
        here = self._point
        if (status := self._first_order()) is not None:
            return Step(here, "done", status=status, moved=False)
        R = 2.0 * here.residual
        slope, rounding = float(np.vdot(R, R)), 10.0 * np.finfo(float).eps * abs(here.cost)
        for trial in range(1, _TRIALS + 1):
            there = self.objective.point(_retract(here.W - self._length * R))
            if there.cost <= here.cost - _SUFFICIENT * self._length * slope + rounding:
                self._point = there
                change = 2.0 * (there.residual - here.residual)
                self._length = barzilai_borwein(there.W - here.W, change, long=True) or self._length
                return Step(there, "gradient", evaluations=trial)
            self._length *= 0.5
        return Step(here, "done", evaluations=_TRIALS, status=Status.STALLED, moved=False)

    def settles(self) -> Status | None:
        """Whether the present point is stationary, when the budget is spent."""
        return Status.CONVERGED if self._first_order() is Status.CONVERGED else None


def _retract(W: FloatArray) -> FloatArray:
    """Back to orthonormal columns; signs as they were."""
    Q, R = np.linalg.qr(W)
    return Q * np.sign(np.diag(R))
