"""A feasible first-order method on the Stiefel manifold: Cayley's curve, Barzilai-Borwein steps.

Z. Wen, W. Yin: A feasible method for optimization with orthogonality constraints, Mathematical
Programming 142, 2013. "SM" in the paper's tables.
"""

from __future__ import annotations

from typing import final

import numpy as np

from .._arrays import FloatArray
from .._linalg import nearest_basis
from .._objective import AbstractObjective, Point
from .._result import Status
from ._base import AbstractSolver, Step

_MEMORY = 0.85  # weight of the past in the reference value
_SUFFICIENT = 1e-4  # of the decrease the slope promises
_SHRINK = 0.2
_TRIALS = 12
_DRIFT = 1e-13


@final
class StiefelSolver(AbstractSolver):
    r"""Curvilinear search along ``W(t) = (I + t/2 A)^-1 (I - t/2 A) W``, ``A = G W' - W G'``.

    G = 2 Phi W is the gradient. W(t) is orthonormal for every t, and falls at the rate
    ``|R|^2``, ``R = (I - WW')G``. Step lengths alternate between the two of Barzilai and
    Borwein; the cost is compared with an average of the costs so far (Zhang and Hager), so it
    may rise now and then. Converged at ``|(I - WW')Phi W|_F / |Phi|_F <= tol``; the curvature
    is not looked at.
    """

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        super().__init__(objective, tol)
        self._weight, self._moves = 1.0, 0

    def start(self, W: FloatArray) -> Step:
        """Evaluate the first iterate."""
        step = super().start(W)
        self._best, self._reference = step.point, step.point.cost
        self._length = 0.5 / step.point.norm
        return step

    def step(self) -> Step:
        """One curvilinear search."""
        here = self._point
        if (status := self._first_order()) is not None:
            return Step(here, "done", status=status, moved=False)
        R, length = 2.0 * here.residual, self._length
        slope = float(np.vdot(R, R))
        rounding = 10.0 * np.finfo(float).eps * abs(here.cost)
        for evaluations in range(1, _TRIALS + 1):
            trial = self.objective.point(cayley(here.W, R, length))
            if trial.cost <= self._reference - _SUFFICIENT * length * slope + rounding:
                return self._accept(trial, evaluations)
            length *= _SHRINK
        return Step(here, "cayley", evaluations=_TRIALS, status=Status.STALLED, moved=False)

    def settles(self) -> Status | None:
        """Whether the present point is stationary."""
        return Status.CONVERGED if self._first_order() is Status.CONVERGED else None

    def best(self, visited: Step) -> Point:
        """The last iterate if it is stationary, else the lowest one visited."""
        return visited.point if visited.point.stationarity <= self.tol else self._best

    def _accept(self, trial: Point, evaluations: int) -> Step:
        here, self._point = self._point, trial
        self._moves += 1
        change = 2.0 * (trial.residual - here.residual)
        length = barzilai_borwein(trial.W - here.W, change, long=self._moves % 2 == 1)
        if length is not None:  # half a turn is as far as the curve leads, whatever the length
            self._length = min(max(length, 1e-10 / trial.norm), 1e10 / trial.norm)
        old = _MEMORY * self._weight
        self._weight = old + 1.0
        self._reference = (old * self._reference + trial.cost) / self._weight
        if trial.cost < self._best.cost:
            self._best = trial
        return Step(trial, "cayley", evaluations=evaluations)


def cayley(W: FloatArray, R: FloatArray, length: float) -> FloatArray:
    r"""``(I + t/2 A)^-1 (I - t/2 A) W`` with ``A = RW' - WR'``, by a system of size 2q.

    A = U V' with ``U = [R, W]``, ``V = [W, -R]``, so by Sherman, Morrison and Woodbury
    ``W(t) = W - t U (I + t/2 V'U)^-1 V'W``. Since ``W'G`` is symmetric, R in place of G leaves A
    as it is, and rounding has less to cancel.
    """
    U, V = np.concatenate([R, W], axis=1), np.concatenate([W, -R], axis=1)
    q = W.shape[1]
    small = np.eye(2 * q) + 0.5 * length * (V.T @ U)
    moved: FloatArray = W - length * (U @ np.linalg.solve(small, V.T @ W))
    # Rounding adds up over the steps.
    drifted = np.linalg.norm(moved.T @ moved - np.eye(q)) > _DRIFT
    return nearest_basis(moved) if drifted else moved


def barzilai_borwein(step: FloatArray, change: FloatArray, *, long: bool) -> float | None:
    """``s's / |s'y|`` or ``|s'y| / y'y``, with y the change of the gradient along s.

    Sizes, because the curvature may be negative; None where it is nothing at all. (J. Barzilai,
    J. Borwein: Two-point step size gradient methods, IMA J. Numer. Anal. 8, 1988.)
    """
    product = abs(float(np.vdot(step, change)))
    if product <= np.finfo(float).tiny:
        return None
    if long:
        return float(np.vdot(step, step)) / product
    return product / float(np.vdot(change, change))
