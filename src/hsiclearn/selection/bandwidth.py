"""The bandwidth rule of the paper: the median distance between two rows."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..exceptions import DegenerateDataError
from ..linalg import median_pair_distance

__all__ = ["median_distance"]


def median_distance(X: FloatArray, rng: np.random.Generator) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, on 1000 rows drawn with ``rng`` at most."""
    median = median_pair_distance(X, rng)
    if median == 0.0:
        raise DegenerateDataError(
            "bandwidth='median' needs more than half of the pairs of rows to differ, but their "
            f"median distance is 0 over {X.shape[0]} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median
