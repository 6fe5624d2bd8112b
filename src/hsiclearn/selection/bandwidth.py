"""The bandwidth rule of the paper: the median distance between two rows."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from .._arrays import FloatArray
from ..exceptions import DegenerateDataError

__all__ = ["median_distance"]

_EXACT_UP_TO = 1000  # rows; all distances beyond cost more than the fit itself


def median_distance(X: FloatArray, rng: np.random.Generator) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j.

    Exact up to 1000 rows; above, on 1000 rows drawn with ``rng``.
    """
    n = X.shape[0]
    if n > _EXACT_UP_TO:
        X = X[np.sort(rng.choice(n, _EXACT_UP_TO, replace=False))]
    squares = pdist(X, "sqeuclidean")
    middle = squares.size // 2
    ranks = [middle] if squares.size % 2 else [middle - 1, middle]
    squares.partition(ranks)
    median = float(np.mean(np.sqrt(squares[ranks])))
    if median == 0.0:
        raise DegenerateDataError(
            "bandwidth='median' needs more than half of the pairs of rows to differ, but their "
            f"median distance is 0 over {X.shape[0]} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median
