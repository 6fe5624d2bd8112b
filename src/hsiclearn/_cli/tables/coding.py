"""What one column becomes: a number, a number for each part of a date, or columns of 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from ..._linalg import weighted_median
from .checks import is_float
from .dates import date_parts, part_values
from .errors import TableError, listed, shown
from .table import Column

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

    def names(self, column: str) -> list[str]:
        """``colour=red`` for each category but the reference, ``sold:month`` for parts of dates."""
        if self.date is not None:
            return [f"{column}:{part}" for part in self.date["parts"]]
        if self.reference is None:
            return [column]
        return [f"{column}={text}" for text in self.categories if text != self.reference]

    def write(self, column: Column, out: FloatArray) -> None:
        """Write the column, with gaps filled, into the columns of a matrix that have its names."""
        values = self._values(column)
        if self.date is not None:
            for k, part in enumerate(self.date["parts"]):
                out[:, k] = part_values(values, part, float(self.date["first"]))
        elif self.reference is None:
            out[:, 0] = values
        else:
            others = [i for i, text in enumerate(self.categories) if text != self.reference]
            np.equal(values[:, np.newaxis], others, out=out)

    def _values(self, column: Column) -> FloatArray:
        """Numbers, days, or places of categories."""
        if self.kind != "category":
            numbers = column.numbers
            return numbers if self.fill is None else np.where(np.isnan(numbers), self.fill, numbers)
        gap = -1 if self.fill is None else self.categories.index(str(self.fill))
        places = [*places_among(column, self.categories), gap]
        return np.array(places, dtype=np.float64)[column.as_categories().codes]


def learn(
    column: Column, *, one_hot: bool, impute: bool, weights: FloatArray | None = None
) -> Coding:
    """What becomes of a feature; what is frequent or in the middle is so by weight.

    Blank text is a category of its own; in the order of ``"ordinal"`` it has no place: there, as
    for numbers, ``impute`` decides what stands in for it.
    """
    fill = _typical_value(column, weights) if impute else None
    if column.kind == "moment":
        first = float(np.nanmin(column.numbers))
        date = {"parts": date_parts(column.numbers), "first": first, "form": column.holds}
        return Coding("date", (), None, fill, date)
    if column.is_number:
        return Coding("number", (), None, fill, None)
    if one_hot and column.missing.any():
        fill = _blank_name(column.categories)
        column = column.with_blanks_as(fill)
    reference = str(_typical_value(column, weights)) if one_hot else None
    return Coding("category", column.categories, reference, fill, None)


def _typical_value(column: Column, weights: FloatArray | None) -> float | str:
    """The median, or the most frequent category; of several, the first."""
    known = ~column.missing
    v = None if weights is None else weights[known]
    if column.is_number:
        if v is not None:
            return weighted_median(column.numbers[known], v)
        return float(np.nanmedian(column.numbers))
    counts = np.bincount(column.codes[known], v, minlength=len(column.categories))
    return column.categories[int(np.argmax(counts))]


def _blank_name(categories: Collection[str]) -> str:
    """The name of the category of blank cells, which no other has."""
    name, number = "(blank)", 2
    while name in categories:
        name, number = f"(blank {number})", number + 1
    return name


def places_among(column: Column, known: Sequence[str]) -> list[int]:
    """The place of each category of a column among the known ones.

    Text must be the same, except that true and false may be spelt with capitals. Booleans and
    numbers are found by their value, for a file that held 7 or True in fit may have been read as
    text, and the next one not.
    """
    is_quantity = column.kind in ("integer", "real")
    exact = {} if column.is_number else {text: i for i, text in enumerate(known)}
    by_value: dict[object, list[int]] = {}
    for i, text in enumerate(known):
        if is_float(text) if is_quantity else text.casefold() in _BOOLEANS:
            by_value.setdefault(_value(text, is_quantity), []).append(i)
    places: list[int] = []
    unknown = []
    for text in column.as_categories().categories:
        found = [exact[text]] if text in exact else by_value.get(_value(text, is_quantity), [])
        if len(found) > 1:
            raise _ambiguous(column, text, [known[i] for i in found])
        if not found or (column.is_number and not _is_spelling(known[found[0]])):
            unknown.append((text, found))
        places += found
    if unknown:
        raise _unknown(column, unknown, known)
    return places


def _value(text: str, is_quantity: bool) -> object:
    return float(text) if is_quantity else text.casefold()


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
