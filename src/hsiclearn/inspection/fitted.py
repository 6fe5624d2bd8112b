"""A fitted estimator, its rows and the names of their columns, also from inside a pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

from .._arrays import Array, FloatArray
from .._devices import here
from .._estimators import BaseHSIC, on_host
from .._rows import batches, is_row_source

__all__ = ["deviations", "feature_names", "fitted_step", "last_step", "what_was_chosen"]

_STORED = 2**20  # entries at a time


def last_step(model: Any) -> BaseHSIC:
    """The estimator with components; one that was fitted on a device as it is on the host."""
    while isinstance(model, Pipeline):
        check_is_fitted(model)
        model = model[-1]
    if not isinstance(model, BaseHSIC):
        raise TypeError(
            "Need an estimator of hsiclearn, or a pipeline that ends with one: of a longer one "
            f"pass the beginning, like pipeline[:-1]. Got {type(model).__name__}."
        )
    check_is_fitted(model)
    return on_host(model)


def what_was_chosen(step: Any) -> dict[str, str]:
    """Metric and objective, as parameters of another fit: the kernel found has their units."""
    metric = getattr(step, "metric_", "identity")  # models of early files have none
    objective = getattr(step, "objective_", "dependence")
    return {"metric": "identity" if metric == "free" else metric, "objective": objective}


def feature_names(model: Any) -> list[str]:
    """Names of the columns that the estimator sees; ``x0, x1, ...`` where nothing tells."""
    step, names = last_step(model), None
    while isinstance(model, Pipeline):
        before, model = model[:-1], model[-1]
        if len(before):
            names = _names_after(before)
    if names is None:
        names = getattr(step, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(step.n_features_in_)]
    return [str(name) for name in names]


def fitted_step(model: Any, X: Any) -> tuple[BaseHSIC, Array, list[str]]:
    """The estimator with components, the rows as it sees them, and the names of their columns.

    Rows that were sparse stay so; those on a device come to the host.
    """
    step, names = last_step(model), feature_names(model)
    while isinstance(model, Pipeline):
        before, model = model[:-1], model[-1]
        X = before.transform(X) if len(before) else X
    X = here(X)
    if is_row_source(X):
        raise TypeError(
            "X must be a table or a sparse matrix, not a source of blocks of rows. Got "
            f"{type(X).__name__}: pass some of its rows."
        )
    X = validate_data(step, X, reset=False, dtype=(np.float64, np.float32), accept_sparse="csr")
    return step, X, names


def deviations(rows: Array) -> FloatArray:
    """Standard deviation of every column, from one pass over blocks of rows; they may be sparse."""
    n, stored = rows.shape[0], rows.nnz if sparse.issparse(rows) else rows.size
    scaler = StandardScaler(with_mean=False)
    for part in batches(n, max(1, n * _STORED // max(stored, 1))):
        scaler.partial_fit(rows[part].astype(np.float64))  # the whole may be of a narrower type
    return np.sqrt(scaler.var_)


def _names_after(steps: Pipeline) -> Any:
    """Names of the columns that the earlier steps hand on; None where a step cannot say."""
    try:
        return steps.get_feature_names_out()
    except (AttributeError, ValueError):
        return None
