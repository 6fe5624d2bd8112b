"""Rows to solve on, of many, with every class that is known among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._arrays import Array
from .._columns import Column, first_rows, rows_where, summed
from .._counts import Counts, draw_counts

_LABELLED = 0.5  # of the sample, at most: the others show where the rows are


def two_samples(
    n_samples: int, labellings: Sequence[Column], most: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """A sample, and another one to see what the first may have missed; disjoint if rows suffice.

    ``labellings`` are codes of all rows, -1 where unknown. Every class of every labelling is among
    the first sample, or it would be lost to the fit. Of partial labels all rows that have one are,
    as long as they take no more than half of it.
    """
    m = min(n_samples, most)
    drawn = rng.choice(n_samples, min(n_samples, 2 * m), replace=False)
    return _with_labelled(drawn, labellings, m, rng)


def two_weighted_samples(
    weights: Column, labellings: Sequence[Column], most: int, rng: np.random.Generator
) -> tuple[tuple[Array, Counts], tuple[Array, Counts]]:
    """The same of rows that count so often: two draws, each with how often its rows count.

    Rows that are there for their label and were not drawn count as the lightest drawn do; some of
    those make room for them. Both samples have the heaviest rows of all.
    """
    first, second = draw_counts(weights, most, rng), draw_counts(weights, most, rng)
    drawn, v = first[0], first[1].column[:, 0]
    if drawn.size < most:  # all there are
        return first, second
    order = rng.permutation(most)
    order = order[np.argsort(v[order] <= v.min(), kind="stable")]
    index, _ = _with_labelled(drawn[order], labellings, most, rng)
    ours = np.full(index.size, v.min())
    ours[np.isin(index, drawn)] = v[np.isin(drawn, index)]
    return (index, Counts(index.size, ours)), second


def _with_labelled(
    drawn: Array, labellings: Sequence[Column], m: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """The first m, and the last, of rows in the order drawn, but those that are labelled first."""
    known = [_known_rows(codes, drawn, int(_LABELLED * m), rng) for codes in labellings]
    one_of_each = [_one_of_each(codes, rows) for codes, rows in zip(labellings, known, strict=True)]
    order = np.concatenate([*one_of_each, *known, drawn])
    order = order[np.sort(np.unique(order, return_index=True)[1])]
    return np.sort(order[:m]), np.sort(order[-m:])


def _known_rows(codes: Column, drawn: Array, most: int, rng: np.random.Generator) -> Array:
    """Rows that are labelled, so many at most, in no order."""
    n_known = int(summed(codes, lambda part: np.count_nonzero(part >= 0)))
    if n_known == len(codes):
        return drawn[:most]
    which = rng.choice(n_known, min(n_known, most), replace=False)
    return rows_where(codes, lambda part: part >= 0, which)


def _one_of_each(codes: Column, known: Array) -> Array:
    """A row of every class: of those known, or else the first there is."""
    of_known = codes[known]
    present, first = np.unique(of_known, return_index=True)
    classes, rows = first_rows(codes)
    return np.concatenate([known[first], rows[~np.isin(classes, present)]])
