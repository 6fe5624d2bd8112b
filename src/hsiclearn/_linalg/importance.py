"""The part that each column has in a subspace."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray


def deviations_of(X: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Standard deviations of columns, of rows that have weights or none."""
    if weights is None:
        return np.asarray(X.std(axis=0))
    v = weights / weights.sum()
    return np.sqrt(v @ np.square(X - v @ X))


def column_weights(
    W: FloatArray, Z: FloatArray, deviations: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """``s_j^2 (W S W')_jj``, S the covariance of the projected rows ``Z = XW``.

    ``s_j`` are the standard deviations of the columns; ``weights`` those of rows. A direction
    counts by its variance, and every basis of the same subspace gives the same: W R and Z R with an
    orthogonal R.
    """
    S = np.cov(Z, rowvar=False, bias=True, aweights=weights)
    return _weights(W, np.atleast_2d(S), deviations)


def _weights(W: FloatArray, S: FloatArray, deviations: FloatArray) -> FloatArray:
    parts = np.square(deviations) * np.einsum("jk,kl,jl->j", W, S, W)
    weights: FloatArray = np.maximum(parts, 0.0)
    return weights


def column_importances(W: FloatArray, S: FloatArray, deviations: FloatArray) -> FloatArray:
    """The same over their sum, by S; all 0 where no direction varies."""
    weights = _weights(W, S, deviations)
    total = float(weights.sum())
    return weights / total if total > 0.0 else np.zeros_like(weights)
