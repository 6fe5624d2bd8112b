"""What an encoder made of a table, in words: column by column, or in a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .dates import day_of
from .encoder import TableEncoder
from .errors import listed, shown

_FEW = 3  # columns of a kind that are told one by one


def account(encoder: TableEncoder) -> list[str]:
    """What became of each column that is no plain number, and of missing values: a line each.

    >>> import pandas as pd
    >>> from hsiclearn._cli.tables import TableEncoder, account
    >>> sizes, sexes = [1.0, None, 3.0, 4.0, 5.0, 3.5], ["f", "m", "f", "f", None, "m"]
    >>> frame = pd.DataFrame({"size": sizes, "sex": sexes})
    >>> for line in account(TableEncoder(impute=True).fit(frame)):
    ...     print(line)
    column 'sex' becomes 2 columns of 0 and 1; 'f', the most frequent, is where all are 0
    1 missing in column 'size' filled with 3.5, the median
    1 blank in column 'sex' kept as the category '(blank)'
    """
    gaps = [
        f"{n} blank in column {shown(name)} kept as the category {what}"
        if is_blank
        else f"{n} missing in column {shown(name)} filled with {what}"
        for name, n, what, is_blank in encoder.empty_cells()
    ]
    return [*_of_categories(encoder), *_of_dates(encoder), *gaps]


def summary(encoder: TableEncoder) -> list[str]:
    """The same in a few lines: like facts together, with how many there are."""
    categories, dates = _of_categories(encoder), _of_dates(encoder)
    lines = categories if len(categories) <= _FEW else [_categories_together(encoder)]
    lines += dates if len(dates) <= _FEW else [_dates_together(encoder)]
    cells = encoder.empty_cells()
    if filled := [f"{n} in {shown(name)} with {what}" for name, n, what, own in cells if not own]:
        lines.append(f"missing values were filled: {listed(filled)}")
    if blank := [f"{n} in {shown(name)}" for name, n, _, own in cells if own]:
        named = listed(dict.fromkeys(what for _, _, what, own in cells if own))
        lines.append(f"blank cells are a category of their own, {named}: {listed(blank)}")
    return lines


def _of_categories(encoder: TableEncoder) -> list[str]:
    facts = zip(encoder.columns_, encoder.categories_, encoder.reference_, strict=True)
    return [
        f"column {shown(name)} {_became(categories, reference)}"
        for name, categories, reference in facts
        if categories
    ]


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


def _categories_together(encoder: TableEncoder) -> str:
    facts = zip(encoder.columns_, encoder.categories_, strict=True)
    found = {name: len(categories) for name, categories in facts if categories}
    names = listed(map(shown, found))
    if encoder.categories == "ordinal":
        return f"{len(found)} columns of text are numbered in alphabetical order: {names}"
    made = sum(found.values()) - len(found)
    return (
        f"{len(found)} columns of text become {made} columns of 0 and 1, which are all 0 for the "
        f"most frequent category: {names}"
    )


def _of_dates(encoder: TableEncoder) -> list[str]:
    facts = zip(encoder.columns_, encoder.dates_, strict=True)
    return [f"column {shown(name)} {_date(date)}" for name, date in facts if date is not None]


def _date(date: Mapping[str, Any]) -> str:
    parts = [f"days since {day_of(date['first'])}", *date["parts"][1:]]
    read = "" if date["form"] == "year first" else f", read with the {date['form']}"
    return f"holds dates{read}: it becomes {', '.join(parts)}"


def _dates_together(encoder: TableEncoder) -> str:
    facts = zip(encoder.columns_, encoder.dates_, strict=True)
    found = {name: date["parts"] for name, date in facts if date is not None}
    parts = dict.fromkeys(part for each in found.values() for part in each)
    return (
        f"{len(found)} columns of dates become {', '.join(parts)}, where these repeat: "
        f"{listed(map(shown, found))}"
    )
