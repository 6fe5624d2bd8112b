"""Tables with names: read from files, encoded as numbers, written to files.

Reading CSV, TSV and Parquet needs polars, the extra ``cli``; the rest needs numpy alone.
"""

from __future__ import annotations

from .column import Column
from .convert import as_table
from .encoder import TableEncoder
from .errors import TableError
from .reading import SUFFIXES, read_table
from .table import Table
from .writing import write_table

__all__ = [
    "SUFFIXES",
    "Column",
    "Table",
    "TableEncoder",
    "TableError",
    "as_table",
    "read_table",
    "write_table",
]
