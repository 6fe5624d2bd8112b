"""The rows a rule looks at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import orthonormal_basis
from .._rows import AbstractRows
from ..gamma import AbstractGamma

__all__ = ["Sample", "draw_sample"]

_VANISHING = 1e-12  # of the largest: an eigenvalue that is rounding
_ENOUGH = 30  # rows of a class, to see what sets it apart


@dataclass(frozen=True)
class Sample:
    """A dense table of some rows and what belongs to them.

    Where there are more columns than rows, the table is in coordinates of the space the rows span:
    distances and inner products are the same. :meth:`lift` leads back.
    """

    X: FloatArray
    gamma: AbstractGamma
    labels: Array | None
    n_features: int
    spanning: tuple[AbstractRows, FloatArray] | None = None
    """Rows R and C with ``R' C`` orthonormal, the basis that X is in; None: the columns."""
    index: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    """The number of each row in the table it was drawn from."""

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    def lift(self, W: FloatArray) -> FloatArray:
        """A subspace found in the table, in the columns of the data."""
        if self.spanning is None:
            return W
        rows, C = self.spanning
        return orthonormal_basis(rows.transpose_times(C @ W))

    def lower(self, W: FloatArray) -> FloatArray:
        """The other way: the nearest subspace of the table to one of the data's columns."""
        if self.spanning is None:
            return W
        rows, C = self.spanning
        return orthonormal_basis(C.T @ (rows @ W))


def draw_sample(
    rows: AbstractRows,
    gamma: AbstractGamma,
    max_rows: int,
    rng: np.random.Generator,
    labels: Array | None = None,
    *,
    centered: bool = True,
) -> Sample:
    """All rows, or ``max_rows`` of them drawn with ``rng``.

    Centred unless told otherwise: kernels of differences do not notice, and keep their digits
    where the rows are far from 0.
    """
    n, d = rows.shape
    index = np.arange(n) if n <= max_rows else np.sort(rng.choice(n, max_rows, replace=False))
    if labels is not None:
        labels = np.asarray(labels)
        if index.size < n:
            index = _with_rare_classes(index, labels, max_rows, rng)
        labels = labels[index]
    part = gamma.centered_on(index)
    if d <= index.size:
        X = rows.take(index)
        return Sample(X - X.mean(axis=0) if centered else X, part, labels, d, index=index)
    few = rows.subset(index)
    if centered:
        few = few.from_mean()  # first of all: X X' of rows far from 0 has no digits to spare
    G = few.inner_products()
    mean = G.mean(axis=0)
    values, vectors = np.linalg.eigh(G - mean - mean[:, None] + mean.mean() if centered else G)
    keep = values > _VANISHING * float(np.abs(G).max())  # G: what was subtracted left its rounding
    root = np.sqrt(values[keep])
    C = vectors[:, keep] / root
    if centered:
        C -= C.mean(axis=0)  # so that sparse rows need not be
    # The right singular vectors are R'V/root: d numbers for each of them, so never written out.
    return Sample(vectors[:, keep] * root, part, labels, d, (few, C), index)


def _with_rare_classes(
    index: Array, labels: Array, max_rows: int, rng: np.random.Generator
) -> Array:
    """With some rows more of classes that were hardly drawn: 30 of each, if there are as many.

    Where there are so many classes that this would be most of the sample, only as many as it takes
    for two classes to be there.
    """
    counts = np.bincount(labels)
    drawn = np.bincount(labels[index], minlength=counts.size)
    enough = np.minimum(counts, min(_ENOUGH, max_rows // (2 * counts.size)))
    if np.count_nonzero(np.maximum(drawn, enough)) < 2:
        enough[np.flatnonzero((counts > 0) & (drawn == 0))[:1]] = 1
    for c in np.flatnonzero(drawn < enough):
        rest = np.setdiff1d(np.flatnonzero(labels == c), index)
        index = np.union1d(index, rng.choice(rest, enough[c] - drawn[c], replace=False))
    return index
