"""Columns with names, all of the same length."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._arrays import Array, FloatArray
from .errors import TableError, check_names_differ, listed, shown, unknown_column

KINDS = ("integer", "real", "boolean", "moment", "text", "date", "other")
"""What a column may hold; the first four are numbers, ``"other"`` can only be dropped."""
_NUMBERS = KINDS[:4]
_FEWEST = 10  # rows: in a shorter table 1, 2, 3 may well be measured
_WHOLE = re.compile(r"-?\d{1,15}")


@dataclass(frozen=True, eq=False)
class Column:
    """A name, a kind, and the values.

    ``kind`` is one of :data:`KINDS`: a ``"moment"`` is a date as a number, days since 1970-01-01, a
    ``"date"`` is its text. ``numbers`` are float64, NaN where missing, and empty for text; booleans
    are 0 and 1. Of text, ``codes`` are the places in ``categories``, -1 where missing. ``holds``
    says for messages what a column that is no feature holds ("times of day"), or how dates were
    written.
    """

    name: str
    kind: str
    numbers: FloatArray = field(default_factory=lambda: np.empty(0))
    codes: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    categories: tuple[str, ...] = ()
    holds: str = ""

    @classmethod
    def of_numbers(cls, name: str, values: Array, kind: str | None = None) -> Column:
        """From an array of numbers or booleans; not copied where it is float64 already."""
        values = np.asarray(values)
        if kind is None:
            kind = {"b": "boolean", "i": "integer", "u": "integer"}.get(values.dtype.kind, "real")
        return cls(name, kind, numbers=values.astype(np.float64, copy=False))

    @classmethod
    def of_texts(
        cls, name: str, values: Iterable[str | None], kind: str = "text", holds: str = ""
    ) -> Column:
        """From texts, None where missing."""
        cells = list(values)
        categories = sorted({cell for cell in cells if cell is not None})
        places: dict[str | None, int] = {text: i for i, text in enumerate(categories)}
        places[None] = -1
        codes = np.fromiter((places[cell] for cell in cells), dtype=np.int32, count=len(cells))
        return cls(name, kind, codes=codes, categories=tuple(categories), holds=holds)

    @classmethod
    def of_others(cls, name: str, n_rows: int, holds: str) -> Column:
        """A column that can only be dropped; its values are not kept."""
        return cls(name, "other", codes=np.full(n_rows, -1, dtype=np.int32), holds=holds)

    def __len__(self) -> int:
        """Number of rows."""
        return int(self.numbers.size if self.is_number else self.codes.size)

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers; booleans are."""
        return self.kind in _NUMBERS

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Where there is no value."""
        return np.isnan(self.numbers) if self.is_number else self.codes < 0

    @property
    def values(self) -> Array:
        """Floats with NaN where missing, or an object array of str with None where missing."""
        if self.is_number:
            return self.numbers
        return np.array([*self.categories, None], dtype=object)[self.codes]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """The values, for whatever takes arrays."""
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def as_categories(self) -> Column:
        """The same as text: numbers by their shortest form, booleans as true and false."""
        if self.kind in ("text", "other"):
            return self
        if not self.is_number:
            return replace(self, kind="text")
        missing = self.missing
        numbers, codes = np.unique(self.numbers[~missing], return_inverse=True)
        texts = [as_text(number, self.kind) for number in numbers.tolist()]
        full = np.full(self.numbers.size, -1, dtype=np.int32)
        full[~missing] = codes
        return replace(self, kind="text", numbers=np.empty(0), codes=full, categories=tuple(texts))

    def with_blanks_as(self, name: str) -> Column:
        """Text whose missing values are a category of this name, the last."""
        codes = np.where(self.codes < 0, np.int32(len(self.categories)), self.codes)
        return replace(self, codes=codes, categories=(*self.categories, name))

    def take(self, rows: Array) -> Column:
        """Some rows, by a mask or by indices; categories that are left with none are gone."""
        if self.is_number:
            return replace(self, numbers=self.numbers[rows])
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        renumber = np.full(len(self.categories) + 1, -1, dtype=np.int32)  # the last is for -1
        renumber[used] = np.arange(used.size, dtype=np.int32)
        categories = tuple(self.categories[i] for i in used)
        return replace(self, codes=renumber[codes], categories=categories)


def as_text(number: Any, kind: str = "real") -> str:
    """A number as a label: whole ones without a point."""
    if kind == "boolean":
        return "true" if number else "false"
    return str(int(number)) if float(number).is_integer() else repr(float(number))


class Table:
    """Columns in order, each under a name of its own.

    ``len(table)`` is the number of rows, ``table["age"]`` the values of a column: floats with NaN
    where missing, or an object array of str with None where missing. ``notes`` say what a reader
    did that its user may want to know.

    >>> from hsiclearn._cli.tables import as_table
    >>> table = as_table([[1.0, 2.0], [3.0, 4.0]])
    >>> table.names, len(table), table["x1"].tolist()
    (('x0', 'x1'), 2, [2.0, 4.0])
    """

    def __init__(self, columns: Iterable[Column], notes: Iterable[str] = ()) -> None:
        self.columns = tuple(columns)
        self.notes = tuple(notes)
        self._by_name = {column.name: column for column in self.columns}
        check_names_differ([column.name for column in self.columns])
        lengths = {len(column) for column in self.columns}
        if len(lengths) > 1:
            raise TableError(
                f"All columns must have as many rows. Got from {min(lengths)} to {max(lengths)}."
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns, in order."""
        return tuple(self._by_name)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self.columns)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._by_name)

    def __getitem__(self, name: str) -> Array:
        """The values of a column."""
        return self.column(name).values

    def column(self, name: str) -> Column:
        """A column with its kind."""
        if name not in self._by_name:
            raise unknown_column(name, self.names)
        return self._by_name[name]

    def select(self, names: Iterable[str]) -> Table:
        """These columns, in this order."""
        return Table([self.column(name) for name in names], self.notes)

    def drop(self, names: Iterable[str]) -> Table:
        """All columns but these."""
        gone = {self.column(name).name for name in names}
        return Table([c for c in self.columns if c.name not in gone], self.notes)

    def as_text(self, names: Collection[str]) -> Table:
        """The same with these columns as text, where they are there."""
        wanted = set(names)
        return Table(
            [c.as_categories() if c.name in wanted else c for c in self.columns], self.notes
        )

    def take(self, rows: Array) -> Table:
        """Some rows, by a mask or by indices."""
        return Table([column.take(rows) for column in self.columns], self.notes)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {listed(shown(name) for name in self.names)}>"


def row_counters(table: Table) -> list[str]:
    """Names of the columns that number the rows.

    Such a column holds whole numbers in steps of one in the order of the rows, from any first
    number, up or down, as numbers or as text. A column of years, one a row, is one too: it says
    no more than the order of the rows does. Tables of fewer than ten rows have none, since there a
    measurement may look the same.
    """
    if len(table) < _FEWEST:
        return []
    return [column.name for column in table.columns if is_consecutive(column)]


def is_consecutive(column: Column) -> bool:
    """Whether a column holds whole numbers in steps of one, in the order of the rows."""
    if column.is_number:
        numbers = column.numbers
    elif column.kind == "text" and len(column.categories) == len(column):
        if not all(_WHOLE.fullmatch(text) for text in column.categories):
            return False
        numbers = np.array([float(text) for text in column.categories])[column.codes]
    else:
        return False
    start = numbers[:2]
    if not start.size or not np.all(start == np.floor(start)) or np.isinf(start).any():
        return False
    step = start[1] - start[0] if start.size > 1 else 1.0
    return abs(step) == 1.0 and np.array_equal(numbers, start[0] + step * np.arange(numbers.size))
