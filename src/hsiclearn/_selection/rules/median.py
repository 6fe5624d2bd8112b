"""The paper's bandwidth: the median distance of two rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ...kernels import AbstractKernel
from ..problem import AbstractRule, SupervisedProblem


@final
@dataclass(frozen=True)
class Median(AbstractRule):
    """``sigma = median |x_i - x_j|`` over pairs i < j."""

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """At the median."""
        return problem.data.kernel(problem.data.median)
