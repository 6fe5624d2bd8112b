"""ISM as published: the iteration of ISM+, each Phi summed pair by pair.

C. Wu, S. Ioannidis, M. Sznaier, X. Li, D. Kaeli, J. Dy: Iterative Spectral Method for Alternative
Clustering, AISTATS 2018.
"""

from __future__ import annotations

from .._objective import Objective, PairLoops, Point, vectorised
from ._base import Step
from .ism_plus import IsmPlusSolver

__all__ = ["IsmSolver"]


class IsmSolver(IsmPlusSolver):
    """``W <- lowest q eigenvectors of Phi(W)``, Gaussian kernels only, Phi not vectorised.

    The iterates and the stopping rule are those of ``"ism+"``; only the time differs. The point
    it returns is evaluated once more on the vectorised objective, for an exact certificate.
    """

    name = "ism"

    def __init__(self, objective: Objective | PairLoops, tol: float) -> None:
        loops = objective if isinstance(objective, PairLoops) else PairLoops(objective)
        super().__init__(loops.source, tol)
        self.objective = loops

    def best(self, visited: Step) -> Point:
        """The choice of ``"ism+"``, with its curvature."""
        return vectorised(super().best(visited))
