"""Newton steps inside a trust region, by conjugate gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray
from .._objective import RiemannianHessian

FIRST_RADIUS = 4.0
"""Natural lengths: along flat directions steps are longer than that."""

_MOST_PRODUCTS = 100


@dataclass(frozen=True)
class NewtonStep:
    """A tangent step, the decrease the model promises for it, and whether it met the boundary."""

    Z: FloatArray
    predicted: float
    length: float
    at_boundary: bool


def newton_step(
    hessian: RiemannianHessian, gradient: FloatArray, radius: float, forcing: float
) -> NewtonStep:
    """Minimise ``<g, Z> + <Z, Hess Z>/2`` inside ``|Z|_M <= radius`` (Steihaug-Toint).

    ::

        r_0 = g,  p_0 = -M^-1 g
        alpha = <r, M^-1 r> / <p, Hess p>,  Z += alpha p,  r += alpha Hess p

    Stops inside once ``|r|_{M^-1} <= forcing |g|_{M^-1}``, and on the boundary where the
    curvature along p is negative or the step leaves the region. M is the preconditioner; norms
    in M make one radius fit directions of very different stiffness.
    """
    Z = np.zeros_like(gradient)
    r = gradient
    y = hessian.precondition(r)
    p = -y
    ry = first = float(np.vdot(r, y))
    ZMZ, ZMp, pMp = 0.0, 0.0, ry  # inner products in M, updated without applying M
    model = 0.0
    for _ in range(_MOST_PRODUCTS):
        Hp = hessian.apply(p)
        curvature = float(np.vdot(p, Hp))
        if not np.isfinite(curvature):
            return NewtonStep(np.zeros_like(Z), np.nan, 0.0, at_boundary=False)
        alpha = ry / curvature if curvature > 0 else np.inf
        if curvature <= 0 or ZMZ + 2 * alpha * ZMp + alpha**2 * pMp >= radius**2:
            tau = (-ZMp + np.sqrt(ZMp**2 + pMp * (radius**2 - ZMZ))) / pMp
            model += tau * float(np.vdot(r, p)) + 0.5 * tau**2 * curvature
            return NewtonStep(Z + tau * p, -model, radius, at_boundary=True)
        model -= 0.5 * alpha * ry
        ZMZ += 2 * alpha * ZMp + alpha**2 * pMp
        Z = Z + alpha * p
        r = r + alpha * Hp
        y = hessian.precondition(r)
        previous, ry = ry, float(np.vdot(r, y))
        if ry <= forcing**2 * first:
            break
        beta = ry / previous
        ZMp, pMp = beta * (ZMp + alpha * pMp), ry + beta**2 * pMp
        p = beta * p - y
    return NewtonStep(hessian.horizontal(Z), -model, float(np.sqrt(ZMZ)), at_boundary=False)
