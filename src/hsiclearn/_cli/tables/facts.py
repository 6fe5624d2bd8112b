"""Which rows of a large table show all that a coding is learnt from.

Rows drawn evenly show what is frequent. Beside them stand the first row of each category, those of
the least and the largest value of a column, and the first where a value is missing: so whatever
may be in any row is in some of these, and what is learnt from them holds for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from ..._arrays import Array
from .table import Column, Table, row_counters

_DRAWN = 100_000  # rows
_CELLS = 2**25  # of these rows: 256 MB as numbers
_MOST_TEXTS = 10_000  # of a column, that are all looked for
_FEWEST = 10  # rows, from which on a column can be seen to number them


def most_drawn(n_columns: int) -> int:
    """How many rows are looked at; a table that has no more is read whole."""
    return min(_DRAWN, max(_CELLS // n_columns, 1000))


def draw(n_rows: int, count: int, seed: int) -> Array:
    """Rows in order, one of each of so many equal stretches: periods of the data cannot matter."""
    edges = np.linspace(0, n_rows, count + 1).astype(np.int64)
    return np.random.default_rng(seed).integers(edges[:-1], edges[1:])


@dataclass(frozen=True)
class Seen:
    """Of one column: values and the rows they are in; ``texts`` are None where they are many."""

    low: tuple[Any, int] | None = None
    high: tuple[Any, int] | None = None
    texts: dict[str, int] | None = field(default_factory=dict)
    n_missing: int = 0
    missing: int | None = None

    def __or__(self, other: Seen) -> Seen:
        """Of the rows of both; the other's come later."""
        texts = None if self.texts is None or other.texts is None else other.texts | self.texts
        if texts is not None and len(texts) > _MOST_TEXTS:
            texts = None
        return Seen(
            _better(min, self.low, other.low),
            _better(max, self.high, other.high),
            texts,
            self.n_missing + other.n_missing,
            other.missing if self.missing is None else self.missing,
        )

    @property
    def rows(self) -> list[int]:
        """Those that show all of it."""
        found = [pair[1] for pair in (self.low, self.high) if pair is not None]
        return [
            *found,
            *([] if self.missing is None else [self.missing]),
            *(self.texts or {}).values(),
        ]


def _better(
    choose: Callable[..., Any], a: tuple[Any, int] | None, b: tuple[Any, int] | None
) -> tuple[Any, int] | None:
    pairs = [pair for pair in (a, b) if pair is not None]
    return choose(pairs, key=lambda pair: pair[0]) if pairs else None


@dataclass(frozen=True)
class Facts:
    """Of a table or a part of it: what was seen in each column, and which number the rows.

    ``counters`` is None of a part too short to tell.
    """

    seen: dict[str, Seen]
    counters: frozenset[str] | None = None

    def __or__(self, other: Facts) -> Facts:
        """Of both; the other's rows come later."""
        both = [each for each in (self.counters, other.counters) if each is not None]
        return Facts(
            {name: seen | other.seen[name] for name, seen in self.seen.items()},
            reduce(frozenset.__and__, both) if both else None,
        )

    @property
    def rows(self) -> Array:
        """Those that show all of it, in order."""
        return np.unique([row for seen in self.seen.values() for row in seen.rows]).astype(np.int64)


def counters_of(table: Table) -> frozenset[str] | None:
    """Columns that number the rows of this part."""
    return frozenset(row_counters(table)) if len(table) >= _FEWEST else None


def facts_of(table: Table, places: Array, counters: frozenset[str] | None) -> Facts:
    """Of rows that are at these places of the whole."""
    return Facts({column.name: _seen(column, places) for column in table.columns}, counters)


def _seen(column: Column, places: Array) -> Seen:
    missing = np.flatnonzero(column.missing)
    gap = int(places[missing[0]]) if missing.size else None
    if column.kind == "other" or missing.size == len(column):
        return Seen(n_missing=missing.size, missing=gap)
    if column.is_number:
        low, high = np.nanargmin(column.numbers), np.nanargmax(column.numbers)
        least, most = ((float(column.numbers[i]), int(places[i])) for i in (low, high))
        return Seen(least, most, {}, missing.size, gap)
    codes, first = np.unique(column.codes, return_index=True)
    rows = places[first[codes >= 0]].tolist()
    texts = dict(zip((column.categories[i] for i in codes[codes >= 0]), rows, strict=True))
    ordered = list(texts.items())
    few = texts if len(texts) <= _MOST_TEXTS else None
    return Seen(ordered[0], ordered[-1], few, missing.size, gap)
