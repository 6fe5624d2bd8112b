"""Columns as features: what each may be, in fit and after it."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .checks import check_category, check_missing, check_number, check_usable
from .dates import as_moments, date_form
from .errors import Problems, TableError, listed, option_for, repeated, shown
from .table import Column, Table

_MOST_FILLED = 0.2  # of the values of a column, without a warning
_MOST_CATEGORIES = 1000  # that one column of text may have to become columns


def as_features(
    table: Table, as_category: Collection[str] = (), *, one_hot: bool = True, impute: bool = False
) -> tuple[list[Column], list[float | str | None]]:
    """The columns as features, and what takes the place of a missing value of each.

    Every problem of the table is in the error.
    """
    problems = Problems()
    called = set(as_category)
    columns: list[Column] = []
    for column in table.columns:
        with problems.caught():
            feature = as_feature(column, is_category=column.name in called)
            _check_count(feature, one_hot=one_hot)
            columns.append(feature)
    fill = [fill_of(column, one_hot=one_hot, impute=impute) for column in columns]
    with problems.caught():
        check_missing(columns, fill)
    problems.tell()
    return columns, fill


def as_feature(column: Column, *, is_category: bool) -> Column:
    """A column as a feature of its kind, or an error that says why it can be none."""
    if is_category:
        check_usable(column)
        return column.as_categories()
    if column.is_number:
        check_usable(column)
        check_number(column)
        return column
    if (form := date_form(column)) is not None:
        return as_moments(column, form)
    check_category(column)
    return column


def _check_count(column: Column, *, one_hot: bool) -> None:
    if one_hot and len(column.categories) > _MOST_CATEGORIES:
        raise TableError(
            f"Column {shown(column.name)} has {len(column.categories)} categories: at most "
            f"{_MOST_CATEGORIES} become columns.",
            "Drop it, or use categories='ordinal'.",
            f"Use {option_for('--drop', column.name)}, or --categories ordinal.",
            ("--drop", column.name),
        )


def fill_of(column: Column, *, one_hot: bool, impute: bool) -> float | str | None:
    """What takes the place of a missing value: for text a category of its own.

    A blank has no place in the order of ``"ordinal"``: there, as for numbers, ``impute`` decides.
    """
    if one_hot and not column.is_number and column.missing.any():
        return blank_name(column.categories)
    return typical_value(column) if impute else None


def blank_name(categories: Collection[str]) -> str:
    """The name of the category of blank cells, which no other has."""
    name, number = "(blank)", 2
    while name in categories:
        name, number = f"(blank {number})", number + 1
    return name


def as_fitted(column: Column, kind: str, form: str) -> Column:
    """A column as what it was in fit, or an error that says what it is now.

    ``form`` is how its dates were written, if it held dates.
    """
    if column.kind == "other":
        check_usable(column)
    if kind == "category":
        return column
    if column.missing.all():
        return Column.of_numbers(column.name, np.full(len(column), np.nan))
    if kind == "date":
        return _as_fitted_date(column, form)
    if column.is_number:
        check_number(column)
        return column
    check_category(column)
    raise TableError(
        f"Column {shown(column.name)} held numbers in fit. Now it holds text, such as "
        f"{shown(column.categories[0])}."
    )


def _as_fitted_date(column: Column, form: str) -> Column:
    if column.is_number:
        raise TableError(
            f"Column {shown(column.name)} held dates in fit. Now it holds numbers, such as "
            f"{column.numbers[~column.missing][0]:g}."
        )
    return as_moments(column, form)


def typical_value(column: Column) -> float | str:
    """The median, or the most frequent category; of several, the first."""
    if column.is_number:
        return float(np.nanmedian(column.numbers))
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
    return column.categories[int(np.argmax(counts))]


def warn_of_filled(imputed: Mapping[str, int], n_rows: int) -> None:
    """Values that were made up are told where they are many."""
    many = [
        f"{shown(name)} ({count / n_rows:.0%})"
        for name, count in imputed.items()
        if count > _MOST_FILLED * n_rows
    ]
    if many:
        warnings.warn(
            f"Many values were missing and were filled with one value: {listed(many)}. A direction "
            "may follow where they were missing: drop such columns, or leave out these rows.",
            UserWarning,
            stacklevel=3,
        )


def check_names(names: Sequence[str], n_rows: int) -> None:
    """The features must be some, and have names of their own."""
    if not names:
        raise TableError(f"All columns have the same text in all {n_rows} rows: nothing is left.")
    if twice := repeated(names):
        raise TableError(
            f"Two features would be called {listed(map(shown, twice))}: a column, and a part of "
            "another.",
            "Rename the column.",
        )


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
