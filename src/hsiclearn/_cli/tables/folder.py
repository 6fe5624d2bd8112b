"""A folder of Parquet files as one table, of which some rows at a time are read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..._arrays import Array
from ._polars import reading, require_polars, table_of_frame
from .errors import check_names_differ, unknown_column
from .parquet_files import ParquetFile, common_schema, files_below
from .table import Table

_CELLS = 2**22  # of a chunk: 32 MB as numbers
_FEWEST, _MOST = 1000, 2**18  # rows of a chunk


class Folder:
    """Rows of all files one after the other. Nothing is kept of them but how many there are.

    Columns named in ``text`` are text, whatever they look like.
    """

    def __init__(self, root: Path, text: Collection[str] = ()) -> None:
        self.root, self.text = root, frozenset(text)
        files = files_below(root)
        self._schema = common_schema(files)
        self.names = tuple(self._schema)
        check_names_differ(self.names)
        self._files: list[ParquetFile] = files
        self._ends = np.cumsum([file.n_rows for file in files])

    def __len__(self) -> int:
        """How many rows there are."""
        return int(self._ends[-1])

    def starts(self, n_columns: int) -> Array:
        """Where chunks begin that hold so many columns of numbers, and where the last one ends."""
        size = int(np.clip(_CELLS // max(n_columns, 1), _FEWEST, _MOST))
        return np.append(np.arange(0, len(self), size), len(self))

    def read(self, start: int, stop: int, names: Sequence[str] | None = None) -> Table:
        """Rows from ``start`` on; all columns, or these."""
        return self._table(self._frame(start, stop, self.names if names is None else names))

    def series(self, start: int, stop: int, name: str) -> Any:
        """Some rows of a column as polars has it, of the same type whichever rows these are."""
        return self._frame(start, stop, [name])[name]

    def take(self, rows: Array) -> Table:
        """Chosen rows, by their numbers in order."""
        pl = require_polars("Reading a folder")
        starts = self.starts(len(self.names))
        cuts: Array = np.searchsorted(rows, starts)
        parts = [self._frame(0, 0, self.names)]
        for k in np.flatnonzero(np.diff(cuts)).tolist():
            frame = self._frame(int(starts[k]), int(starts[k + 1]), self.names)
            parts.append(frame[rows[cuts[k] : cuts[k + 1]] - starts[k]])
        return self._table(pl.concat(parts))

    def _table(self, frame: Any) -> Table:
        return table_of_frame(frame).as_text(self.text)

    def _frame(self, start: int, stop: int, names: Sequence[str]) -> Any:
        pl = require_polars("Reading a folder")
        for name in names:
            if name not in self._schema:
                raise unknown_column(name, self.names)
        if not names:
            return pl.DataFrame()
        schema = {name: self._schema[name] for name in names}
        parts = [pl.DataFrame(schema=schema)]
        for file, end in zip(self._files, self._ends.tolist(), strict=True):
            first = end - file.n_rows
            low, high = max(start, first), min(stop, end)
            if low < high:
                parts.append(_rows_of(file, low - first, high - low, schema))
        return pl.concat(parts)


def _rows_of(file: ParquetFile, start: int, count: int, schema: dict[str, Any]) -> Any:
    """Some rows of a file, with all columns of the schema."""
    pl = require_polars("Reading a folder")
    own = [name for name in schema if name not in file.keys]
    with reading(file.path, "Parquet file"):
        if own:
            lazy = pl.scan_parquet(file.place, glob=False, hive_partitioning=False)
            frame = lazy.select(pl.selectors.by_name(*own)).slice(start, count).collect()
        else:
            frame = pl.select(pl.repeat(None, count, dtype=pl.Null).alias(next(iter(file.keys))))
    frame = frame.with_columns(
        pl.lit(value, dtype=pl.String).alias(key)
        for key, value in file.keys.items()
        if key in schema
    )
    return pl.DataFrame({name: frame[name] for name in schema}).cast(schema)
