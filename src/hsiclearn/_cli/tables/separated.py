"""Files of text: the cells by polars, and the cause where that fails."""

from __future__ import annotations

import io
from collections.abc import Collection
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ._polars import read_separated, require_polars
from .dialect import Dialect, dialect_of, opened, records
from .errors import TableError, shown
from .headers import named, without_nameless
from .table import Table

__all__ = ["read_text"]


def read_text(path: Path, usual: str, text: Collection[str] = ()) -> Table:
    """Read a file of text with a header; columns named in ``text`` stay text.

    ``usual`` is the separator that its name promises.
    """
    require_polars(f"Reading {path.name}")
    dialect = dialect_of(path, usual)
    with records(path, dialect.encoding, dialect.separator) as lines:
        header = next(lines, [])
    names, made_up = named(header, path)
    _check_is_cut(names, path)
    table = read_separated(
        _source(path, dialect),
        names,
        text,
        separator=dialect.separator,
        decimal_comma=dialect.decimal_comma,
    )
    # A line that is blank or too short becomes a row with nothing in the last column.
    if table is None or (len(table) and table.columns[-1].missing.any()):
        blank = _blank_lines(path, dialect, len(names))
        if table is not None and blank.any() and blank.size == len(table):
            table = table.take(~blank)
    if table is None:
        raise TableError(
            f"{shown(path)} cannot be read as a table: a quote that is never closed, or bytes that "
            "are no text.",
            "Write it again.",
        )
    return without_nameless(table, made_up, dialect.notes)


def _source(path: Path, dialect: Dialect) -> Path | bytes:
    """What polars reads, which knows UTF-8 alone."""
    if dialect.encoding == "utf-8-sig":
        return path
    with opened(path) as file, io.TextIOWrapper(file, dialect.encoding, newline="") as text:
        return text.read().encode()


def _check_is_cut(names: list[str], path: Path) -> None:
    if len(names) == 1 and ".txt" in path.suffixes and " " in names[0]:
        raise TableError(
            f"{shown(path)} has one column, {shown(names[0])}: cells must be separated by commas, "
            "semicolons, tabs or bars (|).",
            "Save it as CSV.",
        )


def _blank_lines(path: Path, dialect: Dialect, n_columns: int) -> npt.NDArray[np.bool_]:
    """Which lines after the header are blank; one with too few or too many cells is an error."""
    blank = []
    with records(path, dialect.encoding, dialect.separator) as lines:
        for record in islice(lines, 1, None):
            # In a table of one column, "" in quotes is a value that is missing.
            blank.append(not record or (len(record) == 1 and record[0].isspace()))
            if len(record) != n_columns and not blank[-1]:
                line = lines.line_num  # type: ignore[attr-defined]
                raise TableError(
                    f"Every line of {shown(path)} must have as many cells as the header, "
                    f"{n_columns}. Line {line} has {len(record)}.",
                    "Mend it: a cell that holds a separator needs quotes, and every quote its end.",
                )
    return np.array(blank, dtype=bool)
