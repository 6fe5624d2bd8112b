"""Tables with names: read from files, encoded as numbers, written to files.

Reading anything but NPY needs polars, the extra ``cli``; the rest needs numpy alone.
"""

from __future__ import annotations

from .account import account, summary
from .convert import as_table
from .encoder import TableEncoder
from .errors import TableError
from .files import SUFFIXES, read_table, write_table
from .table import Column, Table, row_counters

__all__ = [
    "SUFFIXES",
    "Column",
    "Table",
    "TableEncoder",
    "TableError",
    "account",
    "as_table",
    "read_table",
    "row_counters",
    "summary",
    "write_table",
]
