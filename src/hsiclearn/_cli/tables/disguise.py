"""Numbers that were written for people: 12 %, 45,123, 5,3."""

from __future__ import annotations

import re

import numpy as np

from .column import Column

__all__ = ["disguise_of"]

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
