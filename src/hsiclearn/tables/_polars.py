"""The only module that imports polars, when it is used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from .._arrays import Array
from ..exceptions import MissingExtraError
from .column import Column
from .errors import TableError, shown
from .table import Table

__all__ = ["MISSING", "read_parquet", "read_separated", "table_of_frame", "write_frame"]

MISSING = ("", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL")
"""Cells of a text file that stand for no value."""

_ROWS_AT_ONCE = 100_000
_WORDS = {"Binary": "binary data", "Duration": "durations", "Object": "Python objects"}


def require_polars(purpose: str) -> Any:
    """The module, or an error that says what to install."""
    try:
        import polars
    except ModuleNotFoundError as error:
        raise MissingExtraError("polars", "cli", purpose) from error
    return polars


def read_separated(
    path: Path, separator: str, names: Sequence[str], text: Collection[str] = ()
) -> Table | None:
    """A file of text with a header, whose columns take these names; None if polars fails.

    Columns named in ``text`` stay text. A blank line is a row without values.

    What polars makes of a broken file is no use to its owner: the caller looks for the cause.
    """
    pl = require_polars(f"Reading {path.name}")
    try:
        frame = pl.read_csv(
            path,
            separator=separator,
            infer_schema_length=None,  # a number may well turn into text in the last row
            null_values=list(MISSING),
            new_columns=list(names),
            schema_overrides={name: pl.String for name in names if name in text},
        )
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException):
        return None
    if frame.columns != list(names):
        return None
    return Table(_column(series, True, series.name in text) for series in frame.iter_columns())


def read_parquet(path: Path) -> Table:
    """A Parquet file; a damaged one is a TableError."""
    pl = require_polars(f"Reading {path.name}")
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException) as error:
        reason = str(error).strip().splitlines()
        raise TableError(
            f"{shown(path)} is not a whole Parquet file: {reason[0][:200] if reason else 'empty'}.",
            "Write or copy it again.",
        ) from error
    return table_of_frame(frame)


def table_of_frame(frame: Any) -> Table:
    """A table from a polars data frame."""
    return Table(_column(series) for series in frame.iter_columns())


def _column(series: Any, strip: bool = False, is_text: bool = False) -> Column:
    """A series; ``strip`` takes outer blanks off, which may reveal numbers unless ``is_text``."""
    pl = require_polars("A data frame of polars")
    name, dtype = series.name, series.dtype
    if dtype == pl.Boolean:
        return Column.of_numbers(name, _floats(series.cast(pl.Int8)), "boolean")
    if dtype.is_numeric():
        return Column.of_numbers(name, _floats(series), "integer" if dtype.is_integer() else "real")
    if dtype in (pl.Date, pl.Datetime, pl.Time):
        holds = "times of day" if dtype == pl.Time else "dates"
        return _coded(name, series.cast(pl.String), "date", holds)
    if dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return Column.of_others(name, len(series), _WORDS.get(dtype.base_type().__name__, ""))
    series = series.cast(pl.String)
    if strip:
        series = series.str.strip_chars()
        series = series.set(series.is_in(list(MISSING)), None)
        numbers = series.cast(pl.Float64, strict=False)
        if not is_text and numbers.null_count() == series.null_count() < len(series):
            return Column.of_numbers(name, _floats(numbers), _kind_of_floats(numbers))
    return _coded(name, series, "text")


def _floats(series: Any) -> Array:
    """Float64 with NaN for what is missing."""
    pl = require_polars("A data frame of polars")
    return series.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _kind_of_floats(numbers: Any) -> str:
    """Cells like " 3" were text for their blanks; those of an integer column have no point."""
    kept = numbers.drop_nulls()
    return "integer" if kept.is_finite().all() and (kept == kept.floor()).all() else "real"


def _coded(name: str, series: Any, kind: str, holds: str = "") -> Column:
    pl = require_polars("A data frame of polars")
    categories = series.drop_nulls().unique().sort()
    codes = series.cast(pl.Enum(categories)).to_physical().cast(pl.Int32).fill_null(-1)
    texts = tuple(categories.to_list())
    return Column(name, kind, codes=codes.to_numpy(), categories=texts, holds=holds)


def write_frame(columns: Mapping[str, Array], file: IO[bytes], separator: str | None) -> None:
    """Write columns as text with a separator, or as Parquet without one."""
    pl = require_polars("Writing a table")
    frame = pl.DataFrame(
        {name: pl.Series(name, values, nan_to_null=True) for name, values in columns.items()}
    )
    if separator is None:
        frame.write_parquet(file)
        return
    # Polars would write past Python into a pipe, and its errors say less.
    for number, part in enumerate(frame.iter_slices(_ROWS_AT_ONCE)):
        text = part.write_csv(separator=separator, include_header=number == 0)
        file.write(text.encode())
