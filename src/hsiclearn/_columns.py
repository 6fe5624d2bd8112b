"""Values beside the rows of a table: an array, or a handle to what is elsewhere, chunk by chunk.

What is made of a target is written against the few things both can do: rows by slice in a task
that runs where they are, chosen rows by index from anywhere, and a sum over all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
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
    public: Any
    """What a user knows it as: a collection of the library that has it."""

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

    __iter__ = None  # row by row each would be fetched by itself

    def __array__(self, *_: Any, **__: Any) -> Array:
        """Not all of them: that is what a column is for."""
        raise TypeError(f"The {len(self)} rows of a column are elsewhere: ask for some of them.")

    @abstractmethod
    def __getitem__(self, rows: slice | Array) -> Array:
        """Some rows, as an array."""

    @abstractmethod
    def map(
        self, make: Callable[..., Array], *others: AbstractColumn, is_kept: bool = True
    ) -> AbstractColumn:
        """What is made of these values and of others, row by row, beside them.

        It is computed once and kept, or made in each pass.
        """

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


def mapped(column: Column, make: Callable[..., Array], *others: Column) -> Column:
    """What is made of values, row by row; beside the rows, where these are."""
    is_elsewhere = isinstance(column, AbstractColumn)
    return column.map(make, *others) if is_elsewhere else make(column, *others)


def as_values(values: Any) -> Column:
    """An array, unless the values are elsewhere."""
    return values if isinstance(values, AbstractColumn) else np.asarray(values)


def as_public(column: Column) -> Any:
    """An array, or the collection of another library that a column is a handle to."""
    return column.public if isinstance(column, AbstractColumn) else column


def summed(column: Column, make: Callable[[Array], Array], name: str = "sum") -> Array:
    """The sum over parts of what is made of each, such as sums over its rows."""
    return fold(column, lambda _, values: make(values), lambda a, b: a + b, name)


@dataclass(frozen=True, eq=False)
class View:
    """Rows by number that are made when they are fetched, and no others."""

    make: Callable[[Array], Array]

    def __getitem__(self, index: Array) -> Array:
        """Some rows."""
        return self.make(index)


def count_codes(codes: Column) -> Array:
    """How many rows there are of each code 0, 1, ..."""

    def merge(a: Array, b: Array) -> Array:
        few, many = sorted((a, b), key=lambda counts: counts.size)
        return np.concatenate([few + many[: few.size], many[few.size :]])

    return fold(codes, lambda _, values: np.bincount(values), merge, "count")


def first_rows(codes: Column) -> tuple[Array, Array]:
    """The codes there are, but for -1, and the first row of each."""

    def of_part(place: slice, values: Array) -> tuple[Array, Array]:
        found, first = np.unique(values, return_index=True)
        return found[found >= 0], place.start + first[found >= 0]

    def merge(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
        both, rows = (np.concatenate(pair) for pair in zip(a, b, strict=True))
        found, first = np.unique(both, return_index=True)
        return found, rows[first]

    return fold(codes, of_part, merge, "find")


_NONE = np.zeros(0, dtype=np.intp)


def rows_where(
    column: Column, is_meant: Callable[[Array], Array], ordinals: Array, but: Array = _NONE
) -> Array:
    """Of the rows whose values are meant, and not among ``but``, in order, those of these numbers.

    They come in the order of the numbers.
    """

    def places(place: slice, values: Array) -> Array:
        return np.setdiff1d(place.start + np.flatnonzero(is_meant(values)), but)

    if not isinstance(column, AbstractColumn):
        return places(slice(0, 0), column)[ordinals]

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
