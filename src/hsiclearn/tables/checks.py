"""What a column must be to become a feature. Rows are counted from 1."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import numpy as np

from .._arrays import Array
from .column import Column
from .errors import TableError, listed, shown

__all__ = [
    "check_category",
    "check_missing",
    "check_number",
    "is_float",
    "is_identifier",
    "rows_of",
]

_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d{1,2}([./-])\d{1,2}\2\d{2}(\d\d)?([T ].*)?")
_DATES_LOOKED_AT = 20
_FEW = 50  # categories that no column of text is suspected for


def check_number(column: Column) -> None:
    """Numbers must be finite where they are there."""
    infinite = np.flatnonzero(np.isinf(column.numbers))
    if infinite.size:
        raise TableError(
            f"Column {shown(column.name)} holds {_values(infinite.size, 'infinite')} "
            f"({rows_of(infinite)}): numbers must be finite.",
            "Mend or remove these rows, or drop the column.",
            f"Mend or remove these rows, or use {_drop(column)}.",
        )


def check_category(column: Column) -> None:
    """Text must be categories: no dates, no names of rows, no numbers with a few bad cells."""
    if column.kind == "other":
        raise TableError(
            f"Column {shown(column.name)} holds lists or records, neither numbers nor text.",
            "Drop it.",
            f"Use {_drop(column)}.",
        )
    if column.missing.all():
        raise TableError(
            f"Column {shown(column.name)} is empty in all {len(column)} rows.",
            "Drop it.",
            f"Use {_drop(column)}.",
        )
    if _is_date(column):
        raise TableError(
            f"Column {shown(column.name)} holds dates such as {shown(column.categories[0])}, which "
            "are neither numbers nor categories.",
            "Drop it, or replace it by a number, such as days.",
            f"Use {_drop(column)}, or replace it by a number, such as days.",
        )
    _check_not_numbers(column)
    if is_identifier(column):
        raise TableError(
            f"Column {shown(column.name)} holds {len(column.categories)} different texts in "
            f"{len(column)} rows: names of rows, not categories.",
            "Drop it.",
            f"Use {_drop(column)}, or {_option('--id', column.name)} to keep it as names of rows.",
        )


def is_identifier(column: Column) -> bool:
    """Whether a column of text has almost as many different values as rows."""
    return len(column.categories) > max(_FEW, len(column) / 2)


def _is_date(column: Column) -> bool:
    some = column.categories[:_DATES_LOOKED_AT]
    return column.kind == "date" or all(_DATE.fullmatch(text) for text in some)


def _check_not_numbers(column: Column) -> None:
    """More numbers than text: the text is a mistake, or stands for a missing value."""
    is_number = np.array([is_float(text) for text in column.categories])
    good = np.append(is_number, False)[column.codes]
    bad = np.flatnonzero(~good & ~column.missing)
    if bad.size >= np.count_nonzero(good):
        return
    cell = column.categories[column.codes[bad[0]]]
    rows = "row" if bad.size == 1 else f"{bad.size} such rows, the first"
    raise TableError(
        f"Column {shown(column.name)} holds numbers, but {shown(cell)} is none ({rows} "
        f"{bad[0] + 1}).",
        "Mend such cells, or empty them if the value is missing; or drop the column.",
        f"Mend such cells, or empty them if the value is missing; or use {_drop(column)}.",
    )


def is_float(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_missing(columns: Sequence[Column], *, impute: bool) -> dict[str, int]:
    """How many values each column lacks, where it does; an error unless they may be filled."""
    gaps = {column.name: np.flatnonzero(column.missing) for column in columns}
    gaps = {name: rows for name, rows in gaps.items() if rows.size}
    if gaps and not impute:
        parts = [f"{rows.size} in {shown(name)} ({rows_of(rows)})" for name, rows in gaps.items()]
        raise TableError(
            f"Values are missing: {listed(parts)}.",
            "Remove these rows, or use impute=True.",
            "Remove these rows, drop such columns, or use --impute.",
        )
    return {name: int(rows.size) for name, rows in gaps.items()}


def rows_of(rows: Array, most: int = 3) -> str:
    """Numbers of rows, from 1: ``row 5``, ``rows 5, 17, 40, ...``."""
    first = ", ".join(str(row + 1) for row in rows[:most])
    return f"row{'s' if rows.size > 1 else ''} {first}{', ...' if rows.size > most else ''}"


def _values(count: int, what: str) -> str:
    return f"an {what} value" if count == 1 else f"{count} {what} values"


def _drop(column: Column) -> str:
    return _option("--drop", column.name)


def _option(option: str, name: str) -> str:
    """An option as it may be typed."""
    return f"{option} {shlex.quote(name) if name.isprintable() else shown(name)}"
