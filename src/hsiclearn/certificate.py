"""Optimality, verified: the conditions the paper assumes are computed here."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ._arrays import Array
from .linalg import has_full_rank
from .objective import AbstractObjective, CurvedPoint, Point
from .result import Certificate

__all__ = ["certificate_at", "certify"]


def certify(objective: AbstractObjective, W: Array, *, tol: float = 1e-6) -> Certificate:
    """Verify first- and second-order optimality of the subspace spanned by W.

    Parameters
    ----------
    objective : Objective or ClusterObjective
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
    orthogonality = float(np.linalg.norm(W.T @ W - np.eye(W.shape[1])))
    if point.vanishes:
        return _nothing_to_certify(orthogonality, tol, point.objective.engine)
    gap = point.eigengap(point.spectrum)
    is_lowest = bool(point.promised_decrease(point.spectrum) <= tol * norm)
    first_order = Certificate(
        orthogonality=orthogonality,
        stationarity=point.stationarity,
        curvature=float("nan"),
        second_order=None,
        eigengap=gap / norm,
        is_lowest=is_lowest,
        theorem1=None,
        full_rank=bool(W.shape[0] < point.objective.n_samples and has_full_rank(point.phi)),
        tol=tol,
        engine=point.objective.engine,
    )
    if not isinstance(point, CurvedPoint):
        return first_order
    curvature = point.hessian.smallest_curvature
    relative = float("inf") if curvature is None else float(curvature.value / (2.0 * norm))
    return replace(
        first_order,
        curvature=relative,
        second_order=bool(relative >= -tol),
        theorem1=is_lowest and point.hessian.phi_dot_exceeds(-gap - tol * norm),
    )


def _nothing_to_certify(orthogonality: float, tol: float, engine: str) -> Certificate:
    """Where Phi vanishes there is no yardstick: no condition holds or fails."""
    return Certificate(
        orthogonality=orthogonality,
        stationarity=float("nan"),
        curvature=float("nan"),
        second_order=None,
        eigengap=float("nan"),
        is_lowest=False,
        theorem1=None,
        full_rank=False,
        tol=tol,
        engine=engine,
    )
