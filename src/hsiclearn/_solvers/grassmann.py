"""Pymanopt's trust region on the Grassmann manifold; the only module that imports pymanopt.

N. Boumal, P.-A. Absil: RTRMC, a Riemannian trust-region method for low-rank matrix completion,
NIPS 2011; J. Townsend, N. Koep, S. Weichwald: Pymanopt, JMLR 17, 2016. "GM" in the paper's tables.
"""

from __future__ import annotations

from typing import final

import numpy as np

from .._arrays import FloatArray
from .._objective import AbstractObjective, Objective
from .._result import Status
from ..exceptions import MissingExtraError
from ._base import AbstractSolver, Step

_ITERATIONS = 1000  # of a run, at least; more where max_iter is more
_RUNS = 3
_MARGIN = 0.9  # of the bound, since pymanopt's norm and ours round differently


@final
class GrassmannSolver(AbstractSolver):
    """Riemannian trust region: Newton steps by truncated conjugate gradients, no preconditioner.

    Pymanopt keeps its own loop, so one step is one whole run of it, with up to 1000 iterations
    or ``10 max_iter`` if that is more, each one evaluation and at most as many Hessian products
    as the manifold has dimensions. It stops at a norm of the Riemannian gradient,
    ``2 (I - WW')Phi W``, hence at ``2 tol |Phi|_F``. |Phi| is known where the run starts, not
    where it ends: if it has shrunk on the way, a second, short run follows with the new bound,
    and a third at most. Converged at
    ``|(I - WW')Phi W|_F / |Phi|_F <= tol``.
    """

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        super().__init__(objective, tol)
        try:
            import pymanopt  # noqa: F401
        except ImportError as error:
            raise MissingExtraError("pymanopt", "manifold", "solver='grassmann'") from error

    @property
    def trials(self) -> int:
        """A run: its start, its iterations, and where it ends."""
        return self._iterations + 2

    @property
    def budget(self) -> int:
        """Three runs."""
        return 1 + _RUNS * self.trials

    @property
    def _iterations(self) -> int:
        return _ITERATIONS * max(100, self.max_iter) // 100

    def step(self) -> Step:
        """One run of the trust region, to its end."""
        here = self._point
        if (status := self._first_order()) is not None:
            return Step(here, "done", status=status, moved=False)
        counted = _Counted(self.objective)
        bound = _MARGIN * 2.0 * self.tol * here.scale
        W, iterations = _trust_region(counted, here.W, bound, self._iterations)
        self._point = there = self.objective.point(W)
        if there.stationarity <= self.tol:
            status = Status.CONVERGED
        elif iterations >= self._iterations:
            status = Status.MAX_ITER
        elif there.cost >= here.cost and there.stationarity >= here.stationarity:
            status = Status.STALLED
        return Step(
            there,
            "pymanopt",
            evaluations=counted.costs + 1,
            products=counted.products,
            status=status,
            iterations=iterations,
        )

    def settles(self) -> Status | None:
        """Whether the present point is stationary."""
        return Status.CONVERGED if self._first_order() is Status.CONVERGED else None


class _Counted:
    """The three functions pymanopt asks for, with what they cost."""

    def __init__(self, objective: AbstractObjective) -> None:
        self.costs = self.products = 0
        self.lowest: tuple[float, FloatArray] | None = None
        self._objective = objective

    def cost(self, W: FloatArray) -> float:
        self.costs += 1
        cost = self._objective.cost(W)
        if self.lowest is None or cost < self.lowest[0]:
            self.lowest = cost, W
        return cost

    def gradient(self, W: FloatArray) -> FloatArray:
        return self._objective.gradient(W)

    def hessian(self, W: FloatArray, Z: FloatArray) -> FloatArray:
        """Along Z; from two gradients where there is no formula."""
        self.products += 1
        if isinstance(self._objective, Objective):
            return self._objective.hessian_vector(W, Z)
        size = float(np.linalg.norm(Z))
        if size == 0.0:
            return np.zeros_like(Z)
        h = np.finfo(float).eps ** (1 / 3) / size
        gradient = self._objective.gradient
        return (gradient(W + h * Z) - gradient(W - h * Z)) / (2.0 * h)


def _trust_region(
    functions: _Counted, W: FloatArray, gradient_norm: float, max_iterations: int
) -> tuple[FloatArray, int]:
    """Where pymanopt ends, and after how many iterations."""
    from pymanopt import Problem, function
    from pymanopt.manifolds import Grassmann
    from pymanopt.optimizers import TrustRegions

    manifold = Grassmann(*W.shape)
    wrap = function.numpy(manifold)
    problem = Problem(
        manifold,
        wrap(functions.cost),
        euclidean_gradient=wrap(functions.gradient),
        euclidean_hessian=wrap(functions.hessian),
    )
    optimizer = TrustRegions(
        max_time=np.inf,  # a clock would make the outcome depend on the machine
        max_iterations=max_iterations,
        min_gradient_norm=gradient_norm,
        verbosity=0,
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # its ratio of decreases may be 0/0
        try:
            outcome = optimizer.run(problem, initial_point=W)
        except np.linalg.LinAlgError:  # so may its step, where nothing but rounding is left
            return W if functions.lowest is None else functions.lowest[1], functions.costs
    return outcome.point, int(outcome.iterations)
