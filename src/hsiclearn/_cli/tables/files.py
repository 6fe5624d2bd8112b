"""Tables from files and to files; the suffix says what a file is."""

from __future__ import annotations

import io
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..._arrays import Array
from ..._files import replacing
from ._polars import read_separated, read_spreadsheet, read_typed, require_polars, write_frame
from .checks import is_float
from .convert import as_table
from .dialect import Dialect, dialect_of, opened, records
from .errors import TableError, check_names_differ, listed, shown
from .table import Table, is_consecutive

_SEPARATED = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t", ".txt": "\t"}
_SHEETS = (".xlsx", ".ods")
_TYPED = (".parquet", ".feather", ".arrow", ".ipc", ".json", ".ndjson", ".jsonl")
SUFFIXES = (*_SEPARATED, *_SHEETS, *_TYPED, ".npy")
"""Of the files that can be read."""
WRITTEN = (".csv", ".tsv", ".parquet", ".npy")
"""Of the files that can be written."""
_UNNAMED = "__UNNAMED__"  # what the reader calls a column without a name, with its place


def read_table(path: str | Path, text: Collection[str] = ()) -> Table:
    """Read a table from a file.

    Text with a header, also gzipped; the first sheet of a spreadsheet (.xlsx, .ods); Parquet;
    Feather (.feather, .arrow, .ipc); JSON, a list of records or one a line (.ndjson, .jsonl); or
    NPY, a matrix whose columns are called x0, x1, ... Of text the encoding (UTF-8, UTF-16,
    Windows-1252), the separator (comma, semicolon, tab, bar) and decimal commas are found out, of
    which ``notes`` tell.
    The empty cell, NA, N/A, #N/A, NaN and null are missing; blanks around names and cells are taken
    off and blank lines left out. A line of separators alone is a row.

    Columns named in ``text`` are read as text, whatever they look like: 007 keeps its zeros, and
    True its capital. A file that is not what its suffix says is a TableError of one line.
    """
    if str(path).startswith(("http://", "https://")):
        raise TableError(f"{shown(str(path))} is an address.", "Fetch the file first.")
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{shown(path)} is a directory. Name a file.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file {shown(path)}.")
    suffix = suffix_of(path)
    with open(path, "rb") as file:  # an unreadable file is an OSError here, whatever it holds
        is_empty = not file.read(1)
    if is_empty:
        raise TableError(f"{shown(path)} is empty: a table needs a header and rows.")
    if suffix == ".npy":
        return _read_npy(path).as_text(text)
    if suffix in _SEPARATED:
        return _read_text(path, _SEPARATED[suffix], text)
    if suffix in _SHEETS:
        return _read_sheet(path).as_text(text)
    return read_typed(path, suffix).as_text(text)


def suffix_of(path: Path, known: tuple[str, ...] = SUFFIXES) -> str:
    """The suffix, if it is a known one."""
    name = path.name.lower()
    for suffix in sorted(known, key=len, reverse=True):
        if name.endswith(suffix):
            return suffix
    raise TableError(
        f"The name of a table must end with {', '.join(known[:-1])} or {known[-1]}, which says "
        f"what it is. Got {shown(path.name)}."
    )


def _read_npy(path: Path) -> Table:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except MemoryError:
        raise
    except Exception as error:  # a damaged header fails in as many ways as there are bytes
        raise TableError(
            f"{shown(path)} is not a whole NPY file of numbers.", "Write it with numpy.save."
        ) from error
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise TableError(
            f"An NPY file must hold a matrix of numbers, rows by columns. {shown(path)} holds "
            f"{array.dtype} of shape {array.shape}."
        )
    return as_table(array)


def _read_sheet(path: Path) -> Table:
    """The first sheet of a workbook; empty rows are left out."""
    table, sheets = read_spreadsheet(path)
    given = ["" if name.startswith(_UNNAMED) else name for name in table.names]
    if 2 * given.count("") > len(given):
        raise TableError(
            f"The first row of the sheet {shown(sheets[0])} in {shown(path)} must name the columns."
        )
    names, made_up = _named(given, path)
    columns = [replace(c, name=name) for c, name in zip(table.columns, names, strict=True)]
    notes = [f"the first of {len(sheets)} sheets is read, {shown(sheets[0])}"]
    return _without_nameless(Table(columns), made_up, notes if len(sheets) > 1 else ())


def _read_text(path: Path, usual: str, text: Collection[str]) -> Table:
    """A file of text with a header; ``usual`` is the separator that its name promises."""
    require_polars(f"Reading {path.name}")
    dialect = dialect_of(path, usual)
    with records(path, dialect.encoding, dialect.separator) as lines:
        header = next(lines, [])
    names, made_up = _named(header, path)
    if len(names) == 1 and ".txt" in path.suffixes and " " in names[0]:
        raise TableError(
            f"{shown(path)} has one column, {shown(names[0])}: cells must be separated by commas, "
            "semicolons, tabs or bars (|).",
            "Save it as CSV.",
        )
    source = _source(path, dialect)
    table = read_separated(source, names, text, dialect.separator, dialect.decimal_comma)
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
    return _without_nameless(table, made_up, dialect.notes)


def _source(path: Path, dialect: Dialect) -> Path | bytes:
    """What polars reads, which knows UTF-8 alone."""
    if dialect.encoding == "utf-8-sig":
        return path
    with opened(path) as file, io.TextIOWrapper(file, dialect.encoding, newline="") as text:
        return text.read().encode()


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


def _named(given: Sequence[str], path: Path) -> tuple[list[str], set[str]]:
    """The names, and those among them that are made up because there were none."""
    names = [name.strip() for name in given]
    if not any(names):
        raise TableError(f"The first line of {shown(path)} is blank: it must name the columns.")
    check_names_differ([name for name in names if name], f" of {shown(path)}")
    taken, made_up = set(names), set()
    for j, name in enumerate(names):
        if not name:
            names[j] = f"column{j + 1}"
            while names[j] in taken:
                names[j] += "_"
            made_up.add(names[j])
    return names, made_up


def _without_nameless(table: Table, made_up: Collection[str], notes: Sequence[str]) -> Table:
    """Leave out nameless columns that are empty or number the rows, as data frames write them."""
    kept, told, new = [], list(notes), []
    for column in table.columns:
        if column.name not in made_up:
            kept.append(column)
        elif is_consecutive(column):
            told.append("a column without a name numbers the rows and is left out")
        elif not column.missing.all():
            kept.append(column)
            new.append(shown(column.name))
    if new:
        what = "a column without a name is" if len(new) == 1 else "columns without a name are"
        told.append(f"{what} called {listed(new)}")
    if kept and all(is_float(column.name) for column in kept):
        told.append("the names of all columns are numbers: the first line must be a header")
    return Table(kept, told)


def write_table(
    columns: Mapping[str, Array], path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write columns to a file, whole or not at all.

    Its name ends with ``.csv``, ``.tsv``, ``.parquet`` or ``.npy``; the last holds numbers alone.
    """
    path = Path(path)
    suffix = suffix_of(path, WRITTEN)
    if suffix == ".npy":
        matrix = _as_matrix(columns)
        with replacing(path, overwrite=overwrite) as file:
            np.save(file, matrix, allow_pickle=False)
        return path
    require_polars(f"Writing {path.name}")
    with replacing(path, overwrite=overwrite) as file:
        write_frame(columns, file, {".csv": ",", ".tsv": "\t"}.get(suffix))
    return path


def _as_matrix(columns: Mapping[str, Array]) -> Array:
    texts = [n for n, values in columns.items() if np.asarray(values).dtype.kind not in "biuf"]
    if texts:
        raise TableError(
            f"An NPY file holds numbers alone, but {listed(map(shown, texts))} holds text.",
            "Write .csv or .parquet instead.",
        )
    return np.column_stack(list(columns.values()))
