"""Steps of scikit-learn that a model file may hold, as data: the kind of every fitted attribute.

A step is written down with all that a fit has added to it. Attributes listed here are checked when
they are read; ``d`` is the number of columns a step takes. What another version of scikit-learn
adds besides is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from .._arrays import Array
from .kinds import (
    BOOL,
    COUNT,
    DTYPE,
    NONE,
    NUMBER,
    TEXT,
    Kind,
    a,
    anything,
    arrays,
    floats,
    integers,
    list_of,
    mapping,
    tuple_of,
)

_PER_COLUMN = floats("d")
_WORDS = ("drop", "passthrough", None)
_STEP = a(BaseEstimator) | Kind(
    "a word", lambda value, _: isinstance(value, str | None) and value in _WORDS
)
_ENCODER = {
    "categories_": list_of(arrays("*"), "d"),
    "_infrequent_enabled": BOOL,
    "_infrequent_indices": list_of(integers("*") | NONE, "d"),
    "_default_to_infrequent_mappings": list_of(integers("*") | NONE, "d"),
}
_LINEAR = {
    "coef_": floats("d") | floats("k", "d"),
    "intercept_": NUMBER | floats("k"),
}
_NEIGHBOURS = {
    "_fit_X": floats("n", "d"),
    "metric": TEXT,
    "weights": TEXT | NONE,
}

STEPS: Mapping[type, Mapping[str, Kind]] = {
    Pipeline: {"steps": list_of(tuple_of(TEXT, _STEP))},
    FeatureUnion: {"transformer_list": list_of(tuple_of(TEXT, _STEP))},
    make_column_selector: {"pattern": TEXT | NONE},
    ColumnTransformer: {
        "transformers_": list_of(tuple_of(TEXT, _STEP, anything)),
        "_columns": list_of(anything),
        "_transformer_to_input_indices": mapping(a(list)),
        "_remainder": tuple_of(TEXT, _STEP, anything),
        "output_indices_": mapping(a(slice)),
        "sparse_output_": BOOL,
    },
    # What "passthrough" becomes in a fit. One with a function is code.
    FunctionTransformer: {"func": NONE, "inverse_func": NONE},
    SimpleImputer: {
        "statistics_": arrays("d"),
        "indicator_": a(MissingIndicator) | NONE,
        "_fit_dtype": DTYPE,
        "_fill_dtype": DTYPE,
    },
    MissingIndicator: {"features_": integers("*"), "_n_features": COUNT, "_precomputed": BOOL},
    OneHotEncoder: {
        **_ENCODER,
        "drop_idx_": arrays("d") | NONE,
        "_drop_idx_after_grouping": arrays("d") | NONE,
        "_n_features_outs": list_of(COUNT, "d"),
        "feature_name_combiner": TEXT,
    },
    OrdinalEncoder: {**_ENCODER, "_missing_indices": mapping(COUNT)},
    StandardScaler: {
        "mean_": _PER_COLUMN | NONE,
        "var_": _PER_COLUMN | NONE,
        "scale_": _PER_COLUMN | NONE,
        "n_samples_seen_": NUMBER | integers("d"),
    },
    MinMaxScaler: dict.fromkeys(
        ("min_", "scale_", "data_min_", "data_max_", "data_range_"), _PER_COLUMN
    ),
    MaxAbsScaler: {"max_abs_": _PER_COLUMN, "scale_": _PER_COLUMN},
    RobustScaler: {"center_": _PER_COLUMN | NONE, "scale_": _PER_COLUMN | NONE},
    Normalizer: {},
    VarianceThreshold: {"variances_": _PER_COLUMN},
    PCA: {
        "components_": floats("q", "d"),
        "mean_": _PER_COLUMN,
        "explained_variance_": floats("q"),
        "explained_variance_ratio_": floats("q"),
        "singular_values_": floats("q"),
        "noise_variance_": NUMBER,
    },
    KNeighborsClassifier: _NEIGHBOURS,
    KNeighborsRegressor: _NEIGHBOURS,
    LogisticRegression: {"coef_": floats("k", "d"), "intercept_": floats("k")},
    LinearRegression: _LINEAR,
    Ridge: _LINEAR,
    KMeans: {"cluster_centers_": floats("k", "d"), "labels_": integers("n"), "_n_threads": COUNT},
}
"""The steps, and the kinds of their attributes and parameters."""


def _rows_and_labels(step: Any) -> tuple[Array, Array]:
    """What a classifier or regressor by neighbours was fitted with."""
    if not hasattr(step, "classes_"):
        return step._fit_X, step._y
    if not step.outputs_2d_:
        return step._fit_X, step.classes_[step._y.ravel()]
    columns = zip(step.classes_, step._y.T, strict=True)
    return step._fit_X, np.column_stack([names[codes] for names, codes in columns])


FITTED_ANEW: Mapping[type, Callable[[Any], tuple[Array, Array]]] = {
    KNeighborsClassifier: _rows_and_labels,
    KNeighborsRegressor: _rows_and_labels,
}
"""Steps that are put together by a fit: their search trees follow from the rows, to the bit, and
a tree from a file could point anywhere in memory."""
