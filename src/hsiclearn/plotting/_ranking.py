"""Which features to show, and in which order: those with the largest share in a direction."""

from __future__ import annotations

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["largest_features", "largest_shares"]


def largest_shares(loadings: FloatArray) -> FloatArray:
    """The largest share, ``w_j^2 / sum_j w_j^2``, that each feature has in any direction."""
    squares = np.square(loadings)
    total = squares.sum(axis=1, keepdims=True)
    return (squares / np.where(total > 0.0, total, 1.0)).max(axis=0)


def largest_features(loadings: FloatArray, max_features: int | None) -> Array:
    """Numbers of the features to show, by falling share; ties stay in order."""
    return np.argsort(-largest_shares(loadings), kind="stable")[:max_features]
