"""Which rows to hold out."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

from .._arrays import Array
from .._paradigms import missing_among, read_labels

__all__ = ["Split", "as_groups", "folds", "make_splits", "shares"]

Split = tuple[Array, Array]
"""Indices of the rows to fit on, and of those held out."""


def folds(
    n_samples: int, n_folds: int, rng: np.random.Generator, labels: Array | None = None
) -> list[Split]:
    """Every row is held out once; with labels every fold has its share of each class.

    Rows are shuffled, sorted by label, and dealt out in turn like cards: a class with fewer rows
    than there are folds is no special case.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn._selection import folds
    >>> [held_out.tolist() for _, held_out in folds(4, 2, np.random.default_rng(0), [0, 0, 1, 1])]
    [[0, 2], [1, 3]]
    """
    order = rng.permutation(n_samples)
    if labels is not None:
        order = order[np.argsort(np.asarray(labels)[order], kind="stable")]
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
    order = rng.permutation(n_samples)
    if labels is not None:
        order = order[np.argsort(np.asarray(labels)[order], kind="stable")]
    grown = np.floor(first * np.arange(n_samples + 1) + 0.5)
    is_first = np.empty(n_samples, dtype=bool)
    is_first[order] = np.diff(grown) > 0
    return np.flatnonzero(is_first), np.flatnonzero(~is_first)


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
    if isinstance(cv, Integral) and groups is not None:
        _check_groups(int(cv), groups)
        cv = GroupKFold(int(cv))
    if isinstance(cv, Integral):
        return folds(n_samples, _checked_count(int(cv), n_samples), rng, labels)
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


def as_groups(groups: Any) -> Array | None:
    """Groups as a vector without gaps whose values can be told apart, or an error; None stays."""
    if groups is None:
        return None
    groups = np.asarray(groups)
    if groups.ndim != 1:
        raise ValueError(
            f"`groups` must have one value per row, a vector. Got shape {groups.shape}."
        )
    missing = int(np.count_nonzero(missing_among(groups)))
    if missing:
        raise ValueError(
            f"`groups` must be known for every row, but {missing} of {groups.size} are missing. "
            "Give rows that belong to no other a group of their own."
        )
    read_labels(groups, "groups")
    return groups


def _check_groups(n_folds: int, groups: Array) -> None:
    count = np.unique(groups).size
    if count < n_folds:
        raise ValueError(
            f"`groups` must have at least as many different values as there are folds, {n_folds}. "
            f"Got {count} among the {groups.size} rows looked at: lower `cv`, or leave them out."
        )


def _checked_count(n_folds: int, n_samples: int) -> int:
    if not 2 <= n_folds <= n_samples:
        raise ValueError(
            f"`cv` as a number of folds must lie in 2 .. {n_samples}, the rows looked at. Got "
            f"{n_folds}."
        )
    return n_folds


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
