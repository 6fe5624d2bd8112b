"""TableEncoder: a table of numbers and categories as a matrix of numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from .._arrays import Array, FloatArray
from .checks import check_category, check_missing, check_number
from .column import Column
from .convert import as_table
from .errors import TableError, listed, shown
from .table import Table

__all__ = ["TableEncoder"]

_MOST_CATEGORIES = 1000  # columns that one column of text may become


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers as they are, categories as columns of 0 and 1 or as their place in order.

    Columns are found by their names: at transform they may come in any order, and others beside
    them are ignored. Booleans are numbers, 0 and 1.

    Parameters
    ----------
    categories : {"one-hot", "ordinal"}, default="one-hot"
        ``"one-hot"``: a column of 0 and 1 for each category, called ``colour=red``; of two
        categories only the second has one, since the first would be its mirror image.
        ``"ordinal"``: one column with the place of each category in alphabetical order.
    impute : bool, default=False
        Fill missing values with the median, or the most frequent category; otherwise they are an
        error.

    Attributes
    ----------
    columns_ : list of str
        Names of the columns seen in fit.
    kinds_ : list of {"number", "category"}
        What each is.
    categories_ : list of list of str
        Of each column, in order; empty for numbers.
    fill_ : list of float, str or None
        What takes the place of a missing value; None without ``impute``.
    imputed_ : dict of str to int
        How many values of each column were filled in fit, where there were any.
    n_features_in_, n_features_out_ : int
        Number of columns taken and returned.

    Examples
    --------
    >>> import pandas as pd
    >>> from hsiclearn.tables import TableEncoder
    >>> frame = pd.DataFrame({"size": [1.5, 2.0, 3.0], "colour": ["red", "blue", "grey"]})
    >>> encoder = TableEncoder().fit(frame)
    >>> encoder.get_feature_names_out().tolist()
    ['size', 'colour=blue', 'colour=grey', 'colour=red']
    >>> encoder.transform(frame)[0].tolist()
    [1.5, 0.0, 0.0, 1.0]
    """

    def __init__(self, categories: str = "one-hot", impute: bool = False) -> None:
        self.categories = categories
        self.impute = impute

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn which columns are numbers, and the categories of the others.

        Parameters
        ----------
        X : Table, DataFrame or array-like of shape (n_rows, n_columns)
        y : ignored

        Returns
        -------
        self
        """
        if self.categories not in ("one-hot", "ordinal"):
            raise ValueError(
                f"`categories` must be 'one-hot' or 'ordinal'. Got {self.categories!r}."
            )
        table = as_table(X)
        if 0 in table.shape:
            raise TableError(
                f"A table must have rows and columns. Got {table.shape[0]} rows and "
                f"{table.shape[1]} columns."
            )
        for column in table.columns:
            (check_number if column.is_number else check_category)(column)
        missing = check_missing(table.columns, impute=self.impute)
        fill = [_typical(column) if self.impute else None for column in table.columns]
        self._check_width(table)
        self.columns_ = list(table.names)
        self.kinds_ = ["number" if c.is_number else "category" for c in table.columns]
        self.categories_ = [list(column.categories) for column in table.columns]
        self.fill_ = fill
        self.imputed_ = missing
        self.n_features_in_ = len(self.columns_)
        self.n_features_out_ = sum(self._widths())
        return self

    def transform(self, X: Any) -> FloatArray:
        """The table as a matrix.

        Parameters
        ----------
        X : Table, DataFrame or array-like of shape (n_rows, n_columns)
            With the columns seen in fit; others are ignored.

        Returns
        -------
        ndarray of shape (n_rows, n_features_out_)
            New memory, in float64.
        """
        check_is_fitted(self)
        table = self._select(as_table(X))
        columns = list(map(self._as_fitted, table.columns, self.kinds_))
        check_missing(columns, impute=self.impute)
        matrix = np.empty((len(table), self.n_features_out_))
        first = 0
        for j, (column, width) in enumerate(zip(columns, self._widths(), strict=True)):
            self._write(j, column, matrix[:, first : first + width])
            first += width
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns of the matrix.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        names: list[str] = []
        for name, categories in zip(self.columns_, self.categories_, strict=True):
            if categories and self.categories == "one-hot":
                names += [f"{name}={category}" for category in _with_column(categories)]
            else:
                names.append(name)
        return np.asarray(names, dtype=object)

    def _widths(self) -> list[int]:
        is_one_hot = self.categories == "one-hot"
        return [
            len(_with_column(found)) if found and is_one_hot else 1 for found in self.categories_
        ]

    def _check_width(self, table: Table) -> None:
        if self.categories != "one-hot":
            return
        for column in table.columns:
            if len(column.categories) > _MOST_CATEGORIES:
                raise TableError(
                    f"Column {shown(column.name)} has {len(column.categories)} categories: as "
                    f"many columns, and at most {_MOST_CATEGORIES} are made of one.",
                    "Drop it, or use categories='ordinal'.",
                    "Use --drop for it, or --categories ordinal.",
                )

    def _select(self, table: Table) -> Table:
        absent = [name for name in self.columns_ if name not in table]
        if absent:
            raise TableError(
                f"The model needs {len(self.columns_)} columns, and {len(absent)} of them "
                f"{'is' if len(absent) == 1 else 'are'} not there: {listed(map(shown, absent))}."
            )
        return table.select(self.columns_)

    @staticmethod
    def _as_fitted(column: Column, kind: str) -> Column:
        """A column as what it was in fit, or an error that says what it is now."""
        if kind == "category":
            return column.as_categories()
        if not column.is_number and not column.missing.all():
            check_category(column)
            text = column.categories[0]
            raise TableError(
                f"Column {shown(column.name)} held numbers in fit. Now it holds text, such as "
                f"{shown(text)}."
            )
        if not column.is_number:
            return Column.of_numbers(column.name, np.full(len(column), np.nan))
        check_number(column)
        return column

    def _write(self, j: int, column: Column, out: FloatArray) -> None:
        """Write column j into its part of the matrix."""
        if self.kinds_[j] == "number":
            out[:, 0] = column.numbers
            if self.impute:
                out[np.isnan(out[:, 0]), 0] = self.fill_[j]
            return
        codes = self._codes(j, column)
        if self.categories == "ordinal" or len(self.categories_[j]) == 2:
            out[:, 0] = codes  # of two categories, 0 and 1 in either case
        else:
            out[...] = 0.0
            out[np.arange(codes.size), codes] = 1.0

    def _codes(self, j: int, column: Column) -> Array:
        """The place of each value among the categories of fit."""
        places = {category: i for i, category in enumerate(self.categories_[j])}
        unknown = [category for category in column.categories if category not in places]
        if unknown:
            raise TableError(
                f"Column {shown(column.name)} holds {listed(map(shown, unknown))}, which the model "
                f"has not seen. It knows {listed(map(shown, self.categories_[j]))}.",
                "Fit again with such rows, or leave them out.",
            )
        filled = places[str(self.fill_[j])] if self.impute else -1
        return np.array([*(places[c] for c in column.categories), filled])[column.codes]


def _with_column(categories: list[str]) -> list[str]:
    """Those that get a column of 0 and 1."""
    return categories[1:] if len(categories) == 2 else categories


def _typical(column: Column) -> float | str:
    """The median, or the most frequent category; of several, the first."""
    if column.is_number:
        return float(np.nanmedian(column.numbers))
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
    return column.categories[int(np.argmax(counts))]
