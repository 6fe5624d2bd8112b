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
    "open_table",
    "row_names",
]

_LARGEST = 1e70


def open_table(path: Path, console: Console, fewest: int = 1) -> Table:
    """Read a file that must have some rows."""
    with console.status(f"Reading {path.name}"):
        table = read_table(path)
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


def row_names(table: Table, name: str | None) -> list[str] | None:
    """The column of ``--id`` as texts; rows without a name have the empty one."""
    if name is None:
        return None
    values = table.column(name).as_categories().values
    return ["" if value is None else str(value) for value in values]


def encoding_notes(encoder: TableEncoder, console: Console) -> None:
    """Say what became of categories and of missing values."""
    for name, categories in zip(encoder.columns_, encoder.categories_, strict=True):
        if categories and encoder.categories == "ordinal":
            order = " < ".join(shown(c) for c in categories[:8])
            order += " < ..." if len(categories) > 8 else ""
            console.note(f"column {shown(name)} is numbered in this order: {order}")
        elif len(categories) == 2:
            console.note(
                f"column {shown(name)} is 0 for {shown(categories[0])}, 1 for "
                f"{shown(categories[1])}"
            )
        elif categories:
            console.note(f"column {shown(name)} becomes {len(categories)} columns of 0 and 1")
    for name, count in encoder.imputed_.items():
        value = encoder.fill_[encoder.columns_.index(name)]
        shown_value = shown(value) if isinstance(value, str) else f"{value:g}"
        console.note(f"{count} missing in column {shown(name)} filled with {shown_value}")


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


def check_magnitude(X: FloatArray, names: Sequence[str] | Array) -> None:
    """Numbers may be finite and yet too large to be squared and summed."""
    bad = np.flatnonzero(np.maximum(X.max(axis=0), -X.min(axis=0)) > _LARGEST)
    if bad.size:
        culprits = listed(shown(names[int(j)]) for j in bad)
        raise TableError(
            f"Numbers in {culprits} are too large: at most {_LARGEST:g} can be squared and summed."
        )
