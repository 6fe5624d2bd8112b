"""What a clustering is given: rows, what is known of them, and how often each counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, as_values, fold, mapped
from .._counts import Counts
from .._rows import AbstractRows
from .._weights import as_weights, positive_rows, total_weight, worth

_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Rows that count, each ``weights`` times, or once where that is None.

    Weights of which the sum is below :func:`.._weights.worth` are shares, no counts: they come
    scaled to that sum.

    ``kept`` says which rows of ``everything`` they are, where some have weight 0.
    """

    X: Any
    y: Any = None
    weights: Column | None = None
    kept: Array | None = None
    everything: Any = None

    @classmethod
    def of(cls, X: Any, y: Any, weights: Column | None) -> Self:
        """Without the rows of weight 0: what is not there has no part in anything."""
        kept = positive_rows(weights)
        if weights is None or kept is None:
            _check_all_count(weights)
            return cls(X, y, _as_counts(weights))
        if y is not None:
            y, n = as_values(y), X.shape[0]
            if y.shape[:1] != (n,):
                raise ValueError(f"y must have one entry per row of X, {n}. Got shape {y.shape}.")
            y = y[kept]
        ours = _as_counts(as_weights(weights[kept], kept.size))
        return cls(_rows(X, kept), y, ours, kept, X)

    @property
    def counts(self) -> Counts | None:
        """How often rows count that are here; None of those elsewhere."""
        is_elsewhere = isinstance(self.weights, AbstractColumn)
        return None if is_elsewhere else Counts(self.X.shape[0], self.weights)

    @property
    def left_out(self) -> Any:
        """The rows of weight 0."""
        return _rows(self.everything, self._others)

    def with_left_out(self, ours: Array, theirs: Array) -> Array:
        """One entry for every row, in the order these were given in."""
        both = np.concatenate([ours, theirs])
        assert self.kept is not None
        return both[np.argsort(np.concatenate([self.kept, self._others]))]

    @property
    def _others(self) -> Array:
        assert self.kept is not None
        return np.setdiff1d(np.arange(self.everything.shape[0]), self.kept)


def _rows(X: Any, index: Array) -> Any:
    return X.subset(index) if isinstance(X, AbstractRows) else X[index]


def _as_counts(weights: Column | None) -> Column | None:
    """Shares scaled to as many rows as they are worth; equal ones are none."""
    if weights is None or not (scale := worth(weights) / total_weight(weights)) > 1.0:
        return weights
    counts = mapped(weights, lambda v: scale * v)
    farthest = fold(counts, lambda _, v: float(np.abs(v - 1.0).max()), max, "weights")
    return counts if farthest > _EQUAL else None


def _check_all_count(weights: Column | None) -> None:
    """Raise where rows that are elsewhere have weight 0: they stay where they are."""
    if not isinstance(weights, AbstractColumn):
        return

    def zeros(_: slice, v: FloatArray) -> int:
        return int(np.count_nonzero(v == 0.0))

    if n := fold(weights, zeros, lambda a, b: a + b, "weights"):
        raise ValueError(
            "Rows of Dask that do not count are not left out of a clustering: `sample_weight` must "
            f"be positive. Got {n} weights of 0: select the other rows of X first."
        )
