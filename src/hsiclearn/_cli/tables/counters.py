"""Columns that number the rows: no feature, however well the rows were sorted by the target."""

from __future__ import annotations

import re

import numpy as np

from .table import Column, Table

_FEWEST = 10  # rows: in a shorter table 1, 2, 3 may well be measured
_WHOLE = re.compile(r"-?\d{1,15}")


def row_counters(table: Table) -> list[str]:
    """Names of the columns that number the rows.

    Such a column holds whole numbers in steps of one in the order of the rows, from any first
    number, up or down, as numbers or as text. A column of years, one a row, is one too: it says
    no more than the order of the rows does. Tables of fewer than ten rows have none, since there a
    measurement may look the same.
    """
    return [column.name for column in table.columns if numbers_rows(column)]


def numbers_rows(column: Column) -> bool:
    """Whether a column numbers the rows, of which there are enough to tell."""
    return len(column) >= _FEWEST and is_consecutive(column)


def is_consecutive(column: Column) -> bool:
    """Whether a column holds whole numbers in steps of one, in the order of the rows."""
    if column.is_number:
        numbers = column.numbers
    elif column.kind == "text" and len(column.categories) == len(column):
        if not all(_WHOLE.fullmatch(text) for text in column.categories):
            return False
        numbers = np.array([float(text) for text in column.categories])[column.codes]
    else:
        return False
    start = numbers[:2]
    if not start.size or not np.all(start == np.floor(start)) or np.isinf(start).any():
        return False
    step = start[1] - start[0] if start.size > 1 else 1.0
    return abs(step) == 1.0 and np.array_equal(numbers, start[0] + step * np.arange(numbers.size))
