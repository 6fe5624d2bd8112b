"""A fitted estimator and its rows, also from inside a pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted, validate_data

from .._arrays import Array
from ..estimators._base import BaseHSIC
from ..rows import is_row_source

__all__ = ["fitted_step"]


def fitted_step(model: Any, X: Any) -> tuple[BaseHSIC, Array, list[str]]:
    """The estimator with components, the rows as it sees them, and the names of their columns.

    Rows that were sparse stay so.
    """
    names = None
    while isinstance(model, Pipeline):
        check_is_fitted(model)
        before, model = model[:-1], model[-1]
        if len(before):
            names = _names_after(before)
            X = before.transform(X)
    if not isinstance(model, BaseHSIC):
        raise TypeError(
            "Need an estimator of hsiclearn, or a pipeline that ends with one: of a longer one "
            f"pass the beginning, like pipeline[:-1]. Got {type(model).__name__}."
        )
    check_is_fitted(model)
    if is_row_source(X):
        raise TypeError(
            "X must be a table or a sparse matrix, not a source of blocks of rows. Got "
            f"{type(X).__name__}: pass some of its rows."
        )
    X = validate_data(model, X, reset=False, dtype=(np.float64, np.float32), accept_sparse="csr")
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(X.shape[1])]
    return model, X, [str(name) for name in names]


def _names_after(steps: Pipeline) -> Any:
    """Names of the columns that the earlier steps hand on; None where a step cannot say."""
    try:
        return steps.get_feature_names_out()
    except (AttributeError, ValueError):
        return None
