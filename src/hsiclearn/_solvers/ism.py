"""Algorithm 1 of the paper, to the letter, with an eye on cycles; and ISM, its slow ancestor.

C. Wu, S. Ioannidis, M. Sznaier, X. Li, D. Kaeli, J. Dy: Iterative Spectral Method for Alternative
Clustering (ISM), AISTATS 2018. C. Wu, J. Miller, Y. Chang, J. Dy: Spectral Non-Convex Optimization
for Dimension Reduction with Hilbert-Schmidt Independence Criterion (ISM+), 2019.
"""

from __future__ import annotations

from collections import deque
from typing import final

from .._arrays import FloatArray
from .._linalg import safe_norm, sine_of_largest_angle
from .._objective import AbstractObjective, Objective, PairLoops, Point
from .._result import Status
from ._base import AbstractSolver, Step

_LONGEST_CYCLE = 12


@final
class IsmPlusSolver(AbstractSolver):
    """``W <- lowest q eigenvectors of Phi(W)`` until the eigenvalues settle.

    ``tol`` bounds the relative change of the q lowest eigenvalues, as in the paper (whose
    experiments use 0.01). There is no descent guarantee. A run that returns to an earlier
    subspace is reported as cycling.
    """

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        super().__init__(objective, tol)
        self._values: FloatArray | None = None
        self._recent: deque[FloatArray] = deque(maxlen=_LONGEST_CYCLE)

    def start(self, W: FloatArray) -> Step:
        """Evaluate W_0."""
        step = super().start(W)
        self._best = step.point
        self._recent.append(W)
        return step

    def step(self) -> Step:
        """One iteration of Algorithm 1."""
        here, q = self._point, self._point.W.shape[1]
        if here.vanishes:
            return Step(here, "done", status=Status.VANISHED, moved=False)
        values = here.spectrum.values[:q]
        self._point = self.objective.point(here.spectrum.vectors[:, :q])
        if self._point.cost < self._best.cost:
            self._best = self._point
        gap = here.eigengap(here.spectrum)
        return Step(self._point, "spectral", gap, evaluations=1, status=self._verdict(values))

    def best(self, visited: Step) -> Point:
        """The last iterate if the eigenvalues settled, else the lowest one visited."""
        return visited.point if visited.status is Status.EIGENVALUES_SETTLED else self._best

    def _verdict(self, values: FloatArray) -> Status | None:
        previous, self._values = self._values, values
        W = self._point.W
        if previous is not None:
            change = safe_norm(values - previous)
            if change <= self.tol * safe_norm(values):
                return Status.EIGENVALUES_SETTLED
        # Back where it was some iterations ago, to a hundredth of the step just taken: a run
        # that converges slowly is always farther from its past than its last step is long.
        *older, newest = self._recent
        step = sine_of_largest_angle(W, newest)
        returned = any(sine_of_largest_angle(W, V) < 1e-2 * step for V in older)
        self._recent.append(W)
        return Status.CYCLING if returned and step > 1e-6 else None


def ism(objective: Objective | PairLoops, tol: float) -> IsmPlusSolver:
    """ISM, Gaussian kernels only: the iterates of ``"ism+"``, with Phi summed pair by pair."""
    loops = objective if isinstance(objective, PairLoops) else PairLoops(objective)
    return IsmPlusSolver(loops, tol)
