"""The proof that an answer is one, and what it proves in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ._html import table

__all__ = ["Certificate"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """First- and second-order optimality of a subspace, verified numerically.

    Every figure is scale free, so that one ``tol`` suits all data. In plain words: if
    ``stationarity <= tol`` and ``second_order`` holds, no small turn of the subspace lowers
    the cost to second order, up to ``tol`` of ``|Phi|``. That yardstick is set by the largest
    columns of X: where one dwarfs the others, the verdicts say little about these. Standardise
    the columns first.

    Attributes
    ----------
    orthogonality : float
        ``|W'W - I|_F``.
    stationarity : float
        ``|(I - WW')Phi W|_F / |Phi|_F``: zero where the gradient on the manifold vanishes.
    curvature : float
        Smallest eigenvalue of the Riemannian Hessian over ``2 |Phi|_F``; infinite when q = d.
    second_order : bool or None
        ``curvature >= -tol``; None where there is nothing to judge: Phi vanishes (the figures
        are NaN then), the objective has no Hessian, or the solver was interrupted.
    eigengap : float
        ``(lambda_{q+1} - lambda_q) / |Phi|_F``; infinite when q = d.
    is_lowest : bool
        Whether W spans the lowest q eigenvectors of Phi(W), i.e. is a fixed point of Algorithm 1.
    theorem1 : bool or None
        Whether the paper's own sufficient condition holds:
        ``lambda_{q+1} - lambda_q >= -min_Z Tr(Z' Phidot[Z] W)`` over unit horizontal Z.
    full_rank : bool or None
        Whether Phi has full rank, which Theorem 1 assumes as well. None where there are too many
        features to tell.
    tol : float
        The tolerance behind the three verdicts.
    engine : str
        The engine that computed the sums.
    rounding : float
        How far rounding may have moved Phi, as a share of ``|Phi|_F``, where rows could not be
        centred: by an inner-product kernel of higher degree, or a Gamma that is not centred. Above
        ``tol`` nothing is verified. 0 where they were, so that it is a few units of the last digit.
    """

    orthogonality: float
    stationarity: float
    curvature: float
    second_order: bool | None
    eigengap: float
    is_lowest: bool
    theorem1: bool | None
    full_rank: bool | None
    tol: float
    engine: str
    rounding: float = 0.0

    @property
    def lost_in_rounding(self) -> bool:
        """Whether the sums are too inexact, in double precision, for any verdict at ``tol``."""
        return self.rounding > self.tol

    @property
    def verified(self) -> bool:
        """Whether this is a local optimum to second order, up to ``tol``."""
        settled = self.stationarity <= self.tol and bool(self.second_order)
        return settled and not self.lost_in_rounding

    @property
    def _no_verdict(self) -> str | None:
        """Why the figures prove nothing, where they do not."""
        if math.isnan(self.stationarity):
            return (
                "Nothing can be verified: at this bandwidth the objective is flat to rounding, and "
                "every subspace is as good as this one."
            )
        if self.lost_in_rounding:
            return (
                f"NOT verified: rounding may have moved Phi by {self.rounding:.1e} of its size, "
                f"tolerance {self.tol:.0e}. The columns are far from 0, which this kernel sees: "
                "centre them (StandardScaler)."
            )
        if math.isinf(self.curvature):
            return "There was nothing to choose: these directions span all columns that vary."
        return None

    @property
    def verdict(self) -> str:
        """What the figures prove, in a sentence."""
        if (reason := self._no_verdict) is not None:
            return reason
        gradient = f"the gradient is {self.stationarity:.1e} of |Phi|, tolerance {self.tol:.0e}"
        if self.second_order is False:
            return (
                f"NOT a local optimum: a small turn of the subspace lowers the cost (smallest "
                f"curvature {self.curvature:.2g} of |Phi|; {gradient})."
            )
        if self.stationarity > self.tol:
            return f"NOT verified as a local optimum: {gradient}."
        if self.second_order is None:
            return (
                f"Stationary: {gradient}. Whether every small turn raises the cost was not judged: "
                "there is no second derivative to judge by."
            )
        return (
            f"This is a verified local optimum: no small turn of the subspace lowers the cost "
            f"({gradient}; smallest curvature {self.curvature:.2g} of |Phi|)."
        )

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, then every figure."""
        return table(self.verdict, {name: getattr(self, name) for name in self.__slots__})
