"""The table a command works on: read, looked at, and told about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from .._arrays import Array, FloatArray
from ..tables import Table, TableEncoder, TableError, read_table
from ..tables.errors import listed, shown
from .console import Console

__all__ = [
    "check_magnitude",
    "column_names",
    "constant_columns",
    "encoding_notes",
    "maybe_names",
    "open_table",
    "row_names",
]

_LARGEST = 1e70
_FEW = 20  # categories that are never too many; --category allows any number


def open_table(path: Path, console: Console, fewest: int = 1, text: Iterable[str] = ()) -> Table:
    """Read a file that must have some rows; columns of ``text`` are not taken for numbers."""
    with console.status(f"Reading {path.name}"):
        table = read_table(path, text=tuple(text))
    for note in table.notes:
        console.note(note)
    if not len(table):
        raise TableError(f"{shown(path)} has names of columns but no rows.")
    if len(table) < fewest:
        raise TableError(f"{shown(path)} has {len(table)} row: at least {fewest} are needed.")
    return table


def column_names(asked: Iterable[str] | None, table: Table) -> list[str]:
    """Names given to an option, which may be separated by commas; unknown ones are an error."""
    names: list[str] = []
    for text in asked or ():
        # A name may hold a comma itself.
        names += [text] if text in table else [part.strip() for part in text.split(",")]
    for name in names:
        table.column(name)
    return list(dict.fromkeys(names))


def maybe_names(asked: Iterable[str]) -> list[str]:
    """Names that an option may mean, before the names of the columns are known."""
    names = [part for text in asked for part in (text, *(p.strip() for p in text.split(",")))]
    return list(dict.fromkeys(names))


def row_names(table: Table, name: str | None) -> list[str] | None:
    """The column of ``--id`` as texts; rows without a name have the empty one."""
    if name is None:
        return None
    values = table.column(name).as_categories().values
    return ["" if value is None else str(value) for value in values]


def encoding_notes(encoder: TableEncoder, n_rows: int, console: Console) -> None:
    """Say what became of categories and of missing values."""
    encoded = zip(encoder.columns_, encoder.categories_, encoder.reference_, strict=True)
    for name, categories, reference in encoded:
        if categories:
            console.note(f"column {shown(name)} {_became(categories, reference)}")
        if reference is not None and len(categories) > max(_FEW, n_rows / 2):
            console.warn(
                f"column {shown(name)} has {len(categories)} categories in {n_rows} rows: columns "
                "that single out rows fit anything; leave it out by --drop"
            )
    for name, count in encoder.imputed_.items():
        value = encoder.fill_[encoder.columns_.index(name)]
        shown_value = shown(value) if isinstance(value, str) else f"{value:g}"
        console.note(f"{count} missing in column {shown(name)} filled with {shown_value}")


def _became(categories: Sequence[str], reference: str | None) -> str:
    """What became of a column with these categories; without a reference it was numbered."""
    if reference is None:
        order = " < ".join(shown(c) for c in categories[:8])
        return f"is numbered in this order: {order}{' < ...' if len(categories) > 8 else ''}"
    others = [shown(category) for category in categories if category != reference]
    if not others:
        return f"is {shown(reference)} in all rows: no part in any direction"
    if len(others) == 1:
        return f"is 0 for {shown(reference)}, 1 for {others[0]}"
    return (
        f"becomes {len(others)} columns of 0 and 1; {shown(reference)}, the most frequent, is "
        "where all are 0"
    )


def constant_columns(X: FloatArray, names: Sequence[str] | Array, console: Console) -> None:
    """Say which columns have no part in any direction."""
    constant = [
        shown(name)
        for name, low, high in zip(names, X.min(0), X.max(0), strict=True)
        if low == high
    ]
    if len(constant) == len(names):
        raise TableError(
            f"All columns are constant over {X.shape[0]} rows ({listed(constant)}): there is "
            "nothing to find."
        )
    if constant:
        verb = "column {} is" if len(constant) == 1 else "columns {} are"
        console.note(f"{verb.format(listed(constant))} constant: no part in any direction")


def check_magnitude(table: Table) -> None:
    """Numbers may be finite and yet too large to be squared and summed."""
    culprits = [
        shown(column.name)
        for column in table.columns
        if np.any((np.abs(column.numbers) > _LARGEST) & np.isfinite(column.numbers))
    ]
    if culprits:
        raise TableError(
            f"Numbers in {listed(culprits)} are too large: at most {_LARGEST:g} can be squared and "
            "summed."
        )
