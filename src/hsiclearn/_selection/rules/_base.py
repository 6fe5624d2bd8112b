"""What a rule is: it chooses what a problem leaves open, and fits."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...kernels import AbstractKernel
from ..problem import Fitted, SupervisedProblem


class AbstractRule(ABC):
    """A way to a kernel, to a dimension, or to both. A subclass is final.

    The least is :meth:`kernel`: with no more than that, the fit is the one with this kernel.
    """

    @abstractmethod
    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """The kernel to begin with, whatever the dimension."""

    def kernels(self, problem: SupervisedProblem, q: int) -> list[AbstractKernel]:
        """Those worth comparing in q dimensions on rows held out, from smooth to fine."""
        return [self.kernel(problem)]

    def fit(self, problem: SupervisedProblem) -> Fitted:
        """Choose what is open, and fit."""
        return problem.fit_with(self.kernel(problem))

    def polish(self, problem: SupervisedProblem, chosen: AbstractKernel) -> Fitted:
        """The fit on all rows, from a start that was found with one of the kernels compared."""
        return problem.fit_with(chosen)
