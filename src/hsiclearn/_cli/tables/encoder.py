"""TableEncoder: a table of numbers, categories and dates as a matrix of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ..._arrays import Array, FloatArray
from ..._linalg import deviations_of
from .checks import check_shape
from .coding import Coding
from .convert import as_table, has_names
from .dates import day_of
from .errors import shown
from .features import as_features, check_names, fitted_features, warn_of_filled
from .table import Column, Table


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers as they are, categories as columns of 0 and 1 or as their place in order.

    Columns are found by their names: at transform they may come in any order, and others beside
    them are ignored. Columns of an array are found by their place. Booleans are 0 and 1. Dates are
    days since the first, and the month, weekday and hour where these repeat.

    Parameters
    ----------
    categories : {"one-hot", "ordinal"}, default="one-hot"
        ``"one-hot"``: a column of 0 and 1 for each category but the most frequent one, called
        ``colour=red``. With all of them the columns would add up to 1 in every row: a direction
        along which nothing varies, and which a search may well return. Where text is missing,
        that is a category too, ``colour=(blank)``.
        ``"ordinal"``: one column with the place of each category in order.
    impute : bool, default=False
        Fill missing values with the median, or the most frequent category; otherwise they are an
        error. Of text that is missing in fit ``"one-hot"`` makes a category in any case.
    scale : bool, default=False
        Standardise numbers, dates and the places of ``"ordinal"``, to mean 0 and standard
        deviation 1; constant columns are centred. Columns of 0 and 1, also those from booleans,
        stay so: a rare category would lie many deviations off.
    as_category : collection of str, default=()
        Names of columns that are categories although they look like something else: codes,
        postal codes, numbers of parts.

    Attributes
    ----------
    columns_, kinds_, categories_, reference_, fill_, dates_ : list
        Of each column seen in fit what :class:`Coding` holds; days are counted since 1970-01-01.
    imputed_, blank_ : dict of str to int
        How many values of a column were filled in fit, or are a category of their own.
    mean_, scale_ : ndarray of shape (n_features_out_,)
        What is subtracted from each column of the matrix, and what it is divided by then; NaN for
        those that are not standardised.
    n_features_in_, n_features_out_ : int
        Number of columns taken and returned.
    feature_names_in_ : ndarray of str objects
        The same as ``columns_``; only if fitted with a table or a data frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from hsiclearn._cli.tables import TableEncoder
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

    def fit(self, X: Any, y: Any = None, row_weights: FloatArray | None = None) -> Self:
        """Learn which columns are numbers, and the categories of the others.

        With weights means, medians and what is most frequent are those of the table with repeated
        rows.
        """
        table = as_table(X)
        self._check(table)
        is_one_hot = self.categories == "one-hot"
        columns, codings = as_features(
            table,
            self.as_category,
            one_hot=is_one_hot,
            impute=self.impute,
            weights=row_weights,
        )
        inputs = [column.name for column in columns]
        names = _names(codings, inputs)
        check_names(names, len(table))  # before anything is kept: nothing is half-fitted
        self.columns_ = inputs
        self.kinds_ = [coding.kind for coding in codings]
        self.categories_ = [list(coding.categories) for coding in codings]
        self.reference_ = [coding.reference for coding in codings]
        self.dates_ = [None if coding.date is None else dict(coding.date) for coding in codings]
        self.fill_ = [coding.fill for coding in codings]
        self.imputed_: dict[str, int] = {}
        self.blank_: dict[str, int] = {}
        for column in columns:
            if n_missing := int(np.count_nonzero(column.missing)):
                is_filled = column.is_number or not is_one_hot
                (self.imputed_ if is_filled else self.blank_)[column.name] = n_missing
        self.n_features_in_ = len(columns)
        if has_names(X):
            self.feature_names_in_ = np.asarray(self.columns_, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_features_out_ = len(names)
        self.mean_, self.scale_ = self._standards(columns, codings, row_weights)
        warn_of_filled(self.imputed_, len(table))
        return self

    def transform(self, X: Any) -> FloatArray:
        """The table as a matrix in new memory; columns that fit did not see are ignored."""
        check_is_fitted(self)
        codings = list(self.codings().values())
        columns = fitted_features(X, self.columns_, codings)
        matrix = np.empty((len(columns[0]), self.n_features_out_))
        first = 0
        for coding, column in zip(codings, columns, strict=True):
            width = len(coding.names(""))
            coding.write(column, matrix[:, first : first + width])
            first += width
        for j in np.flatnonzero(~np.isnan(self.mean_)):  # one by one: no copy of the matrix
            matrix[:, j] -= self.mean_[j]
            matrix[:, j] /= self.scale_[j]
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns of the matrix.

        ``input_features`` are those of fit, or any for an encoder fitted with an array.
        """
        check_is_fitted(self)
        columns = self.columns_
        if input_features is not None:
            columns = [str(name) for name in input_features]
            if hasattr(self, "feature_names_in_") and columns != self.columns_:
                raise ValueError(
                    f"input_features is not equal to feature_names_in_. Got {columns!r:.200}."
                )
            if len(columns) != self.n_features_in_:
                raise ValueError(
                    f"input_features should have length equal to number of features "
                    f"({self.n_features_in_}), got {len(columns)}."
                )
        return np.asarray(_names(self.codings().values(), columns), dtype=object)

    def codings(self) -> dict[str, Coding]:
        """What was learned of each column in fit, by its name."""
        facts = (self.kinds_, self.categories_, self.reference_, self.fill_, self.dates_)
        codings = (Coding(*each) for each in zip(*facts, strict=True))
        return dict(zip(self.columns_, codings, strict=True))

    def empty_cells(self) -> list[tuple[str, int, str, bool]]:
        """Columns with empty cells in fit: name, how many, and what stands in for them, in words.

        The last entry tells whether that is a category of their own.
        """
        codings = self.codings()
        filled = [(name, n, _fill_words(codings[name]), False) for name, n in self.imputed_.items()]
        blank = [(name, n, shown(codings[name].fill), True) for name, n in self.blank_.items()]
        return filled + blank

    def __sklearn_tags__(self) -> Tags:
        """Text and categories are welcome, missing values if they are filled."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = bool(self.impute)
        return tags

    def _check(self, table: Table) -> None:
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

    def _standards(
        self, columns: Sequence[Column], codings: Sequence[Coding], weights: FloatArray | None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and deviation of what is standardised of the matrix, NaN of the rest."""
        found = []
        for column, coding in zip(columns, codings, strict=True):
            width = len(coding.names(""))
            if self.scale and coding.reference is None and column.kind != "boolean":
                part = np.empty((len(column), width))
                coding.write(column, part)
                found += [mean_and_scale(values, weights) for values in part.T]
            else:
                found += [(np.nan, np.nan)] * width
        mean, scale = np.array(found).T.copy()
        return mean, scale


def _fill_words(coding: Coding) -> str:
    if isinstance(coding.fill, str):
        return f"{shown(coding.fill)}, the most frequent"
    assert coding.fill is not None
    return f"{f'{coding.fill:g}' if coding.date is None else day_of(coding.fill)}, the median"


def _names(codings: Iterable[Coding], columns: Sequence[str]) -> list[str]:
    """Of the columns of the matrix."""
    pairs = zip(codings, columns, strict=True)
    return [name for coding, column in pairs for name in coding.names(column)]


def mean_and_scale(values: FloatArray, weights: FloatArray | None = None) -> tuple[float, float]:
    """The mean, and the population standard deviation, or 1 for a column that is constant.

    Columns that differ by rounding alone are constant too: to divide by that would make noise of
    it.
    """
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    unit = np.ldexp(1.0, int(exponent) - 1)  # a power of two: squares cannot overflow
    small = values / unit
    mean, spread = small.mean(), small.std()
    if weights is not None:
        mean = weights @ small / weights.sum()
        spread = deviations_of(small[:, None], weights)[0]
    if spread <= small.size * np.finfo(np.float64).eps * abs(mean):
        return float(mean * unit), 1.0
    return float(mean * unit), float(spread * unit)
