"""What an object from a file must be before it is handed out: checksums prove nothing of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_selector

from .._alternation import ByCentre, ByVote, Extension, Labelling, Tried
from .._estimators._base import BaseHSIC
from .._records import check_types
from .._result import Result, Status
from .._rows import Spread
from .._selection import KnownRows, OutOfFold, Selection
from ..kernels import AbstractKernel, NeighbourScales
from .kinds import (
    BOOL,
    COUNT,
    NONE,
    NUMBER,
    TEXT,
    Kind,
    a,
    arrays,
    check_parts,
    floats,
    integers,
)
from .steps import STEPS

__all__ = ["KINDS", "check_built", "check_fit", "check_parameters", "vars_of"]

_ORTHONORMAL = 1e-8  # |W'W - I| at most; rounding leaves 1e-14
_TYPES = {"dtype", "dtype_exclude", "dtype_include"}  # parameters that may be types
_NAMES: Mapping[str, Kind] = {"n_features_in_": COUNT, "feature_names_in_": arrays("d")}

_FIT: Mapping[str, Kind] = {
    "mean_": floats("d"),
    "kernel_": a(AbstractKernel),
    "bandwidth_": NUMBER | NONE,
    "result_": a(Result),
    "selection_": a(Selection) | NONE,
    "spread_": a(Spread),
    "known_rows_": a(KnownRows),
    "target_": TEXT,
    "classes_": arrays("*"),
    "guidance_": TEXT,
    "n_clusters_": COUNT,
    "labels_": arrays("n"),
    "embedding_": floats("n", "*"),
    "graph_eigenvalues_": floats("*"),
    "assortativity_": floats("*"),
    "label_kernel_": a(AbstractKernel),
    "starts_": Kind("starts", lambda value, _: all(isinstance(one, Tried) for one in value)),
    "_labelling": a(Labelling),
    "_offset": floats("*"),
    "_label_names": arrays("*"),
    "_is_guided": BOOL,
}
KINDS: dict[type, Mapping[str, Kind]] = {
    **STEPS,
    BaseHSIC: _FIT,
    Result: {"W": floats("d", "q"), "eigenvalues": floats("*")},
    OutOfFold: {"rows": integers("m"), "Z": floats("m", "q")},
    KnownRows: {
        "Z": floats("m", "q"),
        "y": floats("m", "*") | integers("m"),
        "groups": integers("m") | NONE,
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
        "rows": floats("n", "q"),
        "distance": floats("n"),
        "neighbor": integers("n"),
    },
    Extension: {
        "rows": floats("n", "q"),
        "degree": floats("n"),
        "embedding": floats("n", "k"),
        "values": floats("k"),
    },
    ByCentre: {
        "labels": integers("n"),
        "centres": floats("c", "*"),
        "cluster_of": integers("c"),
    },
    ByVote: {"labels": integers("n")},
}
"""The kinds of attributes and parameters, by class."""


def check_parameters(value: Any, parameters: Mapping[str, Any]) -> None:
    """Of the types declared, and within the bounds that ``fit`` would ask for."""
    if is_dataclass(value):
        check_types(value)
    for name, part in parameters.items():
        is_code = isinstance(part, type | make_column_selector)
        if is_code and name not in _TYPES:
            raise TypeError(f"{type(value).__name__}.{name} may not be {part!r}")
    if isinstance(value, BaseEstimator) and hasattr(value, "_parameter_constraints"):
        value._validate_params()


def check_built(value: Any) -> None:
    """Every part of its kind, of the shape that the others ask for."""
    sizes: dict[str, int] = {}
    if "n_features_in_" in vars_of(value):
        sizes["d"] = value.n_features_in_
        check_parts(value, _NAMES, sizes)
    for cls, kinds in KINDS.items():
        if isinstance(value, cls):
            check_parts(value, kinds, dict(sizes))


def vars_of(value: Any) -> Mapping[str, Any]:
    """The attributes of an object; a record with slots has none that matter here."""
    return getattr(value, "__dict__", {})


def check_fit(step: BaseHSIC) -> None:
    """The directions are orthonormal, and nothing that is said of them contradicts the rest."""
    W, shape = step.components_, (step.n_components_, step.n_features_in_)
    is_matrix = isinstance(W, np.ndarray) and W.dtype == np.float64 and W.shape == shape
    if not is_matrix or W.shape[0] > W.shape[1] or not np.isfinite(W).all():
        raise ValueError(f"components_ must be finite numbers of shape {shape}")
    if np.linalg.norm(W @ W.T - np.eye(W.shape[0])) > _ORTHONORMAL:
        raise ValueError("components_ must be orthonormal")
    _check_result(step.result_)
    if not np.array_equal(_without_zeros(step.result_.W), _without_zeros(W.T)):
        raise ValueError("components_ must be the directions of result_")
    for name, part in _of_result(step).items():
        if not _agree(getattr(step, name), part):
            raise ValueError(f"{name} must be {part!r:.60}, as result_ says")


def _of_result(step: BaseHSIC) -> dict[str, Any]:
    """What an estimator repeats of its result, under its own names."""
    result = step.result_
    return {
        "bandwidth_": step.kernel_.scale,
        "cost_": result.cost,
        "n_iter_": result.n_iter,
        "converged_": result.converged,
        "eigenvalues_": result.eigenvalues,
        "engine_": result.engine,
        "certificate_": result.certificate,
    }


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
