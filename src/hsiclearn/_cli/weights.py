"""How often each row counts: the column of ``--weights``."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from .._weights import as_weights
from .console import Console
from .tables import Table, TableError
from .tables.checks import rows_of
from .tables.errors import shown
from .tables.table import Column


def weights_of(column: Column) -> FloatArray:
    """Its numbers, or an error that names the rows."""
    what = f"The column {shown(column.name)} of --weights"
    if not column.is_number:
        raise TableError(
            f"{what} must hold numbers. It holds {'text' if column.kind == 'text' else 'others'}.",
            "Name a column that says how often each row counts.",
        )
    numbers = np.asarray(column.numbers, dtype=np.float64)
    missing, wrong = np.flatnonzero(column.missing), np.flatnonzero(numbers < 0.0)
    if missing.size:
        raise TableError(
            f"{what} is missing in {missing.size} of {numbers.size} rows ({rows_of(missing)}).",
            "Give rows that are not to count weight 0.",
        )
    if wrong.size:
        raise TableError(
            f"{what} must not be negative. It is {numbers[wrong[0]]:g} in row {wrong[0] + 1}.",
            "Give rows that are not to count weight 0.",
        )
    try:
        as_weights(numbers, numbers.size, what)
    except ValueError as error:
        raise TableError(str(error).replace("`", "")) from error
    return numbers


def rows_that_count(
    table: Table, weights: FloatArray, console: Console
) -> tuple[Table, FloatArray]:
    """Those of a weight above 0, and their weights."""
    counts = weights > 0.0
    if counts.all():
        return table, weights
    console.note(f"rows of weight 0 are left out: {np.count_nonzero(~counts)}")
    return table.take(counts), weights[counts]


def check_whole(column: Column) -> None:
    """Raise where a weight is no number of rows: such rows cannot be paired anew."""
    broken = np.flatnonzero(column.numbers != np.round(column.numbers))
    if broken.size:
        raise TableError(
            f"Permutations pair single rows, and the column {shown(column.name)} of --weights "
            f"holds {broken.size} numbers that are not whole ({rows_of(broken)}).",
            "Use --method gamma.",
        )


def total_of(table: Table, name: str | None) -> float:
    """How many rows there are, each as often as the column of ``--weights`` says."""
    return float(len(table) if name is None else table.column(name).numbers.sum())
