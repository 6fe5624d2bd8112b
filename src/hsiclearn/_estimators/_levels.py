r"""Clusters that are only the levels of discrete columns.

A column of few different values falls into as many clumps, which is the best cut a graph can have:
a search that may choose directions finds the column that numbers the years. That is no discovery.
It is said where all of this holds:

- the columns that move the projected rows most, ``|W_j| sd_j``, and have few values, tell the
  cluster of almost every row: majority of each level, adjusted Rand index 0.9 at least;
- with these left out of ``X W`` the clusters are not to be seen: the nearest of their centres
  finds less than half of them again;
- other columns are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .._alternation import rand_index
from .._arrays import Array, FloatArray
from .._counts import Counts
from .._result import Levels

_MOST_LEVELS = 12  # months
_FEWEST_ROWS = 5  # of a level, on average
_MOST_COLUMNS = 4  # that together tell the cluster
_LOOKED_AT = 20  # columns, the heaviest first
_ALMOST_ALL = 0.9
_TO_BE_SEEN = 0.5


def levels_behind(
    X: FloatArray,
    labels: Array,
    W: FloatArray,
    names: Sequence[str] | None = None,
    counts: Counts | None = None,
) -> Levels | None:
    """The discrete columns that alone make these clusters, or None; ``names`` are of columns.

    Rows are as many as they count.
    """
    counts = counts or Counts(labels.size)
    weight = np.linalg.norm(W, axis=1) * np.sqrt(counts.variances(X))
    heaviest = np.argsort(-weight, kind="stable")[:_LOOKED_AT]
    codes = {int(j): code for j in heaviest if (code := _levels(X[:, j], counts)) is not None}
    joint, chosen = np.zeros(labels.size, dtype=np.intp), []
    for j in list(codes)[:_MOST_COLUMNS]:
        joint = np.unique(joint * _MOST_LEVELS + codes[j], return_inverse=True)[1].ravel()
        chosen.append(j)
        if joint.max() >= _MOST_LEVELS:
            return None
        score = rand_index(labels, _majority(joint, labels, counts)[joint], counts)
        if score >= _ALMOST_ALL:
            columns = sorted({*chosen, *_functions_of(joint, codes)})
            is_all = np.count_nonzero(X.std(axis=0) > 0.0) <= len(columns)
            if is_all or _shows_without(columns, X, labels, W, weight, counts):
                return None
            named = tuple(f"column {j}" if names is None else str(names[j]) for j in columns)
            return Levels(tuple(columns), named, int(joint.max()) + 1, score)
    return None


def _levels(column: FloatArray, counts: Counts) -> Array | None:
    """The level of each row; None where there are too many, or one only."""
    values, codes = np.unique(column, return_inverse=True)
    most = min(_MOST_LEVELS, counts.whole // _FEWEST_ROWS)
    return codes if 2 <= values.size <= most else None


def _majority(levels: Array, labels: Array, counts: Counts) -> Array:
    """The label that most rows of each level have."""
    table = np.zeros((int(levels.max()) + 1, int(labels.max()) + 1))
    np.add.at(table, (levels, labels), counts.column[:, 0])
    return table.argmax(axis=1)


def _functions_of(levels: Array, codes: dict[int, Array]) -> Iterable[int]:
    """Columns that say the same again, as the last indicator of a category does."""
    first = np.unique(levels, return_index=True)[1]
    return (j for j, code in codes.items() if np.array_equal(code[first][levels], code))


def _shows_without(
    columns: Sequence[int],
    X: FloatArray,
    labels: Array,
    W: FloatArray,
    weight: FloatArray,
    counts: Counts,
) -> bool:
    """Whether the clusters are still to be seen without these columns."""
    rest = np.setdiff1d(np.flatnonzero(weight > 0.0), columns)
    if rest.size == 0:
        return False
    Z = X[:, rest] @ W[rest]
    clusters = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    centres = np.stack([counts.take(ours).mean(Z[ours]) for ours in clusters])
    distance = np.sum(centres**2, axis=1) - 2.0 * Z @ centres.T
    return rand_index(labels, distance.argmin(axis=1), counts) >= _TO_BE_SEEN
