"""What one column becomes: a number, a number for each part of a date, or columns of 0 and 1.

Columns of new rows are found by their names, and their categories among those of fit, whatever type
they come with.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from .checks import check_missing, is_float
from .convert import as_table, has_names
from .dates import date_parts, part_values
from .errors import Problems, TableError, listed, shown
from .features import as_fitted, typical_value
from .table import Column, Table

_PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_BOOLEANS = ("true", "false")


@dataclass(frozen=True)
class Coding:
    """What was learned of a column in fit.

    ``kind`` is ``"number"``, ``"date"`` or ``"category"``; ``categories`` are in order, and the
    ``reference`` has no column of 0 and 1 (None if there are none of these); ``fill`` takes the
    place of a missing value; ``date`` holds ``parts``, ``first`` day and ``form`` of dates.
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


def places_among(column: Column, known: Sequence[str]) -> list[int]:
    """The place of each category of a column among the known ones.

    Text must be the same, except that true and false may be spelt with capitals. Booleans and
    numbers are found by their value, for a file that held 7 or True in fit may have been read as
    text, and the next one not.
    """
    texts = column.as_categories().categories
    exact = {} if column.is_number else {text: i for i, text in enumerate(known)}
    by_value = _by_value(known, numbers=column.kind in ("integer", "real"))
    places: list[int] = []
    unknown = []
    for text in texts:
        found = [exact[text]] if text in exact else by_value.get(_value(text, column), [])
        if len(found) > 1:
            raise _ambiguous(column, text, [known[i] for i in found])
        if not found or (column.is_number and not _is_spelling(known[found[0]])):
            unknown.append((text, found))
        places += found
    if unknown:
        raise _unknown(column, unknown, known)
    return places


def _by_value(known: Sequence[str], *, numbers: bool) -> dict[object, list[int]]:
    """Places of the categories that stand for the same number, or the same truth value."""
    found: dict[object, list[int]] = {}
    for i, text in enumerate(known):
        if numbers and is_float(text):
            found.setdefault(float(text), []).append(i)
        elif not numbers and text.casefold() in _BOOLEANS:
            found.setdefault(text.casefold(), []).append(i)
    return found


def _value(text: str, column: Column) -> object:
    return float(text) if column.kind in ("integer", "real") else text.casefold()


def _is_spelling(text: str) -> bool:
    """Whether a number may have been written so: 007 is a name that a number cannot stand for."""
    return _PLAIN.fullmatch(text) is not None or text.casefold() in _BOOLEANS


def _ambiguous(column: Column, text: str, found: Sequence[str]) -> TableError:
    either = " or ".join(map(shown, found))
    return TableError(
        f"Column {shown(column.name)} held text in fit. {text} may be {either} of its categories.",
        "Read the column as text, as in fit.",
    )


def _unknown(
    column: Column, unknown: Sequence[tuple[str, list[int]]], known: Sequence[str]
) -> TableError:
    remedy = "Fit again with such rows, or leave them out."
    if any(found for _, found in unknown):
        remedy = "Read the column as text, as in fit: numbers lose their zeros in front."
    return TableError(
        f"Column {shown(column.name)} holds {listed(shown(text) for text, _ in unknown)}, which "
        f"the model has not seen. It knows {listed(map(shown, known))}.",
        remedy,
    )


def columns_of_fit(X: Any, names: Sequence[str]) -> Table:
    """The columns of these names; by place if X has no names."""
    table = as_table(X)
    if not has_names(X):
        return _by_place(table, names)
    absent = [name for name in names if name not in table]
    if absent:
        raise TableError(
            f"The model needs {len(names)} columns, and {len(absent)} of them "
            f"{'is' if len(absent) == 1 else 'are'} not there: {listed(map(shown, absent))}."
        )
    return table.select(names)


def _by_place(table: Table, names: Sequence[str]) -> Table:
    if table.shape[1] != len(names):
        raise TableError(
            f"X has {table.shape[1]} features, but TableEncoder is expecting "
            f"{len(names)} features as input.",
            "Only tables with names may have columns that the model does not need.",
        )
    if table.names != tuple(names):
        warnings.warn(
            "X does not have valid feature names, but TableEncoder was fitted with feature "
            "names: its columns are taken in the order of fit.",
            UserWarning,
            stacklevel=4,
        )
    return Table(
        replace(column, name=name) for column, name in zip(table.columns, names, strict=True)
    )
