"""Tables from files; the suffix says what a file is."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np

from .convert import as_table
from .errors import TableError, shown
from .table import Table

__all__ = ["SUFFIXES", "read_table", "suffix_of"]

_SEPARATED = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t", ".txt": "\t"}
_SHEETS = (".xlsx", ".ods")
_TYPED = (".parquet", ".feather", ".arrow", ".ipc", ".json", ".ndjson", ".jsonl")

SUFFIXES = (*_SEPARATED, *_SHEETS, *_TYPED, ".npy")
"""Of the files that can be read."""


def read_table(path: str | Path, text: Collection[str] = ()) -> Table:
    """Read a table from a file.

    Parameters
    ----------
    path : path-like
        Text with a header, also gzipped; the first sheet of a spreadsheet (.xlsx, .ods); Parquet;
        Feather (.feather, .arrow, .ipc); JSON, a list of records or one a line (.ndjson, .jsonl);
        or NPY, a matrix whose columns are called x0, x1, ... Of text the encoding (UTF-8, UTF-16,
        Windows-1252), the separator (comma, semicolon, tab, bar) and decimal commas are found out.
    text : collection of str, default=()
        Names of columns to be read as text, whatever they look like: a code such as 007 keeps its
        zeros, and True its capital. Names that the file does not have are ignored.

    Returns
    -------
    Table
        In text files the empty cell, NA, N/A, #N/A, NaN and null are missing; blanks around names
        and cells are taken off and blank lines left out. A line of separators alone is a row.
        Its ``notes`` say what was found out.

    Raises
    ------
    TableError
        If the file is not what its suffix says; the message has one line.
    OSError
        If it cannot be opened.
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
        from .separated import read_text

        return read_text(path, _SEPARATED[suffix], text)
    if suffix in _SHEETS:
        from .sheets import read_sheet

        return read_sheet(path).as_text(text)
    from ._polars import read_typed

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
    except (ValueError, EOFError) as error:
        raise TableError(
            f"{shown(path)} is not a whole NPY file of numbers.", "Write it with numpy.save."
        ) from error
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise TableError(
            f"An NPY file must hold a matrix of numbers, rows by columns. {shown(path)} holds "
            f"{array.dtype} of shape {array.shape}."
        )
    return as_table(array)
