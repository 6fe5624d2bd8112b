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
from .._threads import end_if_unwanted
from ._base import run
from .memory import Memory, backtracked
from .spectral import SpectralSolver

_FEW_UNKNOWNS, _SOME_UNKNOWNS = 60, 400
_FEW_PRODUCTS = 25_000_000  # multiplications: ten milliseconds
_TOL = 1e-3  # of the stationarity: a first check
_NEWTON_STEPS = 15
_STEPS_TOGETHER = 5
_LONGEST = 0.7  # tangent of the largest angle a step may turn
_FIRST = 0.3  # of the first step, of which nothing is known
_TRIALS = 12


class RoughFit(NamedTuple):
    """Where a descent ended."""

    W: FloatArray
    cost: float


def rough_fit(objective: Objective, W: FloatArray, gain: float, max_iter: int = 60) -> RoughFit:
    """Lower the cost from W until about ``gain`` of it is left to gain.

    Where the whole Hessian costs no more than a few gradients: Newton, which leaves saddles too.
    """
    if _has_cheap_hessian(objective.n_samples, *W.shape):
        solver = SpectralSolver(objective, _TOL, worth=gain)
        point = run(solver, W, max_iter=_NEWTON_STEPS).point
        return RoughFit(point.W, point.cost)
    return rough_descent(objective, W, gain=gain, max_iter=max_iter)


def _has_cheap_hessian(n: int, d: int, q: int) -> bool:
    """Few unknowns, or some of them and few rows: it takes ``n^2 d (q + 1)(q + 2) / 2``."""
    products = n**2 * d * (q + 1) * (q + 2) // 2
    return d * q <= _FEW_UNKNOWNS or (d * q <= _SOME_UNKNOWNS and products <= _FEW_PRODUCTS)


def rough_descent(objective: Objective, W: FloatArray, *, gain: float, max_iter: int) -> RoughFit:
    """L-BFGS from W until five steps together gain less than ``gain`` of the cost."""
    memory = Memory()
    cost, gradient = _at(objective, W)
    costs = [cost]
    for _ in range(max_iter):
        end_if_unwanted()
        size = float(np.linalg.norm(gradient))
        if not size > 0.0 or not np.isfinite(cost):
            break
        Z = memory.direction(gradient) if memory else -gradient * (_FIRST / size)
        if not np.vdot(gradient, Z) < 0.0:
            memory.clear()
            continue
        moved = _searched(objective, W, Z, float(np.vdot(gradient, Z)), cost)
        if moved is None:
            if not memory:
                break
            memory.clear()
            continue
        before, (W, length, cost, gradient) = gradient, moved
        memory.move_to(W, length * Z, before, gradient)
        costs.append(cost)
        last = costs[-1 - _STEPS_TOGETHER :]
        if len(last) > _STEPS_TOGETHER and last[0] - cost <= gain * abs(cost):
            break
    return RoughFit(W, cost)


def _at(objective: Objective, W: FloatArray) -> tuple[float, FloatArray]:
    """The cost, and its gradient on the manifold: ``(I - WW') 2 Phi W``."""
    cost, gradient = objective.cost_and_gradient(W)
    tangent = gradient - W @ (W.T @ gradient)
    rounding = max(1e-12, 0.1 * objective.noise) * np.linalg.norm(gradient)
    return cost, tangent if np.linalg.norm(tangent) > rounding else np.zeros_like(W)


def _searched(
    objective: Objective, W: FloatArray, Z: FloatArray, slope: float, cost: float
) -> tuple[FloatArray, float, float, FloatArray] | None:
    """Backtrack until the cost falls by a small share of what the slope promises."""
    length = min(1.0, _LONGEST / float(np.linalg.norm(Z)))
    rounding = 0.1 * objective.noise * abs(cost)
    for _ in range(_TRIALS):
        trial = _retracted(W, length * Z)
        there, gradient = _at(objective, trial)
        if there - cost <= 1e-4 * length * slope + rounding:
            return trial, length, there, gradient
        length = backtracked(slope, length, there - cost)
    return None


def _retracted(W: FloatArray, Z: FloatArray) -> FloatArray:
    """The orthonormal basis nearest to ``W + Z``: ``(W + Z)(I + Z'Z)^-1/2``, as ``W'Z = 0``."""
    squares, V = np.linalg.eigh(Z.T @ Z)
    return (W + Z) @ (V / np.sqrt(1.0 + np.maximum(squares, 0.0))) @ V.T
