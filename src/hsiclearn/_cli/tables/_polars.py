"""The only module that imports polars, when it is used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ...exceptions import MissingExtraError
from .errors import TableError, shown
from .table import Column, Table

MISSING = ("", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL")
"""Cells of a text file that stand for no value."""

_MARKED = r"^[-+]?(\d{1,3}(\.\d{3})+|\d+)?(,\d+)?([eE][-+]?\d+)?$"
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
    source: Path | bytes,
    names: Sequence[str],
    text: Collection[str],
    separator: str,
    decimal_comma: bool,
) -> Table | None:
    """A file of text with a header, whose columns take these names; None if polars fails.

    Columns named in ``text`` stay text. A blank line is a row without values. What polars says of a
    broken file is no use to its owner: the caller looks for the cause.
    """
    pl = require_polars("Reading a table")
    stay = set(text)
    try:
        frame = pl.read_csv(
            source,
            separator=separator,
            decimal_comma=decimal_comma,
            infer_schema_length=None,  # a number may well turn into text in the last row
            null_values=list(MISSING),
            new_columns=list(names),
            schema_overrides={name: pl.String for name in names if name in stay},
        )
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException):
        return None
    if frame.columns != list(names):
        return None
    return Table(
        _column(series, True, series.name in stay, decimal_comma) for series in frame.iter_columns()
    )


def read_typed(path: Path, suffix: str) -> Table:
    """A file whose columns have types: Parquet, Feather, JSON; a damaged one is a TableError."""
    pl = require_polars(f"Reading {path.name}")
    what, read = {
        ".parquet": ("Parquet", pl.read_parquet),
        ".json": ("JSON", lambda p: pl.read_json(p, infer_schema_length=None)),
        ".ndjson": ("JSON", lambda p: pl.read_ndjson(p, infer_schema_length=None)),
        ".jsonl": ("JSON", lambda p: pl.read_ndjson(p, infer_schema_length=None)),
    }.get(suffix, ("Arrow", pl.read_ipc))
    with reading(path, f"{what} file"):
        return table_of_frame(read(path))


def read_spreadsheet(path: Path) -> tuple[Table, list[str]]:
    """The first sheet of a workbook, and the names of all."""
    pl = require_polars(f"Reading {path.name}")
    try:
        import fastexcel
    except ModuleNotFoundError as error:
        raise MissingExtraError("fastexcel", "cli", f"Reading {path.name}") from error
    with reading(path, "spreadsheet"):
        sheets = fastexcel.read_excel(path).sheet_names
        read = pl.read_ods if path.suffix.lower() == ".ods" else pl.read_excel
        try:
            frame = read(path, sheet_id=1, infer_schema_length=None)
        except pl.exceptions.NoDataError as error:
            raise TableError(f"The first sheet of {shown(path)} is empty.") from error
        return table_of_frame(frame, strip=True), sheets


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """What a library says of a damaged file, in as many ways as there are bytes, is one error.

    A panic of Rust is no ``Exception``, and its class is another one in each library.
    """
    try:
        yield
    except (TableError, ImportError, MemoryError):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise damaged(path, what, error) from error


def damaged(path: Path, what: str, error: BaseException) -> TableError:
    """An error for a file that is not what its name says."""
    reason = str(error).strip().splitlines()
    return TableError(
        f"{shown(path)} is not a whole {what}: {reason[0][:200] if reason else 'empty'}.",
        "Write or copy it again.",
    )


def table_of_frame(frame: Any, strip: bool = False) -> Table:
    """A table from a polars data frame; ``strip`` takes texts for what people wrote by hand."""
    return Table(_column(series, strip) for series in frame.iter_columns())


def _column(
    series: Any, strip: bool = False, is_text: bool = False, decimal_comma: bool = False
) -> Column:
    """A series; ``strip`` takes outer blanks off, which may reveal numbers unless ``is_text``."""
    pl = require_polars("A data frame of polars")
    name, dtype = series.name, series.dtype
    if dtype == pl.Boolean or dtype.is_numeric():
        kind = "boolean" if dtype == pl.Boolean else "integer" if dtype.is_integer() else "real"
        # Null is NaN there; filling gaps by polars takes a query per column.
        return Column.of_numbers(name, series.cast(float).to_numpy(), kind)
    if dtype in (pl.Date, pl.Datetime, pl.Time):
        holds = "times of day" if dtype == pl.Time else "dates"
        return _coded(name, series.cast(pl.String), "date", holds)
    if dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return Column.of_others(name, len(series), _WORDS.get(dtype.base_type().__name__, ""))
    series = series.cast(pl.String)
    if strip:
        series = series.str.strip_chars()
        series = series.set(series.is_in(list(MISSING)), None)
        numbers = _numbers(series, decimal_comma)
        if not is_text and numbers.null_count() == series.null_count() < len(series):
            return Column.of_numbers(name, numbers.to_numpy(), _kind_of_floats(numbers))
    return _coded(name, series, "text")


def _numbers(series: Any, decimal_comma: bool) -> Any:
    """Texts as floats, null for what is none."""
    if decimal_comma:  # 1.234,5 is 1234.5, for beside such commas a point can only mark thousands
        series = series.set(~series.str.contains(_MARKED), None)
        series = series.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    return series.cast(float, strict=False)


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


def write_frame(
    columns: Mapping[str, Any], file: IO[bytes], separator: str | None, *, header: bool = True
) -> None:
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
        text = part.write_csv(separator=separator, include_header=header and number == 0)
        file.write(text.encode())
