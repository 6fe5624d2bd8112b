"""What one column becomes: a number, a number for each part of a date, or columns of 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from .checks import check_missing
from .column import Column
from .dates import date_parts, part_values
from .errors import Problems
from .features import as_fitted, typical_value
from .matching import places_among
from .table import Table

__all__ = ["Coding", "fitted_columns", "learn"]


@dataclass(frozen=True)
class Coding:
    """What was learned of a column in fit.

    Attributes
    ----------
    kind : {"number", "date", "category"}
    categories : sequence of str
        In order; empty unless a category.
    reference : str or None
        The category without a column of 0 and 1; None if the column has none of these.
    fill : float, str or None
        What takes the place of a missing value.
    date : mapping or None
        Of a date the ``parts``, the ``first`` day, and the ``form`` of its text.
    """

    kind: str
    categories: Sequence[str]
    reference: str | None
    fill: float | str | None
    date: Mapping[str, Any] | None

    @property
    def width(self) -> int:
        """Number of columns in the matrix."""
        if self.date is not None:
            return len(self.date["parts"])
        return 1 if self.reference is None else len(self.categories) - 1

    def names(self, column: str) -> list[str]:
        """``colour=red`` for each category but the reference, ``sold:month`` for parts of dates."""
        if self.date is not None:
            return [f"{column}:{part}" for part in self.date["parts"]]
        if self.reference is None:
            return [column]
        return [
            f"{column}={category}" for category in self.categories if category != self.reference
        ]

    def values(self, column: Column) -> FloatArray:
        """Numbers, days, or places of categories; gaps are filled."""
        if self.kind != "category":
            numbers = column.numbers
            return numbers if self.fill is None else np.where(np.isnan(numbers), self.fill, numbers)
        gap = -1 if self.fill is None else self.categories.index(str(self.fill))
        places = [*places_among(column, self.categories), gap]
        return np.array(places, dtype=np.float64)[column.as_categories().codes]

    def write(self, values: FloatArray, out: FloatArray) -> None:
        """Write the values into the part of a matrix that is theirs."""
        if self.date is not None:
            for k, part in enumerate(self.date["parts"]):
                out[:, k] = part_values(values, part, float(self.date["first"]))
        elif self.reference is None:
            out[:, 0] = values
        else:
            left_out = self.categories.index(self.reference)
            places = values.astype(np.intp)
            rows = np.flatnonzero(places != left_out)
            out[...] = 0.0
            out[rows, places[rows] - (places[rows] > left_out)] = 1.0

    def fitted(self, column: Column) -> Column:
        """A column of new rows as it was in fit, or an error that says what it is now."""
        column = as_fitted(column, self.kind, "" if self.date is None else self.date["form"])
        if self.kind == "category":
            places_among(column, self.categories)  # each must be known
        return column


def learn(column: Column, fill: float | str | None, *, one_hot: bool) -> Coding:
    """What becomes of a feature."""
    if column.kind == "moment":
        first = float(np.nanmin(column.numbers))
        date = {"parts": date_parts(column.numbers), "first": first, "form": column.holds}
        return Coding("date", (), None, fill, date)
    if column.is_number:
        return Coding("number", (), None, fill, None)
    if one_hot and column.missing.any():
        column = column.with_blanks_as(str(fill))
    reference = str(typical_value(column)) if one_hot else None
    return Coding("category", column.categories, reference, fill, None)


def fitted_columns(table: Table, codings: Sequence[Coding]) -> list[Column]:
    """The columns of new rows as those of fit were; every problem of theirs is in the error."""
    problems = Problems()
    columns, fill = [], []
    for column, coding in zip(table.columns, codings, strict=True):
        with problems.caught():
            columns.append(coding.fitted(column))
            fill.append(coding.fill)
    with problems.caught():
        check_missing(columns, fill)
    problems.tell()
    return columns
