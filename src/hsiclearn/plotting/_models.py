"""A fitted estimator of ours, also from inside a pipeline, where there are no rows at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted

from .._arrays import Array, FloatArray
from ..estimators._base import BaseHSIC

__all__ = ["deviations", "last_step", "names_of_features", "one_per_row", "target_kind"]


def last_step(model: Any) -> BaseHSIC:
    """The estimator with components."""
    while isinstance(model, Pipeline):
        model = model[-1]
    if not isinstance(model, BaseHSIC):
        raise TypeError(
            "Need an estimator of hsiclearn, or a pipeline that ends with one: of a longer one "
            f"pass the beginning, like pipeline[:-1]. Got {type(model).__name__}."
        )
    check_is_fitted(model)
    return model


def names_of_features(model: Any) -> list[str]:
    """Names of the columns that the estimator sees, as far as the model can tell."""
    step, names = last_step(model), None
    if isinstance(model, Pipeline) and len(model) > 1:
        try:
            names = model[:-1].get_feature_names_out()
        except (AttributeError, ValueError):
            names = None
    if names is None:
        names = getattr(step, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(step.components_.shape[1])]
    return [str(name) for name in names]


def target_kind(model: Any, y: Array | None) -> str | None:
    """How to read y: numbers as the estimator read its own target; None where y tells."""
    last = model[-1] if hasattr(model, "steps") else model
    target = getattr(last, "target_", None)
    if target not in ("classes", "real") or np.asarray(y).dtype.kind not in "fiub":
        return None
    return target


def one_per_row(y: Array, n_samples: int) -> Array:
    """Y as a vector with one entry per row."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_samples,):
        raise ValueError(
            f"`y` must hold one value per projected row, shape ({n_samples},). Got shape "
            f"{values.shape}. Of several outputs, pass the column to colour by."
        )
    return values


def deviations(rows: Array) -> FloatArray:
    """Standard deviation of every column; the rows may be sparse."""
    if sparse.issparse(rows):
        return np.sqrt(mean_variance_axis(rows.astype(np.float64), axis=0)[1])
    return np.asarray(rows).std(axis=0, dtype=np.float64)
