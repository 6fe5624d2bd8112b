"""Bandwidths from distances: the paper's median, and the median in the subspace."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import median_pair_distance
from .._result import Result, Status
from .._rows import AbstractRows, as_rows
from ..exceptions import DegenerateDataError

__all__ = ["median_distance", "projected_median"]

_MAX_ROWS = 1000  # all pairs of more rows cost more than a fit does
_MAX_ROUNDS = 10
_SETTLED = 1e-3


def median_distance(X: Array | AbstractRows, rng: np.random.Generator) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, on 1000 rows drawn with ``rng`` at most."""
    rows = as_rows(X)
    index = _some_rows(rows, rng)
    some = rows.subset(index).isometric() if rows.is_sparse else rows.take(index)
    median = median_pair_distance(some, rng)
    if median == 0.0:
        raise DegenerateDataError(
            "A bandwidth by the median needs more than half of the pairs of rows to differ, but "
            f"their median distance is 0 over {index.size} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median


def projected_median(
    X: AbstractRows,
    first: float,
    fit: Callable[[float, FloatArray | None], Result],
    rng: np.random.Generator,
) -> tuple[float, Result]:
    """The median distance of the *projected* rows: fit, measure, and fit again from there.

    Parameters
    ----------
    X : AbstractRows
    first : float
        The bandwidth to begin with.
    fit : callable
        ``fit(bandwidth, W)``; W is the start, None for the first.
    rng : Generator
        Chooses the 1000 rows that are measured, the same ones each time.

    Returns
    -------
    bandwidth, result : float, Result
        After the bandwidth has changed by less than a thousandth, or ten rounds.
    """
    some = X.subset(_some_rows(X, rng))
    bandwidth, result = first, fit(first, None)
    for _ in range(_MAX_ROUNDS):
        median = median_pair_distance(some @ result.W, rng)
        if median == 0.0 or abs(median - bandwidth) <= _SETTLED * bandwidth:
            break
        if result.status is Status.INTERRUPTED:
            break
        bandwidth = median
        result = fit(bandwidth, result.W)
    return bandwidth, result


def _some_rows(rows: AbstractRows, rng: np.random.Generator) -> Array:
    n = rows.n_samples
    return np.arange(n) if n <= _MAX_ROWS else np.sort(rng.choice(n, _MAX_ROWS, replace=False))
