r"""A descent for fits that are only compared: L-BFGS on the manifold, from cost and gradient alone.

A comparison needs three digits of the cost, not a stationary point. So no Phi is formed, which is
``n^2 d`` work, nor any spectrum of it: the gradient ``2 Phi W`` is a thin product, ``n^2 q``, and
thirty of them take less time than five Newton steps. It ends once five steps together have gained
less than a share of the cost. What is chosen is polished by a solver that proves what it returns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._objective import Objective
from ._base import run
from .memory import Memory, backtracked
from .spectral import SpectralSolver

_FEW_UNKNOWNS = int(__import__("os").environ.get("FEW", "60"))
_TOL = 1e-3
_NEWTON_STEPS = 15
_STEPS_TOGETHER = 5
_LONGEST = 0.7  # tangent of the largest angle a step may turn
_FIRST = 0.3  # of the first step, of which nothing is known
_TRIALS = 12


class RoughFit(NamedTuple):
    """Where a descent ended."""

    W: FloatArray
    cost: float


def rough_fit(objective: Objective, W: FloatArray, gain: float) -> RoughFit:
    """Lower the cost from W until about ``gain`` of it is left to gain.

    Where there are few unknowns the whole Hessian costs no more than a few gradients: Newton.
    """
    if W.size <= _FEW_UNKNOWNS:
        solver = SpectralSolver(objective, _TOL, gain=gain)
        point = run(solver, W, max_iter=_NEWTON_STEPS).point
        return RoughFit(point.W, point.cost)
    return rough_descent(objective, W, gain=gain)


def rough_descent(
    objective: Objective, W: FloatArray, *, gain: float, max_iter: int = 60
) -> RoughFit:
    """L-BFGS from W until five steps together gain less than ``gain`` of the cost."""
    memory, costs = Memory(), [objective.cost(W)]
    gradient = _gradient(objective, W)
    for _ in range(max_iter):
        size = float(np.linalg.norm(gradient))
        if not size > 0.0 or not np.isfinite(costs[-1]):
            break
        Z = memory.direction(gradient, lambda V: V if memory else V * (_FIRST / size))  # noqa: B023
        if not np.vdot(gradient, Z) < 0.0:
            memory.clear()
            Z = -gradient * (_FIRST / size)
        moved = _searched(objective, W, Z, float(np.vdot(gradient, Z)), costs[-1])
        if moved is None:
            if not memory:
                break
            memory.clear()
            continue
        trial, length, cost = moved
        there = _gradient(objective, trial)
        memory.move_to(trial, length * Z, gradient, there)
        W, gradient = trial, there
        costs.append(cost)
        last = costs[-1 - _STEPS_TOGETHER :]
        if len(last) > _STEPS_TOGETHER and last[0] - cost <= gain * abs(cost):
            break
    return RoughFit(W, costs[-1])


def _gradient(objective: Objective, W: FloatArray) -> FloatArray:
    """On the manifold: ``(I - WW') 2 Phi W``."""
    gradient = objective.gradient(W)
    return gradient - W @ (W.T @ gradient)


def _searched(
    objective: Objective, W: FloatArray, Z: FloatArray, slope: float, cost: float
) -> tuple[FloatArray, float, float] | None:
    """Backtrack until the cost falls by a small share of what the slope promises."""
    length = min(1.0, _LONGEST / float(np.linalg.norm(Z, 2)))
    rounding = objective.noise * abs(cost)
    for _ in range(_TRIALS):
        trial = _retracted(W, length * Z)
        rise = objective.cost(trial) - cost
        if rise <= 1e-4 * length * slope + 0.1 * rounding:
            return trial, length, cost + rise
        length = backtracked(slope, length, rise)
    return None


def _retracted(W: FloatArray, Z: FloatArray) -> FloatArray:
    """The orthonormal basis nearest to ``W + Z``: ``(W + Z)(I + Z'Z)^-1/2``, as ``W'Z = 0``."""
    squares, V = np.linalg.eigh(Z.T @ Z)
    return (W + Z) @ (V / np.sqrt(1.0 + np.maximum(squares, 0.0))) @ V.T
