"""Subspaces fitted on one set of rows, for every bandwidth and start, when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._linalg import orthonormal_basis, reduce_to_row_space
from .._objective import Objective
from .._solvers import SpectralSolver, run, start_from_name
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel

__all__ = ["ARRAY", "PATH", "Fit", "GridFits"]

PATH = "path"
"""The start that is Phi(0) at the first kernel, and then the fit with the kernel before."""
ARRAY = "array"
"""The start that is given."""

_TOL = 1e-3  # a rule compares subspaces; the chosen one is polished afterwards
_MAX_ITER = 15
_FEW_UNKNOWNS = 400  # up to so many the Hessian is assembled whole, and saddles are cheap to leave


class Fit(NamedTuple):
    """A subspace, and the cost it ended with."""

    W: FloatArray
    cost: float


class GridFits:
    """Fits of dimension q on the rows X, one for each kernel of a sequence and each start.

    Kernels come from smooth to fine. ``"path"`` follows the answer down that sequence: it begins
    where the objective has few local minima. A start with a name from
    :data:`hsiclearn._solvers.START_NAMES` is made anew for every kernel; ``"random 1"``,
    ``"random 2"`` ... are different draws with ``seed``.
    """

    def __init__(
        self,
        X: FloatArray,
        gamma: AbstractGamma,
        kernels: Sequence[AbstractKernel],
        q: int,
        init: FloatArray | None = None,
        seed: int = 0,
    ) -> None:
        wide = reduce_to_row_space(X, q)
        self._Q: FloatArray | None = None if wide is None else wide[0]
        self._X = X if wide is None else wide[1]
        self._gamma, self._kernels, self._q, self._init = gamma, kernels, q, init
        self._seed = seed
        self.fit = cache(self._fit)
        self._objective = cache(self._make_objective)

    def _make_objective(self, i: int) -> Objective:
        return Objective(self._X, self._gamma, self._kernels[i])

    def _fit(self, i: int, start: str) -> Fit:
        """The fit with kernel number i from a start, in the columns of X."""
        objective = self._objective(i)
        few = objective.n_features * self._q <= _FEW_UNKNOWNS
        solver = SpectralSolver(objective, _TOL, second_order=few)
        point = run(solver, self._start(i, start), max_iter=_MAX_ITER).point
        return Fit(point.W if self._Q is None else self._Q @ point.W, point.cost)

    def _start(self, i: int, start: str) -> FloatArray:
        objective = self._objective(i)
        if start == PATH and i > 0:
            return self._reduced(self.fit(i - 1, PATH).W)
        if start == ARRAY:
            assert self._init is not None
            return self._reduced(self._init)
        name, _, number = ("phi-zero" if start == PATH else start).partition(" ")
        rng = np.random.default_rng([self._seed, int(number or 0)])
        return start_from_name(name, objective, self._q, rng)

    def _reduced(self, W: FloatArray) -> FloatArray:
        return orthonormal_basis(W if self._Q is None else self._Q.T @ W)
