"""Which rows to hold out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._arrays import Array

__all__ = ["Split", "folds", "make_splits"]

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
    >>> from hsiclearn.selection import folds
    >>> [held_out.tolist() for _, held_out in folds(4, 2, np.random.default_rng(0), [0, 0, 1, 1])]
    [[0, 2], [1, 3]]
    """
    order = rng.permutation(n_samples)
    if labels is not None:
        order = order[np.argsort(np.asarray(labels)[order], kind="stable")]
    fold = np.empty(n_samples, dtype=int)
    fold[order] = np.arange(n_samples) % n_folds
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]


def make_splits(
    cv: Any, n_samples: int, rng: np.random.Generator, labels: Array | None = None
) -> list[Split]:
    """The splits ``cv`` stands for: a number of folds, a splitter, or the splits themselves."""
    if isinstance(cv, int | np.integer):
        return folds(n_samples, int(cv), rng, labels)
    if hasattr(cv, "split") and not isinstance(cv, str):
        dummy = np.zeros((n_samples, 1))
        pairs: Iterable[Split] = cv.split(dummy, np.zeros(n_samples) if labels is None else labels)
    else:
        pairs = cv
    try:
        splits = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError(
            "`cv` must be a number of folds, a splitter, or pairs of index arrays, of the rows to "
            f"fit on and to hold out. Got {cv!r}."
        ) from error
    if not splits or min(min(a.size, b.size) for a, b in splits) == 0:
        raise ValueError(
            "`cv` must give at least one split, each with rows to fit on and rows to hold out. "
            f"Got {len(splits)} splits of sizes {[(a.size, b.size) for a, b in splits]}."
        )
    largest = max(int(index.max()) for pair in splits for index in pair)
    if largest >= n_samples:
        raise ValueError(
            f"`cv` must hold indices of the {n_samples} rows that a rule looks at (1000 at most). "
            f"Got {largest}. Pass a number of folds or a splitter."
        )
    return splits
