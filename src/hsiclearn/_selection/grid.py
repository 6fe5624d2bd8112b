"""Bandwidths worth trying: how far apart the rows are, in as many dimensions as are kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["SCALES", "bandwidth_grid"]

SCALES = (4.0, 1.5, 0.75, 0.4, 0.2)
"""Multiples, from smooth to fine: the best one differs ten-fold between data sets."""


def bandwidth_grid(
    median: float, n_components: int, n_features: int, scales: Sequence[float] = SCALES
) -> tuple[float, ...]:
    """``s median sqrt(q / d)`` for every scale s, from the largest down.

    The median distance of two rows is that of d columns; in q dimensions they are some
    ``sqrt(q / d)`` of it apart.

    Parameters
    ----------
    median : float
        Median distance of two rows, all columns included.
    n_components, n_features : int
        The dimension q of the subspace and d of the rows.
    scales : sequence of float
        The multiples s.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> from hsiclearn._selection import bandwidth_grid
    >>> bandwidth_grid(4.0, n_components=1, n_features=4, scales=(1.5, 4.0))
    (8.0, 3.0)
    """
    step = median * float(np.sqrt(n_components / n_features))
    return tuple(s * step for s in sorted(scales, reverse=True))
