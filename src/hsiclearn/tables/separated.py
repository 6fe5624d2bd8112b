"""CSV and TSV: the header, the cells by polars, and the cause where that fails."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from ._polars import read_separated, require_polars
from .checks import is_float
from .column import Column
from .errors import TableError, listed, shown
from .table import Table

__all__ = ["read_text"]

_LOOK_AT = 1 << 16  # bytes that tell text from something else
_LONGEST_CELL = 1 << 24


def read_text(path: Path, separator: str, text: Collection[str] = ()) -> Table:
    """Read a file of text with a header; columns named in ``text`` stay text."""
    require_polars(f"Reading {path.name}")
    _check_is_text(path)
    names, made_up = _header(path, separator)
    table = read_separated(path, separator, names, text)
    # A line that is blank or too short becomes a row with nothing in the last column.
    if table is None or (len(table) and table.columns[-1].missing.any()):
        blank = _blank_lines(path, separator, len(names))
        if table is not None and blank.any() and blank.size == len(table):
            table = table.take(~blank)
    if table is None:
        raise TableError(
            f"{shown(path)} cannot be read as a table: a quote that is never closed, or bytes that "
            "are no text.",
            "Write it again.",
        )
    return _without_row_numbers(table, made_up)


def _check_is_text(path: Path) -> None:
    with _opened(path) as file:
        start = file.read(_LOOK_AT)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TableError(f"{shown(path)} is in UTF-16.", "Save it as UTF-8.")
    if b"\0" in start:
        raise TableError(f"{shown(path)} is no text file, in spite of its name.")
    if b"\r" in start and b"\n" not in start:
        raise TableError(
            f"The lines of {shown(path)} end with carriage returns alone.",
            "Save it with usual line ends.",
        )


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if path.suffix.lower() != ".gz":
        with open(path, "rb") as file:
            yield file
        return
    try:
        with gzip.open(path, "rb") as unpacked:
            yield unpacked  # type: ignore[misc]
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise TableError(f"{shown(path)} is not a whole gzip file.", "Copy it again.") from error


@contextmanager
def _records(path: Path, separator: str) -> Iterator[Iterator[list[str]]]:
    """The lines as lists of cells, or an error that says where the file is no text in UTF-8."""
    csv.field_size_limit(_LONGEST_CELL)
    with _opened(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=separator, strict=False)
        try:
            yield reader
        except UnicodeDecodeError as error:
            raise _not_utf8(path) from error
        except csv.Error as error:
            raise TableError(
                f"{shown(path)} cannot be read as a table from line {reader.line_num} on: {error}."
            ) from error


def _not_utf8(path: Path) -> TableError:
    """Where the first byte is that is none of UTF-8."""
    where = ""
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                where = f" (line {number}, byte {line[error.start]:#04x})"
                break
    return TableError(
        f"{shown(path)} is not in UTF-8{where}.",
        "Save it as UTF-8, for instance: iconv -f LATIN1 -t UTF-8 OLD.csv > NEW.csv",
    )


def _header(path: Path, separator: str) -> tuple[list[str], set[str]]:
    """The names, and those among them that are made up because there were none."""
    with _records(path, separator) as records:
        names = [name.strip() for name in next(records, [])]
    if not names:
        raise TableError(f"The first line of {shown(path)} is blank: it must name the columns.")
    other = next((s for s in (";", "\t", ",") if s != separator and s in names[0]), None)
    if len(names) == 1 and other:
        kind = "commas" if separator == "," else "tabs"
        raise TableError(
            f"{shown(path)} has one column, {shown(names[0])}. A {path.suffixes[0]} file has "
            f"{kind} between its cells.",
            f"Save it with {kind} instead of {shown(other)}.",
        )
    twice = dict.fromkeys(shown(name) for name in names if name and names.count(name) > 1)
    if twice:
        raise TableError(
            f"Every column of {shown(path)} must have a name of its own.",
            f"More than one is called {listed(twice)}: rename them.",
        )
    unnamed = [j for j, name in enumerate(names) if not name]
    for j in unnamed:
        names[j] = _free_name(j, names)
    return names, {names[j] for j in unnamed}


def _free_name(j: int, names: list[str]) -> str:
    name = f"column{j + 1}"
    while name in names:
        name += "_"
    return name


def _blank_lines(path: Path, separator: str, n_columns: int) -> npt.NDArray[np.bool_]:
    """Which lines after the header are blank; one with too few or too many cells is an error."""
    blank = []
    with _records(path, separator) as records:
        for record in islice(records, 1, None):
            # In a table of one column, "" in quotes is a value that is missing.
            blank.append(not record or (len(record) == 1 and record[0].isspace()))
            if len(record) != n_columns and not blank[-1]:
                line = records.line_num  # type: ignore[attr-defined]
                raise TableError(
                    f"Every line of {shown(path)} must have as many cells as the header, "
                    f"{n_columns}. Line {line} has {len(record)}.",
                    "Mend it: a cell that holds a separator needs quotes, and every quote its end.",
                )
    return np.array(blank, dtype=bool)


def _without_row_numbers(table: Table, made_up: set[str]) -> Table:
    """Leave out nameless columns that are empty or count the rows, as data frames write them."""
    kept, notes = [], []
    for column in table.columns:
        if column.name not in made_up:
            kept.append(column)
        elif _counts_rows(column):
            notes.append("a column without a name counts the rows and is left out")
        elif not column.missing.all():
            kept.append(column)
            notes.append(f"a column without a name is called {shown(column.name)}")
    if kept and all(is_float(column.name) for column in kept):
        notes.append("the names of all columns are numbers: the first line must be a header")
    return Table(kept, notes)


def _counts_rows(column: Column) -> bool:
    numbers = column.numbers
    if column.kind != "integer" or not numbers.size or numbers[0] not in (0.0, 1.0):
        return False
    return np.array_equal(numbers, np.arange(numbers.size) + numbers[0])
