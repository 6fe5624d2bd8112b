"""The classes a model file may name, and the parts each is put together from.

Nothing else is ever built from a file. A class appears under its own name, without a module: files
stay readable when code moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .. import kernels
from .._alternation import ByCentre, ByVote, Extension, Tried
from .._estimators import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from .._result import Agreement, Certificate, EngineError, FittedOn, Levels, Record, Result
from .._rows import Spread, is_dask
from .._selection import Candidate, CountPath, KnownRows, Neighbours, OutOfFold, Selection
from .checks import ROWS, check_built, check_parameters
from .kinds import Kind
from .parts import FITTED_ANEW, KINDS, STEPS

_OURS = (
    *(AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC),
    *(kernels.Cauchy, kernels.Combination, kernels.Gaussian, kernels.InverseMultiquadratic),
    *(kernels.Linear, kernels.Multiquadratic, kernels.NeighbourScales, kernels.Polynomial),
    *(kernels.RationalQuadratic, kernels.RelativeGaussian, kernels.Squared),
    *(Agreement, Certificate, EngineError, FittedOn, Levels, Record, Result),
    *(Candidate, CountPath, KnownRows, Neighbours, OutOfFold, Selection, Spread, Tried),
    *(ByCentre, ByVote, Extension),
)
CLASSES: dict[str, type] = {cls.__name__: cls for cls in (*_OURS, *STEPS)}
"""Every class a file may name, with those of :data:`_REGISTERED_BY`."""

_REGISTERED_BY = {"TableEncoder": "hsiclearn._cli.tables.stored"}
"""Classes of layers above, and the module that registers each: loaded where a file names it."""

_PRIVATE = {"_is_guided", "_label_names", "_labelling", "_offset", "_sklearn_output_config"}
"""What ``predict`` of the clustering estimators and ``set_output`` need besides."""

_OF_THE_MACHINE = {"callback", "checkpoint", "memory", "resume"}
"""Parameters that name places on a disk, or are code: a file from elsewhere must not."""

_THREADS = "_n_threads"
"""An attribute that says how many cores a machine had: written as 1."""

_LEFT_OUT = {"_tree"}
"""Attributes that a fit makes anew."""


def register(cls: type, kinds: Mapping[str, Kind], row: Callable[[Any], Any]) -> None:
    """Let files name a class: the kinds of its attributes, and a row that an instance takes."""
    CLASSES[cls.__name__], KINDS[cls], ROWS[cls] = cls, kinds, row


def class_named(name: str) -> type | None:
    """The class that a file means by a name; None if it may not name it."""
    if name not in CLASSES and name in _REGISTERED_BY:
        import_module(_REGISTERED_BY[name])
    return CLASSES.get(name)


def ours() -> list[type]:
    """The classes of this library that a file may name."""
    named = {class_named(name) for name in (*CLASSES, *_REGISTERED_BY)} - {None, *STEPS}
    return [cls for cls in named if cls is not None]


def parts_of(value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What its constructor takes, and what a fit has added."""
    if isinstance(value, Record):
        value = replace(value, seconds=math.nan)  # the same fit, run again, is the same file
    if is_dataclass(value) and not isinstance(value, BaseEstimator):
        return {item.name: getattr(value, item.name) for item in fields(value) if item.init}, {}
    if not isinstance(value, BaseEstimator):
        return dict(vars(value)), {}
    given = value.get_params(deep=False)
    parameters = {
        name: part
        for name, part in given.items()
        if name not in _OF_THE_MACHINE and not _is_default(value, name, part)
    }
    added = {
        name: 1 if name == _THREADS else part
        for name, part in vars(value).items()
        if name not in given and name not in _LEFT_OUT and _is_fitted(type(value), name)
        if not is_dask(part)  # labels that are still to be computed, of rows that do not go with it
    }
    return parameters, added


def put_together(cls: type, parameters: Mapping[str, Any], added: Mapping[str, Any]) -> Any:
    """The object again, through its own constructor, and checked."""
    if barred := _OF_THE_MACHINE & parameters.keys():
        raise ValueError(f"{sorted(barred)} may not be set by a file")
    value = cls(**parameters)
    check_parameters(value, parameters)
    if added and not isinstance(value, BaseEstimator):
        raise ValueError(f"{cls.__name__} has nothing but its parameters")
    for name, part in added.items():
        if not _is_fitted(cls, name) or hasattr(cls, name):
            raise ValueError(f"{name} is no attribute of a fitted {cls.__name__}")
        setattr(value, name, part)
    check_built(value)
    return _fitted_anew(value) if cls in FITTED_ANEW and added else value


def _fitted_anew(step: Any) -> Any:
    names = getattr(step, "feature_names_in_", None)
    step.fit(*FITTED_ANEW[type(step)](step))
    if names is not None:
        step.feature_names_in_ = names
    return step


def _is_default(value: Any, name: str, part: Any) -> bool:
    """Of scikit-learn's classes: what is not written cannot be unknown to another version."""
    if type(value) not in STEPS:
        return False
    default = signature(type(value)).parameters[name].default
    return type(part) is type(default) and bool(np.all(part == default))


def _is_fitted(cls: type, name: str) -> bool:
    """Whether a fit adds an attribute of that name; of scikit-learn's classes private ones, too."""
    if cls in STEPS:
        return (name.endswith("_") or name.startswith("_")) and not name.startswith("__")
    return (name.endswith("_") and not name.startswith("_")) or name in _PRIVATE
