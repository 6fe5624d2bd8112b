"""Rows of a fit in the subspace with their target, which ``score`` predicts others from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import add

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column, fold
from .._linalg import deviations_of, units_near_one
from .._paradigms import one_hot
from .._rows import AbstractRows
from .._weights import draw_weighted, total_weight
from .ridge import SubspaceRidge
from .sample import MOST_ROWS, draw_rows

_BLOCK = 10_000  # rows predicted at a time: 300 features each
_DIGITS = 9  # of the largest position: rows that agree in them are in one place


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
    weights : ndarray of shape (m,), or None
        Of the rows, where ``fit`` was given some.
    """

    Z: FloatArray = field(repr=False)
    y: Array = field(repr=False)
    groups: Array | None = field(default=None, repr=False)
    weights: FloatArray | None = field(default=None, repr=False)

    def explained_share(self, Z: Column, y: Column, weights: Column | None = None) -> float:
        """``1 - sum |y - predicted|^2 / sum |y - mean y|^2`` over the rows given, by weight.

        Predicted by kernel ridge regression on the rows known (see :class:`SubspaceRidge`).
        Classes are one-hot; of several columns each is divided by its standard deviation.
        With one column of a quantity it is R^2.
        """
        known, columns = self._comparable(y)
        ridge = SubspaceRidge(self.Z, known, self.groups, among_all=True, weights=self.weights)
        first = columns(y[np.arange(1)])  # seen from there, so that what is constant stays so
        v, n = weights, len(y) if weights is None else total_weight(weights)

        def sums(place: slice, part: Array) -> FloatArray:
            total = np.zeros(first.shape[1])
            for rows, some in _parts(part, place.start):
                Y = columns(some) - first
                total += Y.sum(axis=0) if v is None else v[rows] @ Y
            return total

        mean = first + fold(y, sums, add, "mean") / n

        def squares(place: slice, part: Array) -> FloatArray:
            total = np.zeros(2)
            for rows, some in _parts(part, place.start):
                Y = columns(some)
                if v is None:
                    total += np.square(Y - mean).sum(), ridge.error(Z[rows], Y)
                else:
                    apart = v[rows] @ np.square(Y - mean)
                    total += apart.sum(), v[rows] @ ridge.errors(Z[rows], Y)
            return total

        total, missed = fold(y, squares, add, "score")
        if total > 0.0:
            return float(1.0 - missed / total)
        return 1.0 if missed == 0.0 else 0.0  # as scikit-learn's R^2, where nothing varies

    @property
    def share_of_cells(self) -> float:
        """Share of the weight in rows that look like the cells of a table of counts.

        Such a row stands for more than one, no other has its place and its target, and one has its
        place and another target. Held out with all its weight, it is predicted by the others there,
        none of which is of its class.
        """
        if self.weights is None:
            return 0.0
        scale = np.abs(self.Z).max() or 1.0
        # + 0.0: a zero has no sign
        _, place, n_there = np.unique(
            np.round(self.Z / scale, _DIGITS) + 0.0,
            axis=0,
            return_inverse=True,
            return_counts=True,
        )
        both = np.column_stack([place, self.y])
        _, cell, n_alike = np.unique(both, axis=0, return_inverse=True, return_counts=True)
        is_cell = (n_there[place] > 1) & (n_alike[cell] == 1) & (self.weights > 1.0)
        return float(self.weights[is_cell].sum() / self.weights.sum())

    def _comparable(self, y: Column) -> tuple[FloatArray, Callable[[Array], FloatArray]]:
        """The targets known as a matrix, and a function that makes one of new ones likewise."""
        if y.ndim == 1:
            largest = fold(y, lambda _, part: int(part.max()), max, "largest")
            k = 1 + int(max(self.y.max(), largest))
            return one_hot(self.y, k), lambda some: one_hot(some, k)
        to_units = units_near_one(self.y, y)
        known = to_units(self.y)
        mean, spread = known.mean(axis=0), deviations_of(known, self.weights)
        unit = np.where(spread > 0.0, spread, 1.0)
        return (known - mean) / unit, lambda some: (to_units(some) - mean) / unit


def _parts(values: Array, start: int = 0) -> Iterator[tuple[slice, Array]]:
    """Some rows at a time, with their place."""
    for i in range(0, values.shape[0], _BLOCK):
        some = values[i : i + _BLOCK]
        yield slice(start + i, start + i + some.shape[0]), some


def known_rows(
    rows: AbstractRows,
    W: FloatArray,
    mean: FloatArray,
    y: Column,
    groups: Column | None = None,
    weights: Column | None = None,
) -> KnownRows:
    """All rows, or 1000 of them, always the same ones: a fit draws nothing for it.

    Rows that have weights are drawn by these, so that the heavy ones are among them.
    """
    rng, some = np.random.default_rng(0), None
    if weights is None:
        index = draw_rows(rows.n_samples, MOST_ROWS, rng)
    else:
        index, some = draw_weighted(weights, MOST_ROWS, rng)
    numbers = None if groups is None else np.unique(groups[index], return_inverse=True)[1]
    return KnownRows(rows.subset(index) @ W - mean @ W, y[index], numbers, some)
