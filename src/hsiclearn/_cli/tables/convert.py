"""Tables from arrays and data frames."""

from __future__ import annotations

from datetime import time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from ..._arrays import Array
from ._polars import table_of_frame
from .errors import TableError
from .table import Column, Table

_NUMBERS = Real | Decimal
_OTHERS = (
    (timedelta | np.timedelta64, "durations"),
    (bytes | bytearray | memoryview, "binary data"),
    (list | tuple | dict | set | np.ndarray, "lists or records"),
)


def as_table(X: Any) -> Table:
    """A table from a data frame of pandas or polars, or from a two-dimensional array.

    Columns of an array are called x0, x1, ... Columns of float64 are not copied.
    """
    if isinstance(X, Table):
        return X
    if hasattr(X, "iter_columns") and hasattr(X, "schema"):  # polars
        return table_of_frame(X)
    if hasattr(X, "iloc") and hasattr(X, "columns"):  # pandas
        series = (X.iloc[:, j] for j in range(X.shape[1]))
        return Table(
            _from_pandas(str(name), column) for name, column in zip(X.columns, series, strict=True)
        )
    array = _as_array(X)
    return Table(_from_array(f"x{j}", array[:, j]) for j in range(array.shape[1]))


def has_names(X: Any) -> bool:
    """Whether the columns have names of their own."""
    return isinstance(X, Table) or hasattr(X, "columns")


def _as_array(X: Any) -> Array:
    if hasattr(X, "toarray"):
        raise TableError("A sparse matrix is no table.", "Use X.toarray() if there is room.")
    array = np.asarray(X)
    if array.ndim != 2:
        raise TableError(
            f"A table must have two dimensions, rows and columns. Got shape {array.shape}.",
            "Reshape your data: array.reshape(-1, 1) is one column, array.reshape(1, -1) one row.",
        )
    if array.dtype.kind == "c":
        raise TableError(f"Complex data not supported. Got dtype {array.dtype}.")
    return array


def _from_pandas(name: str, series: Any) -> Column:
    """A column of a pandas data frame; its extension types have a ``kind`` too."""
    kind = getattr(series.dtype, "kind", "O")
    if kind in "biuf":
        numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return Column.of_numbers(name, numbers, {"b": "boolean", "f": "real"}.get(kind, "integer"))
    return _from_array(name, series.to_numpy())


def _from_array(name: str, values: Array) -> Column:
    """A column of an array, by its type; of objects, by what they are."""
    kind = values.dtype.kind
    if kind in "biuf":
        return Column.of_numbers(name, values)
    if kind == "m":
        return Column.of_others(name, values.size, "durations")
    if kind == "M":
        if np.datetime_data(values.dtype)[0] in "YMW":
            values = values.astype("datetime64[D]")
        texts = [None if np.isnat(value) else str(value) for value in values]
        return Column.of_texts(name, texts, "date", "dates")
    if kind in "US":
        return Column.of_texts(name, values.astype(str).tolist())
    if kind == "O":
        return _from_objects(name, values.tolist())
    raise TableError(f"Numbers or text are needed. Got dtype {values.dtype} in column {name!r}.")


def _from_objects(name: str, cells: list[Any]) -> Column:
    present = [not _is_missing(cell) for cell in cells]
    kept = [cell for cell, there in zip(cells, present, strict=True) if there]
    if kept and all(isinstance(cell, _NUMBERS) for cell in kept):
        numbers = np.full(len(cells), np.nan)
        numbers[present] = np.asarray(kept, dtype=np.float64)
        return Column.of_numbers(name, numbers, _kind_of_numbers(kept))
    for types, holds in _OTHERS:
        if any(isinstance(cell, types) for cell in kept):
            return Column.of_others(name, len(cells), holds)
    texts = (str(cell) if there else None for cell, there in zip(cells, present, strict=True))
    if kept and all(hasattr(cell, "isoformat") for cell in kept):
        is_time = all(isinstance(cell, time) for cell in kept)
        return Column.of_texts(name, texts, "date", "times of day" if is_time else "dates")
    return Column.of_texts(name, texts)


def _kind_of_numbers(cells: list[Any]) -> str:
    for kind, types in (("boolean", bool | np.bool_), ("integer", int | np.integer)):
        if all(isinstance(cell, types) for cell in cells):
            return kind
    return "real"


def _is_missing(cell: Any) -> bool:
    """None, NaN and pandas' NA, which is equal to nothing and has no truth value."""
    if isinstance(cell, str | list | tuple | dict | np.ndarray):
        return False  # an array is equal to itself in each of its parts
    try:
        return cell is None or bool(cell != cell)  # noqa: PLR0124
    except (TypeError, ArithmeticError):
        return True
