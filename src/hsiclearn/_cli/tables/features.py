"""Columns as features: what each may be, in fit and after it."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from .checks import check_category, check_missing, check_number, check_usable
from .coding import Coding, learn, places_among
from .convert import as_table, has_names
from .dates import as_moments, date_form
from .errors import Problems, TableError, column_error, listed, repeated, shown
from .table import Column, Table

_MOST_FILLED = 0.2  # of the values of a column, without a warning
_MOST_CATEGORIES = 1000  # that one column of text may have to become columns


def as_features(
    table: Table,
    as_category: Collection[str] = (),
    *,
    one_hot: bool = True,
    impute: bool = False,
    weights: FloatArray | None = None,
) -> tuple[list[Column], list[Coding]]:
    """The columns as features, and what each becomes; all problems are in the error."""
    problems = Problems()
    called = set(as_category)
    columns, codings = [], []
    for column in table.columns:
        with problems.caught():
            feature = as_feature(column, is_category=column.name in called)
            if one_hot:
                _check_count(feature)
            columns.append(feature)
            codings.append(learn(feature, one_hot=one_hot, impute=impute, weights=weights))
    with problems.caught():
        check_missing(columns, [coding.fill for coding in codings])
    problems.tell()
    return columns, codings


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


def _check_count(column: Column) -> None:
    if len(column.categories) > _MOST_CATEGORIES:
        raise column_error(
            column.name,
            f"has {len(column.categories)} categories: at most {_MOST_CATEGORIES} become columns.",
            "Drop it, or use categories='ordinal'.",
            "Use {drop}, or --categories ordinal.",
        )


def fitted_features(X: Any, names: Sequence[str], codings: Sequence[Coding]) -> list[Column]:
    """Columns of new rows as those of fit were; all problems are in the error."""
    problems = Problems()
    columns, fill = [], []
    for column, coding in zip(_columns_of_fit(X, names).columns, codings, strict=True):
        with problems.caught():
            columns.append(_as_fitted(column, coding))
            fill.append(coding.fill)
    with problems.caught():
        check_missing(columns, fill)
    problems.tell()
    return columns


def _as_fitted(column: Column, coding: Coding) -> Column:
    """A column as what it was in fit, or an error that says what it is now."""
    if column.kind == "other":
        check_usable(column)
    if coding.kind == "category":
        places_among(column, coding.categories)  # each must be known
        return column
    if column.missing.all():
        return Column.of_numbers(column.name, np.full(len(column), np.nan))
    if coding.date is not None:
        if column.is_number:
            raise TableError(
                f"Column {shown(column.name)} held dates in fit. Now it holds numbers, such as "
                f"{column.numbers[~column.missing][0]:g}."
            )
        return as_moments(column, coding.date["form"])
    if column.is_number:
        check_number(column)
        return column
    check_category(column)
    raise TableError(
        f"Column {shown(column.name)} held numbers in fit. Now it holds text, such as "
        f"{shown(column.categories[0])}."
    )


def _columns_of_fit(X: Any, names: Sequence[str]) -> Table:
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
            stacklevel=5,
        )
    return Table(replace(c, name=name) for c, name in zip(table.columns, names, strict=True))


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
