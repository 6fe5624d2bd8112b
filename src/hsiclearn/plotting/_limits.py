"""The range a picture opens on, where a few rows far off would squash all others.

With [a, b] the range of the central 95 % of the values: a whole range of more than 4 (b - a) leaves
them less than a quarter of the picture. It then opens on the rows within [a, b] and its length to
either side, as a box plot does; the rows beyond are drawn at the edge.
"""

from __future__ import annotations

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["clipped", "opening_range", "outside_words"]

_TAILS = (0.025, 0.975)
_SQUASHED = 4.0  # whole range over that of the central 95 %
_FENCE = 1.0  # of that range, to either side: six deviations of a normal sample


def opening_range(values: Array) -> tuple[float, float] | None:
    """Where the picture begins and ends; None where it shows the whole."""
    low, high = float(np.min(values)), float(np.max(values))
    a, b = (float(q) for q in np.quantile(values, _TAILS))
    if not high - low > _SQUASHED * (b - a) or b <= a:
        return None
    fence = _FENCE * (b - a)
    within = np.asarray(values)[(values >= a - fence) & (values <= b + fence)]
    return float(within.min()), float(within.max())


def clipped(Z: FloatArray) -> tuple[FloatArray, int]:
    """Columns with rows beyond their opening range moved to its edge, and how many those are."""
    ranges = [opening_range(z) or (-np.inf, np.inf) for z in Z.T]
    inside = np.clip(Z, *np.array(ranges).T)
    return inside, int(np.count_nonzero(np.any(inside != Z, axis=1)))


def outside_words(n_rows: int) -> str:
    """What is said of rows at the edge."""
    return f"{n_rows:,} row{' lies' if n_rows == 1 else 's lie'} beyond the edge"
