"""How many columns: a path of counts, each judged by rows that had no part in finding its set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ..._arrays import Array, FloatArray
from ..._threads import side_by_side
from ...kernels import AbstractKernel
from ..ridge import error_of_sum, held_out_losses, level_margin, responses
from ..sample import Sample, Split
from .sets import MOST_TOGETHER, ColumnSearch, ColumnSet

_RATIO = 1.5  # between counts
_BESIDE = 4  # counts more, near the best


@dataclass(frozen=True)
class CountPath:
    """Losses on rows held out by the number of columns, from all or 500 of them down.

    Attributes
    ----------
    counts : ndarray of int
    held_out : ndarray
        The share of the target left unexplained on rows that a set was found without.
    errors : ndarray
        Standard error of the difference of each to the lowest.
    """

    counts: Array
    held_out: FloatArray
    errors: FloatArray = field(repr=False)

    @classmethod
    def of(cls, losses: Mapping[int, FloatArray]) -> CountPath:
        """From what each row held out adds to the loss of each count."""
        counts = sorted(losses, reverse=True)
        each = np.array([losses[k] for k in counts])
        held_out = each.sum(axis=1)
        beside = each - each[int(np.argmin(held_out))]
        return cls(np.array(counts), held_out, error_of_sum(beside))

    @property
    def best(self) -> int:
        """The place of the smallest count that is level with the lowest loss.

        Level is within two per cent of it, or within half a standard error of the difference.
        """
        lowest = float(self.held_out.min())
        level = self.held_out - lowest <= level_margin(lowest, self.errors)
        return int(np.flatnonzero(level)[np.argmin(self.counts[level])])

    @property
    def chosen(self) -> int:
        """That count."""
        return int(self.counts[self.best])


def largest_count(d: int) -> int:
    """All of d columns, or as many of them as are looked at together."""
    return min(d, MOST_TOGETHER)


def counts_between(d: int, q: int) -> list[int]:
    """``m, m / 1.5, m / 1.5^2 ... q``, as whole numbers, each once; m the largest of d columns."""
    found = [largest_count(d)]
    count = float(found[0])
    while found[-1] > q:
        count /= _RATIO
        found.append(max(q, min(found[-1] - 1, round(count))))
    return found


def searches(
    sample: Sample,
    splits: Sequence[Split],
    q: int,
    kernels: Sequence[AbstractKernel],
    groups: Array | None,
) -> list[ColumnSearch]:
    """One for each split, on the rows that it fits on."""
    return [
        ColumnSearch(
            sample.X[i],
            sample.gamma.centered_on(i),
            q,
            kernels,
            None if groups is None else groups[i],
        )
        for i, _ in splits
    ]


def sets_along(search: ColumnSearch, counts: Sequence[int]) -> list[ColumnSet]:
    """A set for each count, from the largest down, each begun from the one before as well."""
    found: list[ColumnSet] = []
    for k in counts:
        found.append(search.quickly(k, found[-1:]))
    return found


def counts_beside(path: CountPath) -> list[int]:
    """A few counts more, between the neighbours of the one chosen."""
    at, counts = path.best, path.counts
    high, low = counts[max(at - 1, 0)], counts[min(at + 1, counts.size - 1)]
    between = np.setdiff1d(np.arange(low, high + 1), counts)[::-1]
    places = np.linspace(0, between.size - 1, min(_BESIDE, between.size)).round().astype(int)
    return [int(k) for k in between[np.unique(places)]]


def path_of_counts(
    sample: Sample, splits: Sequence[Split], parts: Sequence[ColumnSearch], counts: Sequence[int]
) -> CountPath:
    """Every split finds its own sets without the rows it holds out, which then judge them.

    Afterwards a few more counts near the one that seems best.
    """
    losses, _ = losses_along(sample, splits, parts, counts)
    if more := counts_beside(CountPath.of(losses)):
        losses |= losses_along(sample, splits, parts, more)[0]
    return CountPath.of(losses)


def losses_along(
    sample: Sample, splits: Sequence[Split], parts: Sequence[ColumnSearch], counts: Sequence[int]
) -> tuple[dict[int, FloatArray], list[list[ColumnSet]]]:
    """What each row held out adds to the loss of each count; and for each split its sets."""
    searched = [partial(sets_along, part, counts) for part in parts]
    along = side_by_side(searched, parts[0].X.shape[0])
    Y, v = responses(sample.gamma), sample.gamma.row_weights
    weights = None if v is None else [(v[train], v[test]) for train, test in splits]
    groups = None if parts[0].groups is None else [part.groups for part in parts]
    losses = {}
    for place, count in enumerate(counts):
        rows = []
        for sets, (train, test) in zip(along, splits, strict=True):
            Z = sample.X[:, sets[place].columns] @ sets[place].W
            rows.append((Z[train], Y[train], Z[test], Y[test]))
        losses[count] = held_out_losses(rows, groups, weights)
    return losses, along
