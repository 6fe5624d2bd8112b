"""The bandwidth rule of the paper: the median distance between two rows."""

from __future__ import annotations

import numpy as np

from .._arrays import Array, FloatArray
from ..exceptions import DegenerateDataError
from ..linalg import median_pair_distance
from ..rows import AbstractRows, as_rows

__all__ = ["median_distance"]

_MAX_ROWS = 1000  # all pairs of more rows cost more than a fit does


def median_distance(X: Array | AbstractRows, rng: np.random.Generator) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, on 1000 rows drawn with ``rng`` at most."""
    rows = as_rows(X)
    n = rows.n_samples
    index = np.arange(n) if n <= _MAX_ROWS else np.sort(rng.choice(n, _MAX_ROWS, replace=False))
    some = rows.take(index) if not rows.is_sparse else _isometric(rows.subset(index))
    median = median_pair_distance(some, rng)
    if median == 0.0:
        raise DegenerateDataError(
            "bandwidth='median' needs more than half of the pairs of rows to differ, but their "
            f"median distance is 0 over {index.size} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median


def _isometric(rows: AbstractRows) -> FloatArray:
    """Dense rows with the same distances between them, at most as many columns as rows.

    ``X X' = V diag(l) V'`` has the same inner products as ``V diag(l)^1/2``.
    """
    if rows.n_features <= rows.n_samples:
        return rows.take(np.arange(rows.n_samples))
    values, vectors = np.linalg.eigh(rows.inner_products())
    return vectors * np.sqrt(np.maximum(values, 0.0))
