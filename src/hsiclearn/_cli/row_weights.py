"""The column of ``--weights``: how often each row counts."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from .._weights import as_weights
from .console import Console
from .tables import Column, Table, TableError
from .tables.checks import rows_of
from .tables.errors import shown


def weights_of(column: Column) -> FloatArray | None:
    """A weight a row, all of them there; None where each is 1."""
    what = f"The column {shown(column.name)} of --weights"
    if not column.is_number or column.kind == "moment":
        raise TableError(f"{what} must hold numbers: how often each row counts.")
    if (missing := np.flatnonzero(column.missing)).size:
        raise TableError(
            f"{what} is empty in {missing.size} of {len(column)} rows ({rows_of(missing)}).",
            "Fill it with 0 where a row is not to count.",
        )
    weights: FloatArray | None = as_weights(column.numbers, len(column), f"--weights {column.name}")
    return weights


def counted_rows(table: Table, name: str | None, console: Console) -> Table:
    """The rows that count, those of a weight above 0 in this column; all without one."""
    if name is None:
        return table
    weights = weights_of(table.column(name))
    if weights is None or bool(np.all(weights > 0.0)):
        return table
    console.note(
        f"rows of weight 0 in {shown(name)} are left out: {np.count_nonzero(weights == 0)}"
    )
    return table.take(weights > 0.0)


def check_whole(column: Column) -> None:
    """Raise where a weight is no number of rows, which alone can be paired anew."""
    broken = np.flatnonzero(column.numbers != np.round(column.numbers))
    if broken.size:
        raise TableError(
            f"Permutations pair single rows, and the column {shown(column.name)} of --weights "
            f"holds {broken.size} numbers that are not whole ({rows_of(broken)}).",
            "Use --method gamma.",
        )


def total_of(table: Table, name: str | None) -> float:
    """How many rows there are, each as often as it counts."""
    return float(len(table) if name is None else table.column(name).numbers.sum())
