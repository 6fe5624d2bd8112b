"""A fitted estimator and its rows, also from inside a pipeline."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_array, check_is_fitted

from .._arrays import FloatArray
from ..estimators._base import BaseHSIC

__all__ = ["fitted_step"]


def fitted_step(model: Any, X: Any) -> tuple[BaseHSIC, FloatArray, list[str]]:
    """The estimator with components, the rows as it sees them, and the names of their columns."""
    names = None
    if isinstance(model, Pipeline):
        check_is_fitted(model)
        before, step = model[:-1], model[-1]
        if len(before):
            names = _names_after(before)
            X = before.transform(X)
        model = step
    if not isinstance(model, BaseHSIC):
        raise TypeError(
            "Need an estimator of hsiclearn, or a pipeline that ends with one. Got "
            f"{type(model).__name__}."
        )
    check_is_fitted(model)
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    X = check_array(X)
    if X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X must have the columns the model was fitted with, {model.n_features_in_}. Got "
            f"{X.shape[1]}."
        )
    if names is None or len(names) != X.shape[1]:
        names = [f"x{j}" for j in range(X.shape[1])]
    return model, X, [str(name) for name in names]


def _names_after(steps: Pipeline) -> Any:
    """Names of the columns that the earlier steps hand on; None where a step cannot say."""
    try:
        return steps.get_feature_names_out()
    except (AttributeError, ValueError):
        return None
