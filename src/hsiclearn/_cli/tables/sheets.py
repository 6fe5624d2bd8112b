"""Spreadsheets: the first sheet, whose first row names the columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ._polars import read_spreadsheet
from .errors import TableError, shown
from .headers import named, without_nameless
from .table import Table

__all__ = ["read_sheet"]

_UNNAMED = "__UNNAMED__"  # what the reader calls a column without a name, with its place


def read_sheet(path: Path) -> Table:
    """The first sheet of a workbook; empty rows are left out."""
    table, sheets = read_spreadsheet(path)
    given = ["" if name.startswith(_UNNAMED) else name for name in table.names]
    if 2 * given.count("") > len(given):
        raise TableError(
            f"The first row of the sheet {shown(sheets[0])} in {shown(path)} must name the columns."
        )
    names, made_up = named(given, path)
    columns = [replace(c, name=name) for c, name in zip(table.columns, names, strict=True)]
    notes = [f"the first of {len(sheets)} sheets is read, {shown(sheets[0])}"]
    return without_nameless(Table(columns), made_up, notes if len(sheets) > 1 else ())
