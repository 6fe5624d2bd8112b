"""Optimality, verified: the conditions the paper assumes are computed here."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ._arrays import Array
from ._objective import AbstractObjective, CurvedPoint, Point
from ._result import Certificate

_NOT_ORTHONORMAL = 1e-3  # beyond what float32 and a few printed digits leave


def certify(objective: AbstractObjective, W: Array, *, tol: float = 1e-6) -> Certificate:
    """Verify first- and second-order optimality of the subspace spanned by W.

    Parameters
    ----------
    objective : Objective or ClusterObjective
    W : array of shape (n_features, n_components)
        Orthonormal columns, up to rounding, q <= d of them.
    tol : float, default=1e-6
        Tolerance of the verdicts, relative to ``|Phi|_F``.

    Returns
    -------
    Certificate
    """
    return certificate_at(objective.point(_as_basis(W, objective.n_features)), tol)


def _as_basis(W: Array, d: int) -> Array:
    """W, if it is a basis whose subspace can be judged."""
    frame = np.asarray(W)
    shape_is_right = frame.ndim == 2 and frame.shape[0] == d and 1 <= frame.shape[1] <= d
    if frame.dtype.kind not in "fiub" or not shape_is_right:
        raise ValueError(
            f"`W` must be real, one row per feature and at most as many columns: shape ({d}, q), "
            f"1 <= q <= {d}. Got dtype {frame.dtype}, shape {frame.shape}. Of an estimator, pass "
            "components_.T."
        )
    bad = int(np.count_nonzero(~np.isfinite(frame)))
    if bad:
        raise ValueError(f"`W` must be finite. {bad} of {frame.size} entries are NaN or infinite.")
    error = float(np.linalg.norm(frame.T @ frame - np.eye(frame.shape[1])))
    if not error <= _NOT_ORTHONORMAL:
        raise ValueError(
            f"`W` must have orthonormal columns: |W'W - I|_F is {error:.3g}, of which rounding "
            f"explains {_NOT_ORTHONORMAL:g} at most. Pass np.linalg.qr(W)[0], which spans the same "
            "subspace."
        )
    return frame


def certificate_at(point: Point, tol: float) -> Certificate:
    """The certificate of an iterate; reuses what a solver has computed there."""
    first_order = first_order_certificate_at(point, tol)
    is_lost = first_order.lost_in_rounding
    if point.vanishes or is_lost or not isinstance(point, CurvedPoint):
        return first_order
    scale, gap = point.scale, point.eigengap(point.spectrum)
    curvature = point.hessian.smallest_curvature
    judged = point.hessian.judged
    relative = float("inf") if curvature is None else float(curvature.value / (2.0 * scale))
    return replace(
        first_order,
        curvature=relative,
        curvature_rows=None if judged is None else judged.n_rows,
        second_order=bool(relative >= -tol),
        theorem1=first_order.is_lowest and point.hessian.phi_dot_exceeds(-gap - tol * scale),
    )


def first_order_certificate_at(point: Point, tol: float) -> Certificate:
    """What Phi alone can tell: no further pass over the pairs of rows, no verdict on curvature."""
    W, scale = point.W, point.scale
    rounding = point.objective.rounding(point)
    nothing = Certificate(
        orthogonality=float(np.linalg.norm(W.T @ W - np.eye(W.shape[1]))),
        stationarity=float("nan"),
        curvature=float("nan"),
        second_order=None,
        eigengap=float("nan"),
        is_lowest=False,
        theorem1=None,
        full_rank=False,
        tol=tol,
        engine=point.objective.engine,
    )
    if point.vanishes:  # no yardstick: no condition holds or fails
        return nothing
    return replace(
        nothing,
        stationarity=point.stationarity,
        eigengap=point.eigengap(point.spectrum) / scale,
        is_lowest=bool(point.promised_decrease(point.spectrum) <= tol * scale) and rounding <= tol,
        full_rank=W.shape[0] < point.objective.n_samples and point.matrix.has_full_rank(),
        rounding=rounding,
    )
