"""Values beside the rows of a table: an array, or a handle to what is elsewhere, chunk by chunk.

What is made of a target is written against the few things both can do: rows by slice in a task
that runs where they are, chosen rows by index from anywhere, and a sum over all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ._arrays import Array

A = TypeVar("A")


class AbstractColumn(ABC):
    """One value or several for every row of a table that is elsewhere.

    A task that is sent to the rows finds the values there, by slice, in the place of the handle;
    what of it travels is a name. ``column[index]`` fetches chosen rows, in the order asked for.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_sparse: bool

    @property
    def ndim(self) -> int:
        """1 of one value for a row, 2 of several."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many values there are."""
        return int(np.prod(self.shape))

    def __len__(self) -> int:
        """How many rows there are."""
        return self.shape[0]

    @abstractmethod
    def __getitem__(self, rows: slice | Array) -> Array:
        """Some rows, as an array."""

    @abstractmethod
    def map(self, make: Callable[[Array], Array], *, is_kept: bool = True) -> AbstractColumn:
        """What is made of these values, row by row: kept beside them, or made in each pass."""

    @abstractmethod
    def kept(self) -> AbstractColumn:
        """The same in memory, where there is room for it: passes read it there."""

    @abstractmethod
    def fold(self, task: Callable[[slice, Array], A], merge: Callable[[A, A], A], name: str) -> A:
        """``merge`` of the answers of a task on every part; the slice is its place in the whole."""


Column = Any
"""An ndarray or an :class:`AbstractColumn`."""


def fold(
    column: Column, task: Callable[[slice, Array], A], merge: Callable[[A, A], A], name: str
) -> A:
    """A task on the whole of an array, or on every part of a column that is elsewhere."""
    if isinstance(column, AbstractColumn):
        return column.fold(task, merge, name)
    return task(slice(0, column.shape[0]), column)


def mapped(column: Column, make: Callable[[Array], Array]) -> Column:
    """What is made of values, row by row; beside the rows, where these are."""
    return column.map(make) if isinstance(column, AbstractColumn) else make(column)


def as_values(values: Any) -> Column:
    """An array, unless the values are elsewhere."""
    return values if isinstance(values, AbstractColumn) else np.asarray(values)


def summed(column: Column, make: Callable[[Array], Array], name: str = "sum") -> Array:
    """The sum over parts of what is made of each, such as sums over its rows."""
    return fold(column, lambda _, values: make(values), lambda a, b: a + b, name)


def count_codes(codes: Column) -> Array:
    """How many rows there are of each code 0, 1, ..."""

    def merge(a: Array, b: Array) -> Array:
        few, many = sorted((a, b), key=lambda counts: counts.size)
        return np.concatenate([few + many[: few.size], many[few.size :]])

    return fold(codes, lambda _, values: np.bincount(values), merge, "count")


def others_equal(column: Column, value: Any, but: Array, ordinals: Array) -> Array:
    """Of the rows that hold a value and are not among ``but``, in order, those of these numbers."""
    if not isinstance(column, AbstractColumn):
        return np.setdiff1d(np.flatnonzero(column == value), but)[ordinals]

    def places(place: slice, values: Array) -> Array:
        return np.setdiff1d(place.start + np.flatnonzero(values == value), but)

    # First how many each part has, which says where the ordinals are; then those.
    starts, counts = column.fold(
        lambda place, values: (np.array([place.start]), np.array([places(place, values).size])),
        lambda a, b: (np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])),
        "count",
    )
    before = dict(zip(starts.tolist(), (np.cumsum(counts) - counts).tolist(), strict=True))

    def chosen(place: slice, values: Array) -> tuple[Array, Array]:
        found = places(place, values)
        own = ordinals - before[place.start]
        here = np.flatnonzero((own >= 0) & (own < found.size))
        return here, found[own[here]]

    which, rows = column.fold(
        chosen,
        lambda a, b: (np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])),
        "find",
    )
    return rows[np.argsort(which)]
