"""The rows a rule looks at: which of them all, and which of these it holds out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from operator import eq
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import (
    AbstractColumn,
    Column,
    as_values,
    count_codes,
    rows_where,
    summed,
)
from .._devices import here
from .._linalg import IDENTITY, Basis, completed, orthonormal_basis
from .._paradigms import missing_among, read_labels
from .._rows import AbstractRows
from ..gamma import AbstractGamma

Split = tuple[Array, Array]
"""Indices of the rows to fit on, and of those held out."""

MOST_ROWS = 1000
"""That are looked at: all pairs of more rows cost more than a fit does."""

_VANISHING = 1e-12  # of the largest: an eigenvalue that is rounding
_ENOUGH = 30  # rows of a class, to see what sets it apart


@dataclass(frozen=True, eq=False)
class Views:
    """Rows in all columns, and which columns were chosen: on all rows, and without rows held out.

    ``whole`` and ``parts``, one for each split, lead from those to the columns of X.
    """

    X: FloatArray
    whole: Basis
    parts: tuple[Basis, ...]

    def seen_by(self, number: int) -> FloatArray:
        """The rows as a split sees them."""
        found: FloatArray = np.ascontiguousarray(self.parts[number].lower(self.X))
        return found

    def lower(self, number: int, W: FloatArray) -> FloatArray:
        """Directions of the columns chosen on all rows in those that a split chose.

        Where these have no part in some, others take their place.
        """
        return completed(self.parts[number].coordinates(self.whole.lift(W)))

    def then(self, whole: Basis, parts: Sequence[Basis]) -> Views:
        """The same in further coordinates, which may be others for every split."""
        both = zip(self.parts, parts, strict=True)
        return Views(self.X, self.whole.then(whole), tuple(one.then(more) for one, more in both))


@dataclass(frozen=True)
class Sample:
    """A dense table of some rows and what belongs to them.

    Where there are more columns than rows, the table is in coordinates of the space the rows span:
    distances and inner products are the same. :meth:`lift` leads back.
    """

    X: FloatArray
    gamma: AbstractGamma
    labels: Array | None
    basis: Basis = IDENTITY
    index: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    """The number of each row in the table it was drawn from."""
    views: Views | None = None
    """What each split sees of the rows, where columns were chosen without those it holds out."""

    def seen_by(self, number: int) -> FloatArray:
        """The rows in the columns that a split has."""
        return self.X if self.views is None else self.views.seen_by(number)

    def init_for(self, number: int, init: FloatArray | None) -> FloatArray | None:
        """A start in those columns."""
        return init if init is None or self.views is None else self.views.lower(number, init)

    @property
    def all_columns(self) -> FloatArray:
        """The rows in all columns, chosen or not."""
        return self.X if self.views is None else self.views.X

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    def lift(self, W: FloatArray) -> FloatArray:
        """A subspace found in the table, in the columns of the data."""
        return W if self.basis.is_identity else orthonormal_basis(self.basis.lift(W))

    def lower(self, W: FloatArray) -> FloatArray:
        """The other way: the nearest subspace of the table to one of the data's columns."""
        return W if self.basis.is_identity else orthonormal_basis(self.basis.coordinates(W))


def draw_rows(n_samples: int, most: int, rng: np.random.Generator) -> Array:
    """The numbers of all rows, or of ``most`` of them drawn with ``rng``, ascending."""
    if n_samples <= most:
        return np.arange(n_samples)
    return np.sort(rng.choice(n_samples, most, replace=False))


def draw_counted(
    n_samples: int, most: int, rng: np.random.Generator, weights: Column | None
) -> Array:
    """The same without those that have no weight; the others keep theirs, whatever it is."""
    index = draw_rows(n_samples, most, rng)
    return index if weights is None else index[weights[index] > 0.0]


def draw_sample(
    rows: AbstractRows,
    gamma: AbstractGamma,
    max_rows: int,
    rng: np.random.Generator,
    labels: Column | None = None,
    *,
    centered: bool = True,
    keep_columns: bool = False,
) -> Sample:
    """All rows, or ``max_rows`` of them drawn with ``rng``.

    Centred unless told otherwise: kernels of differences do not notice, and keep their digits
    where the rows are far from 0. ``keep_columns``: as they are, also if they are more than rows.
    """
    index = draw_index(rows.n_samples, max_rows, rng, labels)
    return sample_of(rows, gamma, index, labels, centered=centered, keep_columns=keep_columns)


def draw_index(
    n_samples: int, max_rows: int, rng: np.random.Generator, labels: Column | None = None
) -> Array:
    """The numbers of the rows looked at, with some of every class."""
    index = draw_rows(n_samples, max_rows, rng)
    if labels is None or index.size == n_samples:
        return index
    return _with_rare_classes(index, labels, max_rows, rng)


def sample_of(
    rows: AbstractRows,
    gamma: AbstractGamma,
    index: Array,
    labels: Column | None = None,
    *,
    centered: bool = True,
    keep_columns: bool = False,
) -> Sample:
    """These rows; ``labels`` are those of all."""
    labels = None if labels is None else labels[index]
    part = gamma.centered_on(index)
    if keep_columns or rows.n_features <= index.size:
        X = rows.take(index)
        return Sample(X - X.mean(axis=0) if centered else X, part, labels, index=index)
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
    return Sample(vectors[:, keep] * root, part, labels, Basis.of_rows(few, C), index)


def _with_rare_classes(
    index: Array, labels: Column, max_rows: int, rng: np.random.Generator
) -> Array:
    """With some rows more of classes that were hardly drawn: 30 of each, if there are as many.

    Where there are so many classes that this would be most of the sample, only as many as it takes
    for two classes to be there.
    """
    counts = count_codes(labels)
    drawn = np.bincount(labels[index], minlength=counts.size)
    enough = np.minimum(counts, min(_ENOUGH, max_rows // (2 * counts.size)))
    if np.count_nonzero(np.maximum(drawn, enough)) < 2:
        enough[np.flatnonzero((counts > 0) & (drawn == 0))[:1]] = 1
    for c in np.flatnonzero(drawn < enough):
        n_others, missing = counts[c] - drawn[c], enough[c] - drawn[c]
        which = rng.choice(n_others, missing, replace=False)
        index = np.union1d(index, rows_where(labels, partial(eq, c), which, index))
    return index


def folds(
    n_samples: int, n_folds: int, rng: np.random.Generator, labels: Array | None = None
) -> list[Split]:
    """Every row is held out once; with labels every fold has its share of each class.

    Rows are shuffled, sorted by label, and dealt out in turn like cards: a class with fewer rows
    than there are folds is no special case.
    """
    order = _shuffled(n_samples, rng, labels)
    fold = np.empty(n_samples, dtype=int)
    fold[order] = np.arange(n_samples) % n_folds
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]


def shares(
    n_samples: int, first: float, rng: np.random.Generator, labels: Array | None = None
) -> Split:
    """The rows in two parts, ``first`` the share of the one; with labels, of each class as well.

    Dealt out like :func:`folds`: row k of a shuffled class goes to the first part whenever its
    share of k rows has grown by one.
    """
    order = _shuffled(n_samples, rng, labels)
    grown = np.floor(first * np.arange(n_samples + 1) + 0.5)
    is_first = np.empty(n_samples, dtype=bool)
    is_first[order] = np.diff(grown) > 0
    return np.flatnonzero(is_first), np.flatnonzero(~is_first)


def _shuffled(n_samples: int, rng: np.random.Generator, labels: Array | None) -> Array:
    """The rows in random order, class by class where there are any."""
    order = rng.permutation(n_samples)
    return order if labels is None else order[np.argsort(np.asarray(labels)[order], kind="stable")]


def make_splits(
    cv: Any,
    n_samples: int,
    rng: np.random.Generator,
    labels: Array | None = None,
    *,
    n_rows: int | None = None,
    groups: Array | None = None,
) -> list[Split]:
    """The splits ``cv`` stands for: a number of folds, a splitter, or the splits themselves.

    ``n_samples`` rows are looked at; ``n_rows`` is how many there are, where those are a sample.
    Rows of the same group stay together, held out or not: in a number of folds as scikit-learn's
    ``GroupKFold`` deals them out, in a splitter as it sees fit.
    """
    if isinstance(cv, Integral):
        _check_count(int(cv), n_samples, groups)
        if groups is None:
            return folds(n_samples, int(cv), rng, labels)
        from sklearn.model_selection import GroupKFold  # slow to load, and few fits have groups

        cv = GroupKFold(int(cv))
    if hasattr(cv, "split") and not isinstance(cv, str):
        dummy = np.zeros((n_samples, 1))
        pairs = list(cv.split(dummy, np.zeros(n_samples) if labels is None else labels, groups))
    else:
        if groups is not None:
            raise ValueError(
                "`groups` are for a number of folds or a splitter, but `cv` has the splits "
                "themselves. Leave one of them out."
            )
        if n_rows is not None and n_samples < n_rows:
            raise ValueError(
                "Indices in `cv` must be of rows that are looked at, but of "
                f"{n_rows} rows only {n_samples} are. Pass a number of folds or a splitter."
            )
        pairs = cv
    return _checked_pairs(pairs, cv, n_samples)


def pairs_among(cv: Any, kept: Array, n_samples: int) -> Any:
    """Splits that are given as pairs of indices, under the numbers of the rows that are kept.

    Any other ``cv`` is as it was: it splits those rows alone.
    """
    if isinstance(cv, Integral) or (hasattr(cv, "split") and not isinstance(cv, str)):
        return cv
    number = np.full(n_samples, -1)
    number[kept] = np.arange(kept.size)
    both = ((number[train], number[test]) for train, test in _checked_pairs(cv, cv, n_samples))
    return [(train[train >= 0], test[test >= 0]) for train, test in both]


def as_groups(groups: Any) -> Column | None:
    """Groups as a vector without gaps whose values can be told apart, or an error; None stays."""
    if groups is None:
        return None
    groups = as_values(here(groups))
    if groups.ndim != 1:
        raise ValueError(
            f"`groups` must have one value per row, a vector. Got shape {groups.shape}."
        )
    missing = int(summed(groups, lambda part: np.count_nonzero(missing_among(part)), "check"))
    if missing:
        raise ValueError(
            f"`groups` must be known for every row, but {missing} of {groups.size} are missing. "
            "Give rows that belong to no other a group of their own."
        )
    if not isinstance(groups, AbstractColumn):  # else those of a sample are compared when drawn
        read_labels(groups, "groups")
    return groups


def _check_count(n_folds: int, n_samples: int, groups: Array | None) -> None:
    count = n_samples if groups is None else np.unique(groups).size
    if groups is not None and count < n_folds:
        raise ValueError(
            f"`groups` must have at least as many different values as there are folds, {n_folds}. "
            f"Got {count} among the {n_samples} rows looked at: lower `cv`, or leave them out."
        )
    if not 2 <= n_folds <= count:
        raise ValueError(
            f"`cv` as a number of folds must lie in 2 .. {n_samples}, the rows looked at. Got "
            f"{n_folds}."
        )


def _checked_pairs(pairs: Any, cv: Any, n_samples: int) -> list[Split]:
    try:
        splits = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
        flat = [index for pair in splits for index in pair]
        if any(i.ndim != 1 or (i.size and i.dtype.kind not in "iu") for i in flat):
            raise TypeError
    except (TypeError, ValueError) as error:
        raise ValueError(
            "`cv` must be a number of folds, a splitter, or a list of pairs of index arrays, of "
            f"the rows to fit on and to hold out. Got {cv!r}."
        ) from error
    if not splits or min(min(a.size, b.size) for a, b in splits) == 0:
        raise ValueError(
            "`cv` must give at least one split, each with rows to fit on and rows to hold out. "
            f"Got {len(splits)} splits of sizes {[(a.size, b.size) for a, b in splits]}."
        )
    largest = max(int(index.max()) for index in flat)
    if largest >= n_samples:
        raise ValueError(
            f"`cv` must hold indices of the {n_samples} rows that are looked at. Got {largest}. "
            "Pass a number of folds or a splitter."
        )
    return splits
