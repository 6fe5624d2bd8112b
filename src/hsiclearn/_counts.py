r"""How often each row counts, in the one place where sums over rows ask for it.

With weights v a sum over the table in which row i stands v_i times is ``sum_i v_i a_i``, and one
over its pairs of *different* rows::

    sum_{ij} v_i v_j a_ij - sum_i v_i min(v_i, 1) a_ii

since the v_i copies of a row are v_i (v_i - 1) such pairs. A row of weight below one has no copy,
hence no pair with itself. Without weights everything is the plain sum, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._arrays import Array, FloatArray
from ._columns import Column
from ._weights import draw_weighted, total_weight


@dataclass(frozen=True, eq=False)
class Counts:
    """Of ``n`` rows; ``v`` is None where every row counts once."""

    n: int
    v: FloatArray | None = None

    @property
    def total(self) -> float:
        """V, the number of rows of the repeated table."""
        return self.n if self.v is None else float(self.v.sum())

    @property
    def whole(self) -> int:
        """The same as a whole number, where rules of thumb count rows."""
        return int(self.total * (1.0 + 1e-12))

    @property
    def root(self) -> FloatArray | float:
        """``sqrt(v)``: 1 where there are no weights."""
        return 1.0 if self.v is None else np.sqrt(self.v)

    @property
    def own(self) -> FloatArray | float:
        """``min(v_i, 1)``: what of a row's sum over all rows is no other row."""
        return 1.0 if self.v is None else np.minimum(self.v, 1.0)

    @property
    def column(self) -> FloatArray:
        """``v`` as a column."""
        return np.ones((self.n, 1)) if self.v is None else self.v[:, None]

    def take(self, index: Array) -> Counts:
        """Of chosen rows."""
        return Counts(len(index), None if self.v is None else self.v[index])

    def times(self, A: FloatArray) -> FloatArray:
        """``diag(v) A``."""
        return A if self.v is None else _along(self.v, A)

    def scaled(self, A: FloatArray) -> FloatArray:
        """``diag(v)^1/2 A``."""
        return A if self.v is None else _along(np.sqrt(self.v), A)

    def deflated(self, Y: FloatArray) -> FloatArray:
        """``diag(v) H diag(v)^-1/2 Y``, H less the mean; nothing is divided by a small weight."""
        if self.v is None:
            return Y - Y.mean(axis=0)
        root = np.sqrt(self.v)
        return _along(root, Y) - self.column * (root @ Y / self.v.sum())

    def mean(self, A: FloatArray) -> FloatArray:
        """Of the rows of the repeated table."""
        return A.mean(axis=0) if self.v is None else self.v @ A / self.v.sum()

    def variances(self, A: FloatArray) -> FloatArray:
        """Of the columns."""
        return A.var(axis=0) if self.v is None else self.mean(np.square(A - self.mean(A)))

    def of_own(self, A: FloatArray) -> float:
        """``sum_i v_i min(v_i, 1) |a_i|^2``, which is of pairs of a row with itself."""
        own = A if self.v is None else _along(self.v * self.own, A)
        return float(np.vdot(A, own))

    def per_label(self, codes: Array, n_labels: int) -> Array:
        """How many rows each label has."""
        return np.bincount(codes, self.v, minlength=n_labels)

    def draw(self, most: int, rng: np.random.Generator) -> tuple[Array, Counts]:
        """So many rows at most, ascending, drawn by their weights; and how often these count."""
        if self.v is None:
            index = np.sort(rng.permutation(self.n)[:most])
            return index, Counts(index.size)
        return draw_counts(self.v, most, rng)


def draw_counts(weights: Column, most: int, rng: np.random.Generator) -> tuple[Array, Counts]:
    """All rows that count, or ``most`` of them drawn by weight; and how often these count.

    All keep their weights. Those drawn count for the others as well, and together as so many rows
    as a draw from the repeated table would have: ``most``, or V if that is less.
    """
    index, v = draw_weighted(weights, most, rng)
    if index.size < most or index.size == len(weights):
        return index, Counts(index.size, v)
    return index, Counts(index.size, v * (min(total_weight(weights), most) / v.sum()))


def _along(factor: FloatArray, A: FloatArray) -> FloatArray:
    """Each row by its own factor."""
    return factor.reshape(-1, *[1] * (A.ndim - 1)) * A
