"""What each class in a model file consists of, as data: the kind of every attribute.

A step of scikit-learn is written down with all that a fit has added to it. Attributes listed here
are checked when they are read; ``d`` is the number of columns a step takes. What another version of
scikit-learn adds besides is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
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

from .._alternation import ByCentre, ByVote, Extension, Labelling, Tried
from .._arrays import Array
from .._estimators import BaseHSIC
from .._result import Result
from .._rows import Spread
from .._selection import CountPath, KnownRows, OutOfFold, Selection
from ..kernels import AbstractKernel, NeighbourScales
from .kinds import (
    ANYTHING,
    BOOL,
    COUNT,
    DTYPE,
    NONE,
    NUMBER,
    TEXT,
    Kind,
    a,
    arrays,
    finite,
    floats,
    integers,
    list_of,
    mapping,
    tuple_of,
)

_LARGE = 1e100
"""The largest number where squares and products are made of it: those of larger ones overflow."""
_large = partial(finite, most=_LARGE)
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
    "coef_": _large("d") | _large("k", "d"),
    "intercept_": NUMBER | _large("k"),
}
_NEIGHBOURS = {
    "_fit_X": _large("n", "d"),
    "metric": TEXT,
    "weights": TEXT | NONE,
}

STEPS: Mapping[type, Mapping[str, Kind]] = {
    Pipeline: {"steps": list_of(tuple_of(TEXT, _STEP))},
    FeatureUnion: {"transformer_list": list_of(tuple_of(TEXT, _STEP))},
    make_column_selector: {"pattern": TEXT | NONE},
    ColumnTransformer: {
        "transformers_": list_of(tuple_of(TEXT, _STEP, ANYTHING)),
        "_columns": list_of(ANYTHING),
        "_transformer_to_input_indices": mapping(a(list)),
        "_remainder": tuple_of(TEXT, _STEP, ANYTHING),
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
        "components_": _large("q", "d"),
        "mean_": finite("d"),
        "explained_variance_": finite("q"),
        "explained_variance_ratio_": floats("q"),
        "singular_values_": floats("q"),
        "noise_variance_": NUMBER,
    },
    KNeighborsClassifier: _NEIGHBOURS,
    KNeighborsRegressor: _NEIGHBOURS,
    LogisticRegression: {"coef_": _large("k", "d"), "intercept_": _large("k")},
    LinearRegression: _LINEAR,
    Ridge: _LINEAR,
    KMeans: {"cluster_centers_": _large("k", "d"), "labels_": integers("n"), "_n_threads": COUNT},
}
"""The steps of scikit-learn that a file may hold."""


NAMES: Mapping[str, Kind] = {"n_features_in_": COUNT, "feature_names_in_": arrays("d")}
_FIT: Mapping[str, Kind] = {
    "mean_": finite("d"),
    "patterns_": floats("q", "d"),
    "metric_": TEXT,
    "objective_": TEXT,
    "kernel_": a(AbstractKernel),
    "bandwidth_": NUMBER | NONE,
    "result_": a(Result),
    "selection_": a(Selection) | NONE,
    "support_": Kind("a mask", lambda mask, _: arrays("d").holds(mask, _) and mask.dtype == bool),
    "n_features_selected_": COUNT,
    "count_path_": a(CountPath) | NONE,
    "feature_importances_": floats("d"),
    "spread_": a(Spread),
    "known_rows_": a(KnownRows),
    "target_": TEXT,
    "classes_": arrays("*"),
    "guidance_": TEXT | NONE,
    "n_clusters_": COUNT,
    "labels_": arrays("n"),
    "embedding_": finite("n", "*"),
    "graph_eigenvalues_": floats("*"),
    "assortativity_": floats("*"),
    "label_kernel_": a(AbstractKernel),
    "starts_": Kind("starts", lambda value, _: all(isinstance(one, Tried) for one in value)),
    "_labelling": a(Labelling),
    "_offset": finite("q"),
    "_label_names": arrays("*"),
    "_is_guided": BOOL,  # in files of the first version
}
KINDS: dict[type, Mapping[str, Kind]] = {
    **STEPS,
    BaseHSIC: _FIT,
    Result: {"W": floats("d", "q"), "eigenvalues": floats("*")},
    CountPath: {"counts": integers("m"), "held_out": floats("m"), "errors": floats("m")},
    OutOfFold: {"rows": integers("m"), "Z": floats("m", "q")},
    KnownRows: {
        "Z": floats("m", "q"),
        "y": floats("m", "*") | integers("m"),
        "groups": integers("m") | NONE,
        "weights": floats("m") | NONE,
    },
    Spread: {
        "deviations": floats("q"),
        "carriers": Kind(
            "arrays of rows",
            lambda rows, sizes: (
                len(rows) == sizes["q"] and all(integers("*").holds(some, sizes) for some in rows)
            ),
        ),
        "shares": floats("q"),
    },
    NeighbourScales: {
        "rows": _large("n", "q"),
        "distance": _large("n"),
        "neighbor": integers("n"),
        "weights": floats("n") | NONE,
    },
    Extension: {
        "rows": _large("n", "q"),
        "degree": _large("n"),
        "embedding": _large("n", "k"),
        "values": floats("k"),
        "weights": floats("n") | NONE,
    },
    ByCentre: {
        "labels": integers("n"),
        "centres": floats("c", "*"),
        "cluster_of": integers("c"),
    },
    ByVote: {"labels": integers("n")},
}
"""The kinds of attributes and parameters, by class."""


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
