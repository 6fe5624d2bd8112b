"""The kernel as it was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ...kernels import AbstractKernel
from ..problem import AbstractRule, SupervisedProblem


@final
@dataclass(frozen=True)
class Fixed(AbstractRule):
    """A bandwidth that is a number, or that of a kernel which has its own."""

    bandwidth: float = 1.0

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """At this bandwidth."""
        return problem.data.kernel(self.bandwidth)
