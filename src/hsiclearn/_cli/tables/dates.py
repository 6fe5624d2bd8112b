"""Dates as numbers: days since the first, and the month, weekday and hour where they repeat."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from .checks import row_number
from .errors import column_error, shown
from .table import Column

_ZONE = r"(?:Z|UTC|[+-]\d\d:?\d\d)?"
_CLOCK = rf"(?:[T ](\d{{1,2}}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?([AaPp][Mm])?\s?{_ZONE})?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_CLOCK}")
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_CLOCK}")
_EPOCH = datetime(1970, 1, 1)
_LOOKED_AT = 20  # texts, spread over those in order, that tell dates from other text
_PARTS = ("month", "weekday", "hour")
_FORMS = ("year first", "day first", "month first")
_DAY = 86_400.0


def date_form(column: Column) -> str | None:
    """How dates are written: ``"year first"``, ``"day first"``, ``"month first"``.

    None for other text; ``"unclear"`` where 3/4/2020 may be in March or in April: no cell has a
    number above 12 in either place, or some have one in each. Dots are for days first, as in
    31.12.2020.
    """
    texts = column.categories
    some = texts[:: max(len(texts) // _LOOKED_AT, 1)]
    n_dates = sum(bool(_YEAR_FIRST.fullmatch(t) or _YEAR_LAST.fullmatch(t)) for t in some)
    if 2 * n_dates <= len(some):
        return None
    found = [match for match in map(_YEAR_LAST.fullmatch, texts) if match]
    if not found:
        return "year first"
    if all(match[2] == "." for match in found):
        return "day first"
    is_day, is_month = (any(int(match[place]) > 12 for match in found) for place in (1, 3))
    if is_day == is_month:
        return "unclear"
    return "day first" if is_day else "month first"


def as_moments(column: Column, form: str) -> Column:
    """Days since 1970-01-01 and the part of a day that has passed; NaN where missing.

    Clocks are read as they stand: the hour is the one on the wall, whatever its zone.
    """
    if form == "unclear":
        raise column_error(
            column.name,
            f"holds dates such as {shown(column.categories[0])}, whose day and month cannot be "
            "told apart.",
            "Write them as 2020-12-31, name the column in as_category, or drop it.",
            "Write them as 2020-12-31; or use {category}, or {drop}.",
        )
    days = np.array([*(_days(text, form) for text in column.categories), np.nan])
    bad = np.flatnonzero(np.isnan(days[:-1]))
    if bad.size:
        row = row_number(int(np.argmax(column.codes == bad[0])))
        raise column_error(
            column.name,
            f"holds dates, but {shown(column.categories[bad[0]])} is none (row {row}).",
            "Mend such cells, or empty them; or drop the column.",
            "Mend such cells, or empty them; or use {drop}.",
        )
    return Column(column.name, "moment", numbers=days[column.codes], holds=form)


def _days(text: str, form: str) -> float:
    """Days since 1970 of a text; NaN if it is no date. One with the year in front always is."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = match[1], match[3], match[4]
    elif (match := _YEAR_LAST.fullmatch(text)) and form != "year first":
        day, month, year = match[1], match[3], match[4]
        if form == "month first":
            day, month = month, day
    else:
        return float("nan")
    hour, minute, second = (int(match[group] or 0) for group in (5, 6, 7))
    if match[8]:
        hour = hour % 12 + (12 if match[8].lower() == "pm" else 0)
    try:
        moment = datetime(int(year), int(month), int(day), hour, minute, second)
    except ValueError:
        return float("nan")
    return (moment - _EPOCH).total_seconds() / _DAY


def date_parts(days: FloatArray) -> list[str]:
    """The numbers that a column of dates becomes: ``days``, and whatever repeats.

    A month is one of them if years hold two different months or more on average, and there are
    several years; weekdays in weeks and hours in days likewise. Of birthdays the weekday is
    noise, of sales it is not.
    """
    whole = days[~np.isnan(days)]
    weeks = np.floor((whole + 3) / 7)
    units = {"month": _since_1970(whole, "Y"), "weekday": weeks, "hour": np.floor(whole)}
    parts = ["days"]
    for part in _PARTS:
        pairs = np.unique(np.column_stack([units[part], part_values(whole, part, 0.0)]), axis=0)
        n_units = np.unique(units[part]).size
        if n_units > 1 and 2 * n_units <= pairs.shape[0]:
            parts.append(part)
    return parts


def part_values(days: FloatArray, part: str, first: float) -> FloatArray:
    """One of the parts: days since the first, month 1 to 12, weekday 1 (Monday) to 7, hour."""
    if part == "days":
        return days - first
    if part == "weekday":
        return np.floor(days + 3) % 7 + 1  # 1970 began on a Thursday
    if part == "hour":
        return np.floor(np.round((days - np.floor(days)) * _DAY) / 3600)
    return _since_1970(days, "M") % 12 + 1


def _since_1970(days: FloatArray, unit: str) -> FloatArray:
    """Whole months (``"M"``) or years (``"Y"``)."""
    whole = np.floor(days).astype(np.int64).astype("datetime64[D]").astype(f"datetime64[{unit}]")
    return whole.astype(np.int64).astype(np.float64)


def is_date_fact(value: Any) -> bool:
    """Whether a value is what an encoder keeps of a column of dates: a file may hold anything."""
    return (
        isinstance(value, dict)
        and value.keys() == {"parts", "first", "form"}
        and isinstance(value["parts"], list)
        and value["parts"][:1] == ["days"]
        and all(part in _PARTS for part in value["parts"][1:])
        and isinstance(value["first"], float)
        and value["form"] in _FORMS
    )


def day_of(days: float) -> str:
    """The date of so many days since 1970, for messages."""
    return str(np.datetime64(int(np.floor(days)), "D"))
