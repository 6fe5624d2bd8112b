"""What an object from a file must be before it is handed out: checksums prove nothing of it.

A model is also tried on a row, so that it cannot fail as it is used.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from .._arrays import Array
from .._estimators import BaseHSIC
from .._records import check_types
from .._result import Result, Status
from .kinds import check_parts
from .parts import KINDS, NAMES
from .together import check_together

_ORTHONORMAL = 1e-8  # |W'W - I| at most; rounding leaves 1e-14
_TYPES = {"dtype", "dtype_exclude", "dtype_include"}  # parameters that may be types
_MOST = 100_000  # columns of a row: a file may say that a step takes any number
_JOBS = 1024  # threads that a step may ask for: each is started, whatever there is to do


def check_parameters(value: Any, parameters: Mapping[str, Any]) -> None:
    """Of the types declared, and within the bounds that ``fit`` would ask for."""
    if is_dataclass(value) and not isinstance(value, BaseEstimator):
        check_types(value)
    for name, part in parameters.items():
        is_code = isinstance(part, type | make_column_selector)
        if is_code and name not in _TYPES:
            raise TypeError(f"{type(value).__name__}.{name} may not be {part!r}")
        if name == "n_jobs" and part is not None and abs(part) > _JOBS:
            raise ValueError(f"n_jobs must be of {-_JOBS} to {_JOBS}, not {part}")
    if isinstance(value, BaseEstimator) and hasattr(value, "_parameter_constraints"):
        value._validate_params()


def check_built(value: Any) -> None:
    """Every part of its kind, of the shape that the others ask for."""
    sizes: dict[str, int] = {}
    if "n_features_in_" in vars_of(value):
        sizes["d"] = value.n_features_in_
        check_parts(value, NAMES, sizes)
    for cls, kinds in KINDS.items():
        if isinstance(value, cls):
            check_parts(value, kinds, dict(sizes))
    check_together(value)


def vars_of(value: Any) -> Mapping[str, Any]:
    """The attributes of an object; a record with slots has none that matter here."""
    return getattr(value, "__dict__", {})


def check_fit(step: BaseHSIC) -> None:
    """The directions are orthonormal in their metric, and what is said of them holds together."""
    W, shape = step.components_, (step.n_components_, step.n_features_in_)
    is_matrix = isinstance(W, np.ndarray) and W.dtype == np.float64 and W.shape == shape
    if not is_matrix or W.shape[0] > W.shape[1] or not np.isfinite(W).all():
        raise ValueError(f"components_ must be finite numbers of shape {shape}")
    patterns = getattr(step, "patterns_", W)
    if not np.isfinite(patterns).all():
        raise ValueError("patterns_ must be finite numbers")
    if getattr(step, "metric_", "identity") == "identity" and not np.array_equal(patterns, W):
        raise ValueError("patterns_ must be components_ in the metric of the columns")
    is_free = getattr(step, "metric_", "") == "free"  # then lengths may vanish
    with np.errstate(all="ignore"):  # an overflow is no length of at most that
        distance = np.linalg.norm(W @ patterns.T - np.eye(W.shape[0]))
    if not is_free and not distance <= _ORTHONORMAL:
        raise ValueError("components_ must be orthonormal")
    support = getattr(step, "support_", None)
    if support is not None and np.any(W[:, ~support]):
        raise ValueError("components_ must be 0 off support_")
    result = step.result_
    _check_result(result)
    if not np.array_equal(_without_zeros(result.W), _without_zeros(W.T)):
        raise ValueError("components_ must be the directions of result_")
    repeated = {
        "bandwidth_": step.kernel_.scale,
        "cost_": result.cost,
        "n_iter_": result.n_iter,
        "converged_": result.converged,
        "eigenvalues_": result.eigenvalues,
        "engine_": result.engine,
        "certificate_": result.certificate,
    }
    for name, part in repeated.items():
        if not _agree(getattr(step, name), part):
            raise ValueError(f"{name} must be {part!r:.60}, as result_ says")


def _check_result(result: Result) -> None:
    """Status and certificate say the same; a solver that grows columns judges each by itself."""
    proof, history = result.certificate, result.history
    if not history or not np.isfinite(result.cost):
        raise ValueError("a result must have a history and a finite cost")
    if proof.second_order is not None and proof.second_order != (proof.curvature >= -proof.tol):
        raise ValueError(f"second_order={proof.second_order} contradicts the curvature")
    claims = result.status is Status.CONVERGED and history[-1].step != "column"
    if claims and not proof.stationarity <= proof.tol:
        raise ValueError(
            f"status CONVERGED contradicts stationarity {proof.stationarity:.1e} > {proof.tol:.0e}"
        )


def _without_zeros(W: Any) -> Any:
    """Rows of the columns that vary."""
    return W[np.any(W != 0.0, axis=1)]


def _agree(one: Any, other: Any) -> bool:
    """Whether two values are the same, NaN being NaN."""
    if isinstance(other, np.ndarray):
        return isinstance(one, np.ndarray) and np.array_equal(one, other, equal_nan=True)
    if is_dataclass(other):
        names = [item.name for item in fields(other)]
        alike = (_agree(getattr(one, name), getattr(other, name)) for name in names)
        return type(one) is type(other) and all(alike)
    both = (isinstance(value, float) and math.isnan(value) for value in (one, other))
    return bool(one == other) or all(both)


def try_out(model: Any) -> None:
    """Put a row that it ought to take through a model.

    Behind steps of scikit-learn the row may be one that was never meant to be, which they say in a
    ValueError; errors of any other kind come from attributes that do not fit together.
    """
    row = _row_for(model)
    rows = [] if row is None else [row]
    if isinstance(model, BaseHSIC) and rows:
        rows.append(np.zeros_like(row))  # another: of the mean alone any product is 0
    methods = [name for name in ("transform", "predict") if hasattr(model, name)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name, tried in product(methods, rows):
            try:
                answer = getattr(model, name)(tried)
            except ValueError:
                if isinstance(model, BaseHSIC):
                    raise
            else:
                _check_answer(name, answer)


def _check_answer(name: str, answer: Any) -> None:
    """Numbers, where it is of numbers."""
    answer = answer.data if issparse(answer) else np.asarray(answer)
    if answer.dtype.kind == "f" and not np.isfinite(answer).all():
        raise ValueError(f"{name} must give numbers")


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
