"""TableEncoder: a table of numbers and categories as a matrix of numbers."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from .._arrays import Array, FloatArray
from .checks import check_missing, check_shape
from .column import Column
from .convert import as_table, has_names
from .errors import TableError, listed, shown
from .features import (
    as_feature,
    as_fitted,
    check_features,
    feature_names,
    input_names,
    typical_value,
)
from .matching import places_among
from .standard import mean_and_scale
from .table import Table

__all__ = ["TableEncoder"]


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers as they are, categories as columns of 0 and 1 or as their place in order.

    Columns are found by their names: at transform they may come in any order, and others beside
    them are ignored. Columns of an array are found by their place. Booleans are 0 and 1.

    Parameters
    ----------
    categories : {"one-hot", "ordinal"}, default="one-hot"
        ``"one-hot"``: a column of 0 and 1 for each category but the most frequent one, called
        ``colour=red``. With all of them the columns would add up to 1 in every row: a direction
        along which nothing varies, and which a search may well return.
        ``"ordinal"``: one column with the place of each category in order.
    impute : bool, default=False
        Fill missing values with the median, or the most frequent category; otherwise they are an
        error.
    scale : bool, default=False
        Standardise numbers, and the places of ``"ordinal"``, to mean 0 and standard deviation 1;
        constant columns are centred. Columns of 0 and 1, also those from booleans, stay so: a
        rare category would lie many deviations off.
    as_category : collection of str, default=()
        Names of columns that are categories although they look like something else: codes,
        postal codes, numbers of parts.

    Attributes
    ----------
    columns_ : list of str
        Names of the columns seen in fit; x0, x1, ... for an array.
    kinds_ : list of {"number", "category"}
        What each is.
    categories_ : list of list of str
        Of each column, in order; empty for numbers.
    reference_ : list of str or None
        The category of each column that has no column of 0 and 1; of several that are as frequent,
        the first. None for numbers, and with ``"ordinal"``.
    fill_ : list of float, str or None
        What takes the place of a missing value; None without ``impute``.
    imputed_ : dict of str to int
        How many values of each column were filled in fit, where there were any.
    mean_, scale_ : ndarray of shape (n_features_in_,)
        What is subtracted from each column, and what it is divided by then; NaN for those that are
        not standardised.
    n_features_in_, n_features_out_ : int
        Number of columns taken and returned.
    feature_names_in_ : ndarray of str objects
        The same as ``columns_``; only if fitted with a table or a data frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from hsiclearn.tables import TableEncoder
    >>> colours = ["red", "blue", "red", "grey"]
    >>> frame = pd.DataFrame({"size": [1.5, 2.0, 3.0, 1.0], "colour": colours})
    >>> encoder = TableEncoder().fit(frame)
    >>> encoder.get_feature_names_out().tolist(), encoder.reference_
    (['size', 'colour=blue', 'colour=grey'], [None, 'red'])
    >>> encoder.transform(frame)[1].tolist()
    [2.0, 1.0, 0.0]
    """

    def __init__(
        self,
        categories: str = "one-hot",
        impute: bool = False,
        scale: bool = False,
        as_category: Collection[str] = (),
    ) -> None:
        self.categories = categories
        self.impute = impute
        self.scale = scale
        self.as_category = as_category

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
        columns = self._checked(as_table(X))
        imputed = check_missing(columns, impute=self.impute)
        is_one_hot = self.categories == "one-hot"
        typical = [typical_value(column) for column in columns]
        reference = [
            None if c.is_number or not is_one_hot else str(common)
            for c, common in zip(columns, typical, strict=True)
        ]
        check_features(columns, reference)
        self.columns_ = [column.name for column in columns]
        self.kinds_ = ["number" if column.is_number else "category" for column in columns]
        self.categories_ = [list(column.categories) for column in columns]
        self.reference_ = reference
        self.fill_ = typical if self.impute else [None] * len(columns)
        self.imputed_ = imputed
        self.n_features_in_ = len(columns)
        if has_names(X):
            self.feature_names_in_ = np.asarray(self.columns_, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.mean_, self.scale_ = self._standards(columns)
        self.n_features_out_ = self.get_feature_names_out().size
        return self

    def transform(self, X: Any) -> FloatArray:
        """The table as a matrix.

        Parameters
        ----------
        X : Table, DataFrame or array-like of shape (n_rows, n_columns)
            With the columns seen in fit; others are ignored, unless X is an array.

        Returns
        -------
        ndarray of shape (n_rows, n_features_out_)
            New memory, in float64.
        """
        check_is_fitted(self)
        table = self._select(X)
        columns = list(map(as_fitted, table.columns, self.kinds_))
        check_missing(columns, impute=self.impute)
        matrix = np.empty((len(table), self.n_features_out_))
        first = 0
        for j, column in enumerate(columns):
            width = len(self.categories_[j]) - 1 if self.reference_[j] is not None else 1
            self._write(j, column, matrix[:, first : first + width])
            first += width
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns of the matrix.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns taken: those of fit, or any for an encoder fitted with an array.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        named = getattr(self, "feature_names_in_", None)
        columns = input_names(input_features, self.columns_, is_fixed=named is not None)
        return np.asarray(feature_names(columns, self.categories_, self.reference_), dtype=object)

    def __sklearn_tags__(self) -> Tags:
        """Text and categories are welcome, missing values if they are filled."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = bool(self.impute)
        return tags

    def _checked(self, table: Table) -> list[Column]:
        """The columns as numbers or categories; an error for those that are neither."""
        if self.categories not in ("one-hot", "ordinal"):
            raise ValueError(
                f"`categories` must be 'one-hot' or 'ordinal'. Got {self.categories!r}."
            )
        if isinstance(self.as_category, str):
            raise ValueError(
                f"`as_category` must be a list of names. Got the text {self.as_category!r}: put "
                "it into a list."
            )
        for name in self.as_category:
            table.column(name)  # an error that names the likeliest
        check_shape(table)
        return [as_feature(c, is_category=c.name in self.as_category) for c in table.columns]

    def _standards(self, columns: Sequence[Column]) -> tuple[FloatArray, FloatArray]:
        """Mean and deviation of the columns that are standardised, NaN of the others."""
        found = np.full((2, len(columns)), np.nan)
        for j, column in enumerate(columns):
            if self.scale and self.reference_[j] is None and column.kind != "boolean":
                found[:, j] = mean_and_scale(self._values(j, column))
        return found[0].copy(), found[1].copy()

    def _select(self, X: Any) -> Table:
        """The columns of fit, by name, or by place if X has no names."""
        table = as_table(X)
        if not has_names(X):
            return self._by_place(table)
        absent = [name for name in self.columns_ if name not in table]
        if absent:
            raise TableError(
                f"The model needs {len(self.columns_)} columns, and {len(absent)} of them "
                f"{'is' if len(absent) == 1 else 'are'} not there: {listed(map(shown, absent))}."
            )
        return table.select(self.columns_)

    def _by_place(self, table: Table) -> Table:
        if table.shape[1] != self.n_features_in_:
            raise TableError(
                f"X has {table.shape[1]} features, but TableEncoder is expecting "
                f"{self.n_features_in_} features as input.",
                "Only tables with names may have columns that the model does not need.",
            )
        if table.names != tuple(self.columns_):
            warnings.warn(
                "X does not have valid feature names, but TableEncoder was fitted with feature "
                "names: its columns are taken in the order of fit.",
                UserWarning,
                stacklevel=4,
            )
        return Table(
            replace(column, name=name)
            for column, name in zip(table.columns, self.columns_, strict=True)
        )

    def _write(self, j: int, column: Column, out: FloatArray) -> None:
        """Write column j into its part of the matrix."""
        values, reference = self._values(j, column), self.reference_[j]
        if reference is None:
            out[:, 0] = values
            if not np.isnan(self.mean_[j]):
                out -= self.mean_[j]
                out /= self.scale_[j]
            return
        left_out = self.categories_[j].index(reference)
        places = values.astype(np.intp)
        rows = np.flatnonzero(places != left_out)
        out[...] = 0.0
        out[rows, places[rows] - (places[rows] > left_out)] = 1.0

    def _values(self, j: int, column: Column) -> FloatArray:
        """Column j as numbers, or as the places of its categories in fit; gaps are filled."""
        fill = self.fill_[j]
        if self.kinds_[j] == "number":
            values = column.numbers
            return np.where(np.isnan(values), fill, values) if fill is not None else values
        known = self.categories_[j]
        gap = known.index(str(fill)) if fill is not None else -1
        places = [*places_among(column, known), gap]
        return np.array(places, dtype=np.float64)[column.as_categories().codes]
