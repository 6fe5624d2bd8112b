"""Bandwidths from distances: the paper's median, and a grid of multiples of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._arrays import Array
from .._linalg import median_pair_distance
from .._rows import AbstractRows, as_rows
from ..exceptions import DegenerateDataError
from .sample import MOST_ROWS, draw_rows

SCALES = (4.0, 1.5, 0.75, 0.4, 0.2)
"""Multiples, from smooth to fine: the best one differs ten-fold between data sets."""


def median_distance(X: Array | AbstractRows, rng: np.random.Generator) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, on 1000 rows drawn with ``rng`` at most."""
    rows = as_rows(X)
    index = draw_rows(rows.n_samples, MOST_ROWS, rng)
    some = rows.subset(index).isometric() if rows.is_sparse else rows.take(index)
    median = median_pair_distance(some, rng)
    if median == 0.0:
        raise DegenerateDataError(
            "A bandwidth by the median needs more than half of the pairs of rows to differ, but "
            f"their median distance is 0 over {index.size} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median


def bandwidth_grid(
    median: float, n_components: int, n_features: int, scales: Sequence[float] = SCALES
) -> tuple[float, ...]:
    """``s median sqrt(q / d)`` for every scale s, from the largest down.

    The median distance of two rows is that of d columns; in q dimensions they are some
    ``sqrt(q / d)`` of it apart.

    Examples
    --------
    >>> from hsiclearn._selection import bandwidth_grid
    >>> bandwidth_grid(4.0, n_components=1, n_features=4, scales=(1.5, 4.0))
    (8.0, 3.0)
    """
    step = median * float(np.sqrt(n_components / n_features))
    return tuple(s * step for s in sorted(scales, reverse=True))
