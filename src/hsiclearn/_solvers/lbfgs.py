r"""Descent without a Hessian: spectral steps while they work, else L-BFGS on the manifold.

For clustering objectives, whose Phi is known but not its derivative. Where a spectral step fails
the test of the ``spectral`` solver, L-BFGS takes over, with the eigenvalue differences of Phi as
its first guess of the Hessian, and a line search on the objective itself. The cost never rises.

Such objectives have kinks, and flatten out where clusters are separated: there the gradient is no
measure of what is left to gain. So a run also ends, *settled*, when steps bring nothing any more.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import final

import numpy as np

from .._arrays import FloatArray
from .._linalg import nearest_basis
from .._objective import AbstractObjective, Point
from .._result import Status
from ..exceptions import DegenerateDataError
from ._base import AbstractSolver, Step
from .memory import Memory, backtracked

_FAIR_SHARE = 0.3  # of the promised decrease, for a spectral step to be accepted
_FLOOR = 0.05  # of the first guess of the Hessian, beside its largest entry
_LONGEST = 1.0  # tangent of the largest angle a step may turn
_TRIALS = 15
_IDLE_STEPS = 3  # in a row with no gain worth the name
_PATIENCE = 10  # steps, which together must be worth it


@final
class LbfgsSolver(AbstractSolver):
    """Monotone and first-order.

    ``tol`` bounds the stationarity; a relative decrease below ``tol / 10``, three times in a
    row, is no gain worth going on for. Nor is one below ``worth`` by ten steps together: among
    the kinks of many dimensions a descent creeps on for hundreds. It is measured beside the
    distance of the cost from ``bound``: beside the cost itself by default, or beside all that can
    be left to gain, if that is where the cost cannot go below.
    """

    def __init__(
        self, objective: AbstractObjective, tol: float, worth: float = 0.0, bound: float = 0.0
    ) -> None:
        super().__init__(objective, tol)
        self._worth, self._bound = worth, bound
        self._last_costs = deque([np.inf] * _PATIENCE)
        self._spectral = True
        self._memory = Memory()
        self._idle = 0
        self.ended = ""
        """How a run settled: at a ``"kink"``, or where it would ``"creep"`` on."""

    def step(self) -> Step:
        """A spectral or an L-BFGS step."""
        here = self._point
        if here.vanishes or here.W.shape[0] == here.W.shape[1]:
            return Step(here, "done", status=Status.SETTLED, moved=False)
        if here.stationarity <= self.tol:
            return Step(here, "done", status=Status.CONVERGED, moved=False)
        return self._spectral_step() if self._spectral else self._lbfgs_step()

    def _spectral_step(self) -> Step:
        here, q = self._point, self._point.W.shape[1]
        spectrum = here.step_spectrum
        promised = here.promised_decrease(spectrum)
        trial = self._try(spectrum.vectors[:, :q])
        if trial is not None and here.cost - trial.cost >= _FAIR_SHARE * promised:
            return self._accept(trial, "spectral", 1, here.eigengap(spectrum))
        self._spectral = False
        return Step(here, "spectral", evaluations=1, moved=False)

    def _lbfgs_step(self) -> Step:
        here = self._point
        gradient, divide = 2.0 * here.residual, partial(here.split.divide, floor=_FLOOR)
        Z = self._memory.direction(gradient, divide)
        slope = float(np.vdot(gradient, Z))
        if slope >= 0.0:
            self._memory.clear()
            Z = -divide(gradient)
            slope = float(np.vdot(gradient, Z))
        length = min(1.0, _LONGEST / max(float(np.linalg.norm(Z, 2)), np.finfo(float).tiny))
        trial, length, evaluations = self._line_search(Z, slope, length)
        if trial is not None:
            self._memory.move_to(trial.W, length * Z, gradient, 2.0 * trial.residual)
            return self._accept(trial, "lbfgs", evaluations, here.split.gap)
        # No decrease along the direction: it is the memory's fault, or there is none to be had.
        status = None if self._memory else Status.SETTLED
        self.ended = "" if self._memory else "kink"
        self._memory.clear()
        return Step(here, "lbfgs", evaluations=evaluations, status=status, moved=False)

    def _line_search(
        self, Z: FloatArray, slope: float, length: float
    ) -> tuple[Point | None, float, int]:
        """Backtrack until the cost falls by a small share of what the slope promises."""
        here = self._point
        for evaluations in range(1, _TRIALS + 1):
            trial = self._try(nearest_basis(here.W + length * Z))
            rise = np.inf if trial is None else trial.cost - here.cost
            if trial is not None and rise <= 1e-4 * length * slope:
                return trial, length, evaluations
            length = backtracked(slope, length, rise)
        return None, length, _TRIALS

    def _try(self, W: FloatArray) -> Point | None:
        """The point at W; None where the projected rows are too degenerate for a kernel."""
        try:
            return self.objective.point(W)
        except DegenerateDataError:
            return None

    def _accept(self, trial: Point, kind: str, evaluations: int, gap: float) -> Step:
        gain = self._point.cost - trial.cost
        self._idle = self._idle + 1 if gain <= 0.1 * self.tol * abs(trial.cost) else 0
        self._point = trial
        self._last_costs.append(trial.cost)
        wanted = self._worth * abs(trial.cost - self._bound)
        creeps = self._last_costs.popleft() - trial.cost < wanted
        status = None
        if self._idle >= _IDLE_STEPS or creeps:
            self.ended = "kink" if self._idle >= _IDLE_STEPS else "creep"
            status = Status.CONVERGED if trial.stationarity <= self.tol else Status.SETTLED
        return Step(trial, kind, gap, evaluations=evaluations, status=status)
