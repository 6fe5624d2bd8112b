r"""The default solver: spectral steps, guarded; Newton where they fail or slow down.

Algorithm 1 of the paper, ``W <- lowest q eigenvectors of Phi(W)``, is superb near a good
solution and has no descent guarantee: it cycles for ever on real data. Here

1. a **spectral step** is taken only if the cost falls by a fair share of what Phi promises,
   ``tr(W'Phi W) - sum of the q lowest eigenvalues``, which is exact to first order;
2. otherwise, or once spectral steps converge too slowly, **trust-region Newton** on the
   Riemannian Hessian, preconditioned by the eigenvalue differences of Phi;
3. at a stationary point the **smallest curvature** is computed; if it is negative the solver
   leaves along it and goes on.

Hence the cost never rises (beyond rounding), and what is returned as converged is stationary
and second-order optimal.
"""

from __future__ import annotations

from typing import final

import numpy as np

from .._arrays import FloatArray
from .._linalg import Eigenpair, orthonormal_basis
from .._objective import CurvedPoint, Objective, Point
from .._result import Status
from ._base import ResumableSolver, State, Step
from .newton_steps import FIRST_RADIUS, newton_step
from .rough_newton import RoughCurvature

_FAIR_SHARE = 0.3  # of the promised decrease, for a spectral step to be accepted
_FAST_ENOUGH = 0.1  # a spectral step should shrink the gradient at least by this factor ...
_NEAR = 0.1  # ... once the stationarity is below this
_NEARER = 1e-4  # a start so near a solution was polished before: spectral steps gain nothing
_RIGHT = 0.05  # of the promise, by which a step may miss it
_MIN_RADIUS = 1e-10
_MAX_RADIUS = 1e150  # its square is made
_TINY = np.finfo(float).tiny
_FAR_ABOVE_ROUNDING = 1e3 * np.finfo(float).eps
_HERE = 1e-3  # sine of the angle from where features were chosen, for a verdict by them
_MANY_PRODUCTS = 30  # from here on, all eigenvalues of Phi cost less than they save
_SMALL_GAIN = 1e-6  # of the cost: what may be left when the solver stops


@final
class SpectralSolver(ResumableSolver):
    """Monotone, convergent, second-order.

    With ``second_order=False`` it ends at the first stationary point, whatever the curvature. It
    settles where a Newton step inside the trust region promises less than ``worth`` of the cost.
    """

    name = "spectral"
    objective: Objective
    _point: CurvedPoint
    _newton: bool  # whether a Newton step is due
    _first_cost: float

    def __init__(
        self, objective: Objective, tol: float, *, second_order: bool = True, worth: float = 0.0
    ) -> None:
        super().__init__(objective, tol)
        self._second_order, self._worth = second_order, worth
        # An eigenproblem of all of Phi, d^3, is soon paid for by products that it saves, n^2.
        self._stiff = objective.n_features**3 <= 25 * objective.n_samples**2
        self._radius = np.nan
        self._rough = RoughCurvature(objective)

    def start(self, W: FloatArray) -> Step:
        """Evaluate the first iterate."""
        step = super().start(np.ascontiguousarray(W))
        self._first_cost = abs(self._point.cost)
        self._newton = self._point.stationarity <= (_NEAR if self.is_near else _NEARER)
        return step

    def _evaluate(self, W: FloatArray, objective: Objective | None = None) -> CurvedPoint:
        """The objective at W, always in one memory layout: products round by it.

        Eigenvectors come in columns of a larger matrix, a W from a file does not; a run that is
        resumed shall take the same bits.
        """
        point = (objective or self.objective).point(np.ascontiguousarray(W))
        point.is_stiff = self._stiff
        return point

    def state(self) -> State:
        """The iterate, the kind of step due next, the trust radius and the first cost.

        Also the anchor of features that are held, and what the run has learnt: whether a sample
        still stands for all rows, and whether all eigenvalues of Phi are worth their price.
        """
        state: State = {
            "W": self._point.W,
            "newton": bool(self._newton),
            "stiff": bool(self._stiff),
            "rough": bool(self._rough.serves),
            "radius": float(self._radius),
            "first_cost": self._first_cost,
        }
        if (anchor := self._point.objective.anchor) is not None:
            state["anchor"] = anchor
        return state

    def restore(self, state: State) -> Step:
        """Evaluate the saved iterate again."""
        self._newton, self._radius = bool(state["newton"]), float(state["radius"])
        if self._radius < 0.0 or self._radius > _MAX_RADIUS:
            raise ValueError("a trust region has a radius, whose square is a number")
        self._stiff = bool(state["stiff"])
        self._first_cost, self._rough.serves = float(state["first_cost"]), bool(state["rough"])
        anchor = state.get("anchor")
        objective = self.objective
        if anchor is not None:
            objective = objective.held_at(np.asarray(anchor))
        self._point = self._evaluate(np.asarray(state["W"]), objective)
        return Step(self._point, "restored", moved=False)

    def step(self) -> Step:
        """A spectral, Newton or escape step, whichever is due."""
        if self._point.vanishes:
            return Step(self._point, "done", status=Status.VANISHED, moved=False)
        if self._is_stationary():
            return self._judged_here() or self._check_curvature()
        if self._newton or self._point.stationarity <= self.tol:
            return self._newton_step()
        return self._spectral_step()

    def _share(self, trial: Point, promised: float, wanted: float) -> float:
        """The share of a promise that a trial keeps; 0 where it is not a decrease.

        The cost must fall by ``wanted``. What is wanted may be less than the cost is exact to, or
        than a promise of Phi is: then it must not rise by more than that, and the gradient fall.
        """
        here, fall = self._point, self._point.cost - trial.cost
        objective = trial.objective
        for level in (objective.noise, max(objective.noise, objective.slack)):
            rounding = max(_FAR_ABOVE_ROUNDING, level) * max(abs(here.cost), _TINY)
            fell = fall >= wanted
            if wanted <= rounding and fall <= rounding:
                fell = fall + rounding >= wanted and trial.stationarity < here.stationarity
            if fell:
                return (fall + rounding) / (promised + rounding)
        return 0.0

    def _spectral_step(self) -> Step:
        here, q = self._point, self._point.W.shape[1]
        spectrum = here.step_spectrum
        gap, promised = here.eigengap(spectrum), here.promised_decrease(spectrum)
        trial = self._evaluate(spectrum.vectors[:, :q])
        if self._share(trial, promised, _FAIR_SHARE * promised) > 0.0:
            slow = trial.stationarity > _FAST_ENOUGH * here.stationarity
            self._newton = slow and trial.stationarity < _NEAR
            self._point = trial
            return Step(trial, "spectral", gap, evaluations=1)
        self._newton = True
        return Step(here, "spectral", gap, evaluations=1, moved=False)

    def _newton_step(self) -> Step:
        # Costs and derivatives of one function: a step may gain less than a choice of landmarks.
        evaluated, self._point = self._point, self._point.held()
        here, hessian = self._point, self._rough.hessian_at(self._point)
        before, evaluations = hessian.products, 1 + int(here.matrix is not evaluated.matrix)
        gradient = 2.0 * here.residual
        if np.isnan(self._radius):
            self._radius = FIRST_RADIUS * self._natural_length(gradient)
        forcing = min(0.1, max(np.sqrt(here.stationarity), 0.1 * self.tol / here.stationarity))
        newton = newton_step(hessian, gradient, self._radius, forcing)
        # Columns that nearly depend on each other make directions that are nearly flat. There are
        # many of them, of which the lowest eigenvalues of Phi, those in use so far, know nothing.
        self._stiff |= hessian.products - before >= _MANY_PRODUCTS
        if not newton.at_boundary and newton.predicted < self._worth * abs(here.cost):
            return Step(here, "done", status=Status.SETTLED, moved=False)
        trial = self._evaluate(orthonormal_basis(here.W + newton.Z), here.objective)
        ratio = self._share(trial, newton.predicted, 0.1 * newton.predicted)
        self._rough.judge(here, trial, ratio, newton.at_boundary)
        if not ratio >= 0.25:  # also when the trial is not finite
            self._radius = 0.25 * newton.length
        elif ratio > 0.75 and newton.at_boundary:
            # Where a pass is dear, a model that is right to a few per cent is trusted farther.
            is_right = here.objective.anchor is not None and abs(ratio - 1.0) <= _RIGHT
            self._radius *= 8.0 if is_right else 2.0
        spent = hessian.products - before
        if ratio > 0.1:
            self._point = trial
            return Step(trial, "newton", here.split.gap, evaluations=evaluations, products=spent)
        stalled = not self._radius > _MIN_RADIUS * self._natural_length(gradient)
        status = Status.STALLED if stalled else None
        return Step(
            here, "newton", evaluations=evaluations, products=spent, status=status, moved=False
        )

    def _natural_length(self, gradient: FloatArray) -> float:
        """``|M^-1 g|_M``: the length of the Newton step if the Hessian were M."""
        return float(np.sqrt(np.vdot(gradient, self._point.hessian.precondition(gradient))))

    def settles(self) -> Status | None:
        """Whether the present point is an answer, at no further step."""
        here = self._point
        if not self._is_stationary() or here.vanishes:
            return None
        curvature = here.hessian.smallest_curvature if self._second_order else None
        if curvature is not None and curvature.value < -2.0 * self.tol * here.scale:
            return None
        return Status.CONVERGED

    def _is_stationary(self) -> bool:
        """Whether the gradient is small, also beside the cost.

        ``|Phi|`` is set by the largest columns of X. Where one dwarfs the others, a gradient that
        is small beside it may still have much to give along the others; so the decrease a
        Newton step would bring if the Hessian were the preconditioner must be small as well.
        """
        here = self._point
        if here.stationarity > self.tol:
            return False
        gradient = 2.0 * here.residual
        gain = 0.5 * float(np.vdot(gradient, here.hessian.precondition(gradient, floor=1e-12)))
        # A cost that ends at 0 (a kernel that flees dependence) is measured by where it began.
        return gain <= _SMALL_GAIN * max(self._first_cost, abs(here.cost), 1e-9 * here.norm)

    def _judged_here(self) -> Step | None:
        """The point by features chosen where it is, where those in force were chosen elsewhere.

        A verdict on curvature needs them: rows far out, which it may depend on, are moved farthest
        by a small turn, away from the landmarks that stood for them.
        """
        if self._point.objective.anchor is None:
            return None
        anew = self._point.held(within=_HERE)
        if anew is self._point:
            return None
        self._point = anew
        return Step(anew, "newton", evaluations=1, moved=False)

    def _check_curvature(self) -> Step:
        """Stationary: done if the curvature is non-negative, else leave along it."""
        here, hessian = self._point, self._point.hessian
        before = hessian.products
        status = self.settles()
        spent = hessian.products - before
        if status is not None or hessian.smallest_curvature is None:
            return Step(here, "done", products=spent, status=status, moved=False)
        return self._escape(hessian.smallest_curvature, spent)

    def _escape(self, curvature: Eigenpair, products: int) -> Step:
        """Walk down the direction of negative curvature; halve until the cost falls enough."""
        here = self._point
        Z = curvature.vector
        Z = Z if float(np.vdot(here.residual, Z)) <= 0 else -Z
        length = 1.0
        for evaluations in range(1, self.trials + 1):
            trial = self._evaluate(orthonormal_basis(here.W + length * Z), here.objective)
            if here.cost - trial.cost >= 0.1 * 0.5 * length**2 * abs(curvature.value):
                self._newton, self._radius = False, np.nan
                self._point = trial
                return Step(trial, "escape", evaluations=evaluations, products=products)
            length *= 0.5
        return Step(
            here,
            "escape",
            evaluations=self.trials,
            products=products,
            status=Status.STALLED,
            moved=False,
        )
