"""Columns as features: what each may be, in fit and after it, and the names they get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .checks import check_category, check_number, check_usable
from .column import Column
from .errors import TableError, listed, shown

__all__ = [
    "as_feature",
    "as_fitted",
    "check_features",
    "feature_names",
    "input_names",
    "typical_value",
]

_MOST_CATEGORIES = 1000  # that one column of text may have to become columns


def as_feature(column: Column, *, is_category: bool) -> Column:
    """A column as a feature of its kind, or an error that says why it can be none."""
    if is_category:
        check_usable(column)
        return column.as_categories()
    if column.is_number:
        check_usable(column)
        check_number(column)
    else:
        check_category(column)
    return column


def as_fitted(column: Column, kind: str) -> Column:
    """A column as what it was in fit, or an error that says what it is now."""
    if column.kind == "other":
        check_usable(column)
    if kind == "category":
        return column
    if column.is_number:
        check_number(column)
        return column
    if column.missing.all():
        return Column.of_numbers(column.name, np.full(len(column), np.nan))
    check_category(column)
    raise TableError(
        f"Column {shown(column.name)} held numbers in fit. Now it holds text, such as "
        f"{shown(column.categories[0])}."
    )


def typical_value(column: Column) -> float | str:
    """The median, or the most frequent category; of several, the first."""
    if column.is_number:
        return float(np.nanmedian(column.numbers))
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
    return column.categories[int(np.argmax(counts))]


def check_features(columns: Sequence[Column], reference: Sequence[str | None]) -> None:
    """The features must be some, not too many, and have names of their own."""
    for column, left_out in zip(columns, reference, strict=True):
        if left_out is not None and len(column.categories) > _MOST_CATEGORIES:
            raise TableError(
                f"Column {shown(column.name)} has {len(column.categories)} categories: at most "
                f"{_MOST_CATEGORIES} become columns.",
                "Drop it, or use categories='ordinal'.",
                "Use --drop for it, or --categories ordinal.",
            )
    names = feature_names(
        [column.name for column in columns],
        [column.categories for column in columns],
        reference,
    )
    if not names:
        raise TableError(
            f"All columns have the same text in all {len(columns[0])} rows: nothing is left."
        )
    if len(set(names)) < len(names):
        twice = dict.fromkeys(shown(name) for name in names if names.count(name) > 1)
        raise TableError(
            f"Two features would be called {listed(twice)}: a column, and a category of another.",
            "Rename the column.",
        )


def feature_names(
    columns: Sequence[str],
    categories: Sequence[Sequence[str]],
    reference: Sequence[str | None],
) -> list[str]:
    """``colour=red`` for each category but the reference; a column without one by its name."""
    names: list[str] = []
    for name, known, left_out in zip(columns, categories, reference, strict=True):
        if left_out is None:
            names.append(name)
        else:
            names += [f"{name}={category}" for category in known if category != left_out]
    return names


def input_names(given: Any, fitted: Sequence[str], *, is_fixed: bool) -> list[str]:
    """The names given for the columns of fit, which must be theirs if these had names."""
    if given is None:
        return list(fitted)
    names = [str(name) for name in given]
    if is_fixed and names != list(fitted):
        raise ValueError(f"input_features is not equal to feature_names_in_. Got {names!r:.200}.")
    if len(names) != len(fitted):
        raise ValueError(
            f"input_features should have length equal to number of features ({len(fitted)}), got "
            f"{len(names)}."
        )
    return names
