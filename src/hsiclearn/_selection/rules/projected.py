"""The median distance of the *projected* rows: fit, measure, and fit again from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ..._linalg import median_pair_distance
from ...kernels import AbstractKernel
from ..problem import AbstractRule, Fitted, SupervisedProblem
from ..sample import MOST_ROWS, draw_counted
from .median import Median

_MAX_ROUNDS = 10
_SETTLED = 1e-3  # relative change of the bandwidth


@final
@dataclass(frozen=True)
class Projected(AbstractRule):
    """``sigma = median |W'(x_i - x_j)|``, at first with W = I."""

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """At the median of all columns, which is where it begins."""
        return Median().kernel(problem)

    def fit(self, problem: SupervisedProblem) -> Fitted:
        """Until the bandwidth changes by less than a thousandth, or ten times; frozen in a fit."""
        data, bandwidth = problem.data, problem.data.median
        v = data.gamma.row_weights
        index = draw_counted(data.rows.n_samples, MOST_ROWS, data.rng, v)
        some, v = data.rows.subset(index), None if v is None else v[index]
        fitted = problem.in_round(0).fit_with(data.kernel(bandwidth))
        for number in range(1, _MAX_ROUNDS + 1):
            W = fitted.result.W
            median = median_pair_distance(some @ W, data.rng, weights=v)
            is_settled = median == 0.0 or abs(median - bandwidth) <= _SETTLED * bandwidth
            if is_settled or fitted.result.status.is_cut_short:
                break
            bandwidth = median
            again = problem.in_round(number).starting_from(W)
            fitted = again.fit_with(data.kernel(bandwidth))
        return fitted

    def polish(self, problem: SupervisedProblem, chosen: AbstractKernel) -> Fitted:
        """Measured again on the way."""
        return self.fit(problem)
