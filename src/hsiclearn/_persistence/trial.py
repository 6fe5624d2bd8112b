"""A model is tried on a row before it is handed out, so that it cannot fail as it is used."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from .._arrays import Array
from .._estimators._base import BaseHSIC
from .checks import vars_of

__all__ = ["ROWS", "first_categories", "try_out"]

_MOST = 100_000  # columns of a row: a file may say that a step takes any number


def try_out(model: Any) -> None:
    """Put a row that it ought to take through a model.

    Behind steps of scikit-learn the row may be one that was never meant to be, which they say in a
    ValueError; errors of any other kind come from attributes that do not fit together.
    """
    row = _row_for(model)
    methods = [name for name in ("transform", "predict") if hasattr(model, name)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in methods if row is not None else ():
            try:
                getattr(model, name)(row)
            except ValueError:
                if isinstance(model, BaseHSIC):
                    raise


def _row_for(step: Any) -> Any:
    """A row that a step takes; None where that cannot be told."""
    is_wide = "n_features_in_" in vars_of(step) and step.n_features_in_ > _MOST
    if not isinstance(step, BaseEstimator) or is_wide:
        return None
    return next(ROWS[cls] for cls in type(step).__mro__ if cls in ROWS)(step)


def first_categories(step: Any) -> Array:
    """A row of the first category of each column, 0 where it has none."""
    row = np.zeros((1, len(step.categories_)), dtype=object)
    for j, categories in enumerate(step.categories_):
        if len(categories):
            row[0, j] = categories[0]
    return row


def _row_by_column(step: Any) -> Any:
    """A row for a ColumnTransformer: each part of it as the step it goes to wants it."""
    row = np.zeros((1, step.n_features_in_), dtype=object)
    for name, part, _ in step.transformers_:
        places = step._transformer_to_input_indices[name]
        taken = _row_for(part) if len(places) else None
        if taken is not None:
            row[0, places] = np.asarray(taken)[0]
    names = getattr(step, "feature_names_in_", None)
    return row if names is None else _frame(row, names)


def _frame(row: Array, names: Array) -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas.DataFrame(row, columns=list(names)).infer_objects()


ROWS: dict[type, Callable[[Any], Any]] = {
    Pipeline: lambda step: _row_for(step.steps[0][1]),
    FeatureUnion: lambda step: _row_for(step.transformer_list[0][1]),
    ColumnTransformer: _row_by_column,
    SimpleImputer: lambda step: step.statistics_[None, :],
    **dict.fromkeys((OneHotEncoder, OrdinalEncoder), first_categories),
    BaseHSIC: lambda step: step.mean_[None, :],
    BaseEstimator: lambda step: np.zeros((1, step.n_features_in_)),
}
"""Rows that steps take, by class; of a class without one, by that it inherits from."""
