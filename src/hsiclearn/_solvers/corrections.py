r"""From the optimum of a sample to that of all rows, by gradients of all rows alone.

A Newton step needs a gradient to be right and a Hessian to be about right. So the first is of all
n rows, F their objective, and the second of m of them, ``F_m`` their objective scaled up ::

    B[Z] = -(I - WW') grad F(W),    W'Z = 0,    W <- the basis nearest to W + Z

B is ``Hess F_m(W)``, corrected by what the gradients met so far say of ``Hess F`` along the steps
taken (BFGS). The first step shrinks the gradient to a share of some ``sqrt(d / m)``, the next ones
to less. A gradient takes sums with q + 1 columns, where Phi takes sums with d + 1, and until the
last digits single precision will do: a third of the time or less. It is no descent by itself: a
step that does not shrink the gradient is not taken, and what it leads to is a start, of which a
solver has to say more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._linalg import nearest_basis, safe_norm, sine_of_largest_angle
from .._objective import CurvedPoint, Objective
from .._progress import tell
from .._threads import end_if_unwanted
from .newton_steps import FIRST_RADIUS, newton_step

_MOST = 6  # steps
_ENOUGH = 0.7  # of the tolerance: there is no gain in a smaller gradient
_SURE = 0.3  # of the tolerance, by the share that the last step left: then nobody looks again
_FAIR = 0.3  # of the gradient: a step that leaves more was not worth its pass
_MOST_BY_PAIRS, _FAIR_BY_PAIRS = 15, 0.8  # where a step of a solver costs ten of these
_TURNED = 0.01  # sine of the angle from where the Hessian was taken: it is off by more anyway
_FORCING = 0.01  # of the gradient may a solution leave: no more is known of the Hessian
_SAME = 1e-6  # of the cost, by which single precision may raise it
_DOUBLE_BELOW = 1e-7  # a tolerance that single precision does not meet

Pair = tuple[FloatArray, FloatArray]
"""A step and the change of the gradient along it."""


def corrected(objective: Objective, W: FloatArray, tol: float) -> tuple[FloatArray, float]:
    """A start nearer to a stationary point of ``objective``, and the last cost seen on the way."""
    rough = _rough(objective, tol)
    cost, slope = rough.cost_and_gradient(W)
    residual, shrinks_by = _horizontal(W, slope), 1.0
    known: list[Pair] = []
    here = objective.stand_in.point(W)
    by_pairs = objective.is_pairwise
    most, fair = (_MOST_BY_PAIRS, _FAIR_BY_PAIRS) if by_pairs else (_MOST, _FAIR)
    for _ in range(most):
        end_if_unwanted()
        if sine_of_largest_angle(here.W, W) > _TURNED:
            here = objective.stand_in.point(W)
        share = _share(residual, here)
        tell(
            f"{objective.n_samples} rows, gradients",
            f"   gradient  cost {cost:.8g}  gradient {share:.1e}",
        )
        if here.vanishes or share <= _ENOUGH * tol:
            break
        Z = _step(here, residual, known)
        Z = _horizontal(W, Z)
        trial = nearest_basis(W + Z)  # whose columns keep their signs: gradients are compared
        if share * shrinks_by <= _SURE * tol:  # as the solver will see for itself
            return trial, cost
        trial_cost, slope = rough.cost_and_gradient(trial)
        left = _horizontal(trial, slope)
        shrinks_by = safe_norm(left) / safe_norm(residual)
        fell = trial_cost <= cost + _SAME * abs(cost)
        if not (fell and shrinks_by <= fair):
            break
        known.append((Z, left - residual))
        W, cost, residual = trial, trial_cost, left
    return W, cost


class Look(NamedTuple):
    """What a pass over all rows told of a start."""

    cost: float
    stationarity: float


def cheap_look(objective: Objective, W: FloatArray, tol: float) -> Look:
    """The same by the gradient of all rows, and ``|Phi|`` of those that stand in."""
    cost, slope = _rough(objective, tol).cost_and_gradient(W)
    return Look(cost, _share(_horizontal(W, slope), objective.stand_in.point(W)))


def _rough(objective: Objective, tol: float) -> Objective:
    return objective.in_single() if tol >= _DOUBLE_BELOW else objective


def _horizontal(W: FloatArray, V: FloatArray) -> FloatArray:
    """``(I - WW') V``."""
    return V - W @ (W.T @ V)


def _share(residual: FloatArray, here: CurvedPoint) -> float:
    """The stationarity, by ``|Phi|`` of the sample."""
    return 0.5 * safe_norm(residual) / here.scale


def _step(here: CurvedPoint, gradient: FloatArray, known: list[Pair]) -> FloatArray:
    """``-B^-1 g`` by the recursion of L-BFGS, which begins with the Hessian of the sample."""
    pairs = [(s, y, float(np.vdot(s, y))) for s, y in known if float(np.vdot(s, y)) > 0.0]
    shares, r = [], gradient
    for s, y, sy in reversed(pairs):
        shares.append(float(np.vdot(s, r)) / sy)
        r = r - shares[-1] * y
    r = here.hessian.horizontal(r)
    natural = float(np.sqrt(np.vdot(r, here.hessian.precondition(r))))
    Z = newton_step(here.hessian, r, FIRST_RADIUS * natural, _FORCING).Z
    for (s, y, sy), share in zip(pairs, reversed(shares), strict=True):
        Z = Z - (share + float(np.vdot(y, Z)) / sy) * s
    return Z
