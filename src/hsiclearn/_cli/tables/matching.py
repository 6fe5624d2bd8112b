"""Categories of new rows among those of fit, whatever type they come with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .checks import is_float
from .column import Column
from .errors import TableError, listed, shown

__all__ = ["places_among"]

_PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_BOOLEANS = ("true", "false")


def places_among(column: Column, known: Sequence[str]) -> list[int]:
    """The place of each category of a column among the known ones.

    Text must be the same, except that true and false may be spelt with capitals. Booleans and
    numbers are found by their value, for a file that held 7 or True in fit may have been read as
    text, and the next one not.

    Parameters
    ----------
    column : Column
        As it came, numbers or text.
    known : sequence of str

    Returns
    -------
    list of int
        Of each of ``column.as_categories().categories``.
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
