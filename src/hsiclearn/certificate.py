"""Optimality, verified: the conditions the paper assumes are computed here."""

from __future__ import annotations

import numpy as np

from ._arrays import Array, FloatArray
from .linalg import Eigenpair, lowest_eigenpairs, smallest_eigenpair
from .objective import Objective, Point, RiemannianHessian
from .result import Certificate

__all__ = ["certify", "smallest_curvature"]


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
    point = objective.point(W)
    hessian = RiemannianHessian(objective, point)
    return certificate_at(objective, point, smallest_curvature(hessian, point), hessian, tol)


def certificate_at(
    objective: Objective,
    point: Point,
    curvature: Eigenpair | None,
    hessian: RiemannianHessian,
    tol: float,
) -> Certificate:
    """The certificate of a point whose smallest curvature is known already."""
    W, norm = point.W, point.norm
    d, q = W.shape
    values = lowest_eigenpairs(point.phi, min(d, q + 1)).values
    gap = float(values[q] - values[q - 1]) if q < d else np.inf
    excess = float(np.trace(point.rayleigh) - values[:q].sum())
    relative = np.inf if curvature is None else curvature.value / (2.0 * norm)
    return Certificate(
        orthogonality=float(np.linalg.norm(W.T @ W - np.eye(q))),
        stationarity=point.stationarity,
        curvature=relative,
        second_order=relative >= -tol,
        eigengap=gap / norm,
        is_lowest=excess <= tol * norm,
        theorem1=_theorem1(hessian, point, curvature, gap, tol),
        full_rank=_has_full_rank(point.phi),
        tol=tol,
        engine=objective.engine,
    )


def smallest_curvature(
    hessian: RiemannianHessian, point: Point, rtol: float = 1e-2
) -> Eigenpair | None:
    """Smallest eigenvalue of the Riemannian Hessian and its direction; None when q = d.

    The search starts where the preconditioner expects it, with a random part mixed in so that
    no direction is out of reach.
    """
    d, q = point.W.shape
    if d == q:
        return None
    split = hessian.split
    start = np.outer(split.B[:, 0], split.S[:, -1]) + 0.1 * _random_direction(hessian, (d, q))
    return smallest_eigenpair(
        hessian.apply,
        start,
        precondition=hessian.precondition,
        rtol=rtol,
        atol=1e-8 * point.norm,
        max_products=min(200, (d - q) * q),
    )


def _theorem1(
    hessian: RiemannianHessian, point: Point, curvature: Eigenpair | None, gap: float, tol: float
) -> bool:
    """Whether ``lambda_{q+1} - lambda_q >= -min Tr(Z' Phidot[Z] W)`` over unit horizontal Z.

    One direction that breaks the bound settles it, so the search ends there; the direction of
    smallest curvature is a likely one and comes first.
    """
    d, q = point.W.shape
    if curvature is None:
        return True
    start = curvature.vector + 0.1 * _random_direction(hessian, (d, q))
    bound = -gap - tol * point.norm
    lowest = smallest_eigenpair(
        hessian.phi_dot_part,
        start,
        rtol=1e-2,
        atol=0.1 * tol * point.norm,
        below=bound,
        max_products=min(100, (d - q) * q),
    )
    return lowest.value >= bound


def _random_direction(hessian: RiemannianHessian, shape: tuple[int, int]) -> FloatArray:
    Z = hessian.horizontal(np.random.default_rng(0).standard_normal(shape))
    return Z / np.linalg.norm(Z)


def _has_full_rank(phi: FloatArray) -> bool:
    size = np.abs(np.linalg.eigvalsh(phi)) if phi.shape[0] <= 200 else np.linalg.svd(
        phi, compute_uv=False
    )
    return bool(size.min() > phi.shape[0] * np.finfo(float).eps * size.max())
