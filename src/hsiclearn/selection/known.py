"""Some rows of a fit, to tell how much of the target of other rows they explain."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._arrays import Array, FloatArray
from ..linalg import in_units_near_one
from ..rows import AbstractRows
from .ridge import SubspaceRidge

__all__ = ["KnownRows", "known_rows"]

_MOST = 1000  # rows kept: a few numbers each


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Rows of a fit in the subspace, and their target: what ``score`` predicts from.

    Attributes
    ----------
    Z : ndarray of shape (m, q)
        Positions, seen from the mean of the rows.
    y : ndarray of shape (m,) or (m, n_outputs)
        Classes as numbers, or columns of a quantity or of 0 and 1.
    groups : ndarray of int, shape (m,), or None
        The number of the group of each, where ``fit`` was told groups: they choose the ridge.
    """

    Z: FloatArray = field(repr=False)
    y: Array = field(repr=False)
    groups: Array | None = field(default=None, repr=False)

    def explained_share(self, Z: FloatArray, y: Array) -> float:
        """``1 - sum |y - predicted|^2 / sum |y - mean y|^2`` over the rows given.

        Predicted by kernel ridge regression on the rows known (see :class:`SubspaceRidge`).
        Classes are one-hot; of several columns each is divided by its standard deviation.
        With one column of a quantity it is R^2.
        """
        known, new = self._comparable(y)
        total = np.square(new - new.mean(axis=0)).sum()
        missed = SubspaceRidge(self.Z, known, self.groups).error(Z, new)
        if total > 0.0:
            return 1.0 - missed / float(total)
        return 1.0 if missed == 0.0 else 0.0  # as scikit-learn's R^2, where nothing varies

    def _comparable(self, y: Array) -> tuple[FloatArray, FloatArray]:
        """The targets known and the new ones as matrices with the same columns."""
        n = self.y.shape[0]
        both = np.concatenate([self.y, y])
        if both.ndim == 1:
            classes, codes = np.unique(both, return_inverse=True)
            both = np.eye(classes.size)[codes]
        else:
            both = in_units_near_one(both)
            spread = both[:n].std(axis=0)
            both = (both - both[:n].mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        return both[:n], both[n:]


def known_rows(
    rows: AbstractRows, W: FloatArray, mean: FloatArray, y: Array, groups: Array | None = None
) -> KnownRows:
    """All rows, or 1000 of them, always the same ones: a fit draws nothing for it."""
    n = rows.n_samples
    index = np.arange(n)
    if n > _MOST:
        index = np.sort(np.random.default_rng(0).choice(n, _MOST, replace=False))
    numbers = None if groups is None else np.unique(groups[index], return_inverse=True)[1]
    return KnownRows(rows.subset(index) @ W - mean @ W, y[index], numbers)
