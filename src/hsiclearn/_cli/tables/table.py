"""Columns with names, all of the same length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..._arrays import Array
from .column import Column
from .errors import TableError, listed, repeated, shown, unknown_column

__all__ = ["Table"]


class Table:
    """Columns in order, each under a name of its own.

    ``len(table)`` is the number of rows, ``table["age"]`` the values of a column: floats with NaN
    where missing, or an object array of str with None where missing.

    Parameters
    ----------
    columns : iterable of Column
        Of the same length, with different names.
    notes : iterable of str, default=()
        What a reader did that its user may want to know.

    Attributes
    ----------
    columns : tuple of Column
    notes : tuple of str

    Examples
    --------
    >>> from hsiclearn._cli.tables import as_table
    >>> table = as_table([[1.0, 2.0], [3.0, 4.0]])
    >>> table.names, len(table), table["x1"].tolist()
    (('x0', 'x1'), 2, [2.0, 4.0])
    """

    def __init__(self, columns: Iterable[Column], notes: Iterable[str] = ()) -> None:
        self.columns = tuple(columns)
        self.notes = tuple(notes)
        self._by_name = {column.name: column for column in self.columns}
        if len(self._by_name) < len(self.columns):
            twice = repeated([column.name for column in self.columns])
            raise TableError(
                "Every column must have a name of its own.",
                f"More than one is called {listed(map(shown, twice))}: rename them.",
            )
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
