r"""Whose Hessian a Newton step takes: that of all rows, or of a sample of them.

``Hess[Z] = P (2 Phi Z + 2 Phidot[Z] W) - 2 Z (W'Phi W)`` with Phi of all rows and Phidot of m of
them, scaled up, differs from the Hessian by a share of some ``sqrt(d / m)``. A step by it shrinks
the gradient to about that share, where one by the Hessian would square it; but it costs no pass
over all rows beside the evaluation that every step needs. Along a direction that is nearly flat
the difference is larger than the curvature: once a step brings less than it should, the Hessian
of all rows takes over for good.
"""

from __future__ import annotations

from .._objective import CurvedPoint, Objective, Point, RiemannianHessian

_POOR = 0.1  # of the gradient left by a step that stayed inside its radius
_GAIN = 1e-5  # of the cost: worth a step where the Hessian of all rows costs ten and more


class RoughCurvature:
    """A sample of the rows that stands for all of them in Newton steps, while it serves."""

    def __init__(self, objective: Objective) -> None:
        self._objective = objective
        self.serves = objective.has_stand_in

    def hessian_at(self, point: CurvedPoint) -> RiemannianHessian:
        """The Hessian at a point, to be used for a step."""
        if not self.serves:
            return point.hessian
        return point.bent_as(self._objective.stand_in).hessian

    def judge(self, here: Point, trial: Point, ratio: float, at_boundary: bool) -> None:
        """Give it up after a step that a better Hessian might not have taken."""
        fell = trial.stationarity <= _POOR * here.stationarity
        if self._objective.is_pairwise:
            fell = fell or here.cost - trial.cost >= _GAIN * abs(here.cost)
        self.serves = self.serves and ratio >= 0.25 and (at_boundary or fell)
