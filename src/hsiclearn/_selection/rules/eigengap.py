"""The dimension rule of the paper: q where the spectrum of Phi has its widest gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from ..._arrays import FloatArray
from ..._objective import Objective
from ...kernels import AbstractKernel
from ..problem import AbstractRule, Fitted, SupervisedProblem

_LARGEST_Q = 20
_MAX_ROUNDS = 5


def widest_gap(eigenvalues: FloatArray, n_features: int) -> int:
    """``argmax_q (lambda_{q+1} - lambda_q)`` over ``q <= min(d - 1, 20)``; 1 when d = 1."""
    gaps = np.diff(eigenvalues)[: min(n_features - 1, _LARGEST_Q)]
    return int(np.argmax(gaps)) + 1 if gaps.size else 1


@final
@dataclass(frozen=True)
class Eigengap(AbstractRule):
    """Fit at the q with the widest gap of Phi, and repeat with Phi at that fit.

    Starts from Phi(0) and stops when q repeats, after five fits at most. Mostly it repeats at
    once: then the gap of the fit's own Phi is widest at its own q. Where the rule runs in a circle
    instead, the smallest q of the circle is taken. In each dimension the ``bandwidth`` rule fits,
    by HSIC: directions made to predict, where they are asked for, begin at the answer.
    """

    bandwidth: AbstractRule

    @property
    def holds_rows_out(self) -> bool:  # type: ignore[override]
        """As the bandwidth rule does."""
        return self.bandwidth.holds_rows_out

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """That of the bandwidth rule."""
        return self.bandwidth.kernel(problem)

    def fit(self, problem: SupervisedProblem) -> Fitted:
        """By the bandwidth rule, in the dimension found."""
        # The gap is that of Phi, which directions made to predict do not have.
        problem = problem.of_dependence()
        data, d = problem.data, problem.data.rows.n_features
        # Of Phi(0) the bandwidth is a factor, which moves no gap.
        at_zero = Objective(
            data.rows, data.gamma, self.kernel(problem), problem.settings.engine
        ).matrix_at_zero
        q = widest_gap(at_zero.lowest(min(d, _LARGEST_Q + 1)).values, d)
        fits: dict[int, Fitted] = {}
        while q not in fits and len(fits) < _MAX_ROUNDS:
            fits[q] = self.bandwidth.fit(problem.at(q))
            if fits[q].result.status.is_cut_short:
                return fits[q]
            q = widest_gap(fits[q].result.eigenvalues, d)
        visited = list(fits)
        circle = visited[visited.index(q) :] if q in fits else visited[-1:]
        return fits[min(circle)]
