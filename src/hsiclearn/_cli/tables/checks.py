"""What a column must be to become a feature. Rows are counted from 1.

Numbers that were written for people, such as 12 %, 45,123 or 5,3, are told from categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from ..._arrays import Array
from .errors import TableError, column_error, listed, shown
from .table import Column, Table

_LEAST = 0.9  # of the cells, that make a column one of numbers
_LOOKED_AT = 10_000  # texts, at least, evenly spread over those in order
_SIGN = r"[-+]?\s?[$€£¥]?\s?[-+]?"
_BREAK = r"[,.'\u2019 \u00a0\u2009\u202f]"
_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
_DISGUISES = {
    "percentages": re.compile(rf"{_SIGN}\d[\d.,]*\s?%"),
    "numbers with thousands separators": re.compile(
        rf"{_SIGN}\d{{1,3}}({_BREAK})\d{{3}}(\1\d{{3}})*([.,]\d+)?\s?[$€£¥]?"
    ),
    "numbers with decimal commas": re.compile(rf"{_SIGN}\d*,\d+\s?[$€£¥]?"),
    "amounts of money": re.compile(
        r"[-+]?\s?[$€£¥]\s?[-+]?\d+(\.\d+)?|[-+]?\d+([.,]\d+)?\s?[$€£¥]"
    ),
}
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d{1,2}([./-])\d{1,2}\2\d{2}(\d\d)?([T ].*)?")
_TIME = re.compile(r"\d{1,2}:\d\d(:\d\d([.,]\d+)?)?( ?[AaPp][Mm])?")
_DATES_LOOKED_AT = 20
_FEW = 50  # categories that no column of text is suspected for
_PLACES: ContextVar[Array | None] = ContextVar("hsiclearn_places", default=None)


def disguise_of(column: Column) -> tuple[str, str] | None:
    """What a column of text seems to hold, with an example; None unless these are numbers."""
    step = max(len(column.categories) // _LOOKED_AT, 1)
    texts = column.categories[::step]
    kinds = [_kind(text) for text in texts]
    weights = np.bincount(column.codes[~column.missing], minlength=len(column.categories))[::step]
    share = weights[[kind is not None for kind in kinds]].sum() / max(weights.sum(), 1)
    found = dict(reversed(list(zip(kinds, texts, strict=True))))  # the first of each
    disguises = [kind for kind in _DISGUISES if kind in found]
    if share < _LEAST or not disguises:
        return None
    # 45,123 may be either; beside 5,3 it is one with a decimal comma.
    likely = "numbers with decimal commas"
    kind = likely if likely in disguises else disguises[0]
    return kind, found[kind]


def _kind(text: str) -> str | None:
    """The disguise of a number, "" for one without, None for other text."""
    for kind, pattern in _DISGUISES.items():
        # 1.234 is a number as it is.
        if pattern.fullmatch(text) and not _PLAIN.fullmatch(text):
            return kind
    return "" if _PLAIN.fullmatch(text) else None


def check_shape(table: Table) -> None:
    """A table to learn from must have rows and columns."""
    for axis, what in ((1, "feature"), (0, "sample")):
        if not table.shape[axis]:
            raise TableError(
                f"A table must have rows and columns. Got 0 {what}(s) (shape={table.shape}) while "
                "a minimum of 1 is required."
            )


def check_number(column: Column) -> None:
    """Numbers must be finite where they are there."""
    infinite = np.flatnonzero(np.isinf(column.numbers))
    if infinite.size:
        values = "an infinite value" if infinite.size == 1 else f"{infinite.size} infinite values"
        raise column_error(
            column.name,
            f"holds {values} ({rows_of(infinite)}): numbers must be finite.",
            "Mend or remove these rows, or drop the column.",
            "Mend or remove these rows, or use {drop}.",
        )


def check_usable(column: Column) -> None:
    """A column must hold numbers or text, and some of it."""
    if column.kind == "other":
        is_duration = "duration" in column.holds
        number = "Replace it by a number, such as seconds; or " if is_duration else ""
        raise column_error(
            column.name,
            f"holds {column.holds or 'lists or records'}, neither numbers nor text.",
            f"{number}drop it.".capitalize(),
            f"{number}use {{drop}}.".capitalize(),
        )
    if column.missing.all():
        problem = f"is empty in all {len(column)} rows."
        raise column_error(column.name, problem, "Drop it.", "Use {drop}.")


def check_category(column: Column) -> None:
    """Text must be categories: no dates, no names of rows, no numbers that are none."""
    check_usable(column)
    if (what := _moments(column)) is not None:
        unit = "days" if what == "dates" else "minutes"
        raise column_error(
            column.name,
            f"holds {what} such as {shown(column.categories[0])}, which are neither numbers nor "
            "categories.",
            f"Drop it, or replace it by a number, such as {unit}.",
            f"Use {{drop}}, or replace it by a number, such as {unit}.",
        )
    if (disguise := disguise_of(column)) is not None:
        what, example = disguise
        raise column_error(
            column.name,
            f"holds text that looks like {what}, such as {shown(example)}.",
            "Write plain numbers, such as 1234.5; or name the column in as_category, or drop it.",
            "Write plain numbers, such as 1234.5; or, if they are categories, use {category}; or "
            "{drop}.",
        )
    _check_not_numbers(column)
    if len(column.categories) > max(_FEW, len(column) / 2):
        raise column_error(
            column.name,
            f"holds {len(column.categories)} different texts in {len(column)} rows: names of rows, "
            "not categories.",
            "Drop it.",
            "Use {drop}, or {id} to keep it as names of rows.",
        )


def _moments(column: Column) -> str | None:
    """``"dates"``, ``"times of day"``, or None for other text."""
    if column.kind == "date":
        return column.holds or "dates"
    some = column.categories[:_DATES_LOOKED_AT]
    for pattern, what in ((_DATE, "dates"), (_TIME, "times of day")):
        if all(pattern.fullmatch(text) for text in some):
            return what
    return None


def _check_not_numbers(column: Column) -> None:
    """More numbers than text: the text is a mistake, or stands for a missing value."""
    is_number = np.array([is_float(text) for text in column.categories])
    good = np.append(is_number, False)[column.codes]
    bad = np.flatnonzero(~good & ~column.missing)
    if bad.size >= np.count_nonzero(good):
        return
    if not bad.size:
        raise column_error(
            column.name,
            f"holds numbers as text, such as {shown(column.categories[0])}.",
            "Turn it into numbers; or, if they are codes, name it in as_category.",
            "Turn it into numbers; or, if they are codes, use {category}.",
            "--category",
        )
    cell = shown(column.categories[column.codes[bad[0]]])
    rows = "row" if bad.size == 1 else f"{bad.size} such rows, the first"
    mend = "Mend such cells, or empty them if the value is missing; if they are codes,"
    raise column_error(
        column.name,
        f"holds numbers, but {cell} is none ({rows} {row_number(bad[0])}).",
        f"{mend} name the column in as_category; or drop it.",
        f"{mend} use {{category}}; or {{drop}}.",
    )


def is_float(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_missing(columns: Sequence[Column], fill: Sequence[object]) -> None:
    """A value may be missing only where a column has a ``fill`` for it."""
    gaps = [
        f"{rows.size} in {shown(column.name)} ({rows_of(rows)})"
        for column, value in zip(columns, fill, strict=True)
        if value is None and (rows := np.flatnonzero(column.missing)).size
    ]
    if gaps:
        raise TableError(
            f"Values are missing (empty or NaN): {listed(gaps)}.",
            "Remove these rows, or use impute=True.",
            "Remove these rows, drop such columns, or use --impute.",
            ("--impute",),
        )


def rows_of(rows: Array, most: int = 3) -> str:
    """Numbers of rows, from 1: ``row 5``, ``rows 5, 17, 40, ...``."""
    first = ", ".join(str(row_number(row)) for row in rows[:most])
    return f"row{'s' if rows.size > 1 else ''} {first}{', ...' if rows.size > most else ''}"


@contextmanager
def rows_from(places: Array) -> Iterator[None]:
    """Rows looked at meanwhile are some of a larger table: messages say where they are in that."""
    token = _PLACES.set(places)
    try:
        yield
    finally:
        _PLACES.reset(token)


def row_number(row: int) -> int:
    """The number of a row for messages, from 1."""
    places = _PLACES.get()
    return int(row if places is None else places[row]) + 1
