"""Some rows of a fit, to tell how much of the target of other rows they explain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import in_units_near_one
from .._rows import AbstractRows
from .ridge import SubspaceRidge

__all__ = ["KnownRows", "known_rows"]

_MOST = 1000  # rows kept: a few numbers each
_BLOCK = 10_000  # rows predicted at a time: 300 features each


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
        known, columns = self._comparable(y)
        ridge = SubspaceRidge(self.Z, known, self.groups)
        n = Z.shape[0]
        parts = [slice(i, i + _BLOCK) for i in range(0, n, _BLOCK)]
        first = columns(slice(1))  # seen from there, so that what does not vary has no variance
        mean = first + sum((columns(part) - first).sum(axis=0) for part in parts) / n
        total = sum(float(np.square(columns(part) - mean).sum()) for part in parts)
        missed = sum(ridge.error(Z[part], columns(part)) for part in parts)
        if total > 0.0:
            return 1.0 - missed / total
        return 1.0 if missed == 0.0 else 0.0  # as scikit-learn's R^2, where nothing varies

    def _comparable(self, y: Array) -> tuple[FloatArray, Callable[[slice], FloatArray]]:
        """The targets known as a matrix, and a function for some of the new ones likewise."""
        if y.ndim == 1:
            classes = np.union1d(self.y, y)

            def one_hot(codes: Array) -> FloatArray:
                return np.equal.outer(codes, classes).astype(np.float64)

            return one_hot(self.y), lambda part: one_hot(y[part])
        n = self.y.shape[0]
        both = in_units_near_one(np.concatenate([self.y, y]))
        spread = both[:n].std(axis=0)
        both = (both - both[:n].mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        return both[:n], lambda part: both[n:][part]


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
