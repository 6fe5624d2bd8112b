"""What an encoder made of a table, in words: column by column, or in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

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
    return [*_of_categories(encoder).values(), *_of_dates(encoder).values(), *gaps]


def summary(encoder: TableEncoder) -> list[str]:
    """The same in a few lines: like facts together, with how many there are."""
    categories, dates = _of_categories(encoder), _of_dates(encoder)
    lines = list(categories.values())
    if len(categories) > _FEW:
        lines = [f"{len(categories)} {_together(encoder)}: {listed(map(shown, categories))}"]
    if len(dates) > _FEW:
        found = [coding.date["parts"] for coding in encoder.codings().values() if coding.date]
        parts = ", ".join(dict.fromkeys(part for each in found for part in each))
        names = listed(map(shown, dates))
        lines.append(f"{len(dates)} columns of dates become {parts}, where these repeat: {names}")
    else:
        lines += dates.values()
    cells = encoder.empty_cells()
    if filled := [f"{n} in {shown(name)} with {what}" for name, n, what, own in cells if not own]:
        lines.append(f"missing values were filled: {listed(filled)}")
    if blank := [f"{n} in {shown(name)}" for name, n, _, own in cells if own]:
        named = listed(dict.fromkeys(what for _, _, what, own in cells if own))
        lines.append(f"blank cells are a category of their own, {named}: {listed(blank)}")
    return lines


def _of_categories(encoder: TableEncoder) -> dict[str, str]:
    """What became of each column of text, by its name."""
    return {
        name: f"column {shown(name)} {_became(coding.categories, coding.reference)}"
        for name, coding in encoder.codings().items()
        if coding.categories
    }


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


def _together(encoder: TableEncoder) -> str:
    """What became of all columns of text."""
    if encoder.categories == "ordinal":
        return "columns of text are numbered in alphabetical order"
    made = sum(len(categories) - 1 for categories in encoder.categories_ if categories)
    return (
        f"columns of text become {made} columns of 0 and 1, which are all 0 for the most frequent "
        "category"
    )


def _of_dates(encoder: TableEncoder) -> dict[str, str]:
    """What became of each column of dates, by its name."""
    found = {}
    for name, coding in encoder.codings().items():
        if coding.date is not None:
            form, parts = coding.date["form"], coding.date["parts"]
            read = "" if form == "year first" else f", read with the {form}"
            became = ", ".join([f"days since {day_of(coding.date['first'])}", *parts[1:]])
            found[name] = f"column {shown(name)} holds dates{read}: it becomes {became}"
    return found
