"""Optimality, verified: the conditions the paper assumes are computed here."""

from __future__ import annotations

import numpy as np

from ._arrays import Array
from .linalg import has_full_rank
from .objective import Objective, Point
from .result import Certificate

__all__ = ["certificate_at", "certify"]


def certify(objective: Objective, W: Array, *, tol: float = 1e-6) -> Certificate:
    """Verify first- and second-order optimality of the subspace spanned by W.

    Parameters
    ----------
    objective : Objective
    W : array of shape (n_features, n_components)
        Orthonormal columns, up to rounding.
    tol : float, default=1e-6
        Tolerance of the verdicts, relative to ``|Phi|_F``.

    Returns
    -------
    Certificate
    """
    return certificate_at(objective.point(W), tol)


def certificate_at(point: Point, tol: float) -> Certificate:
    """The certificate of an iterate; reuses what a solver has computed there."""
    W, norm = point.W, point.norm
    curvature = point.hessian.smallest_curvature
    relative = np.inf if curvature is None else curvature.value / (2.0 * norm)
    gap = point.eigengap(point.spectrum)
    is_lowest = point.promised_decrease(point.spectrum) <= tol * norm
    return Certificate(
        orthogonality=float(np.linalg.norm(W.T @ W - np.eye(W.shape[1]))),
        stationarity=point.stationarity,
        curvature=relative,
        second_order=relative >= -tol,
        eigengap=gap / norm,
        is_lowest=is_lowest,
        theorem1=is_lowest and point.hessian.phi_dot_exceeds(-gap - tol * norm),
        full_rank=W.shape[0] < point.objective.n_samples and has_full_rank(point.phi),
        tol=tol,
        engine=point.objective.engine,
    )
