"""The estimators inside a model, however deep."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import check_is_fitted

from .._estimators import SupervisedHSIC
from .._estimators._base import BaseHSIC
from .steps import FITTED_ANEW, STEPS

__all__ = ["check_fitted", "warn_of_other_version", "without_rows"]

_VERSION = re.compile(r"with scikit-learn (\S+)$")


class _OtherVersionWarning(InconsistentVersionWarning):  # type: ignore[misc]
    """Scikit-learn's own warning, in words that hold here."""

    def __str__(self) -> str:
        return (
            f"{self.estimator_name} was saved with scikit-learn {self.original_sklearn_version} "
            f"and is loaded with {self.current_sklearn_version}. It may fail or answer "
            "differently: fit and save the model again, or install that version."
        )


def check_fitted(model: Any) -> list[BaseHSIC]:
    """Raise unless every step is fitted and one at least is ours; return ours."""
    steps = list(_estimators(model))
    ours = [step for step in steps if isinstance(step, BaseHSIC)]
    if not ours:
        raise TypeError(
            f"Need an estimator of hsiclearn, or a pipeline with one. Got {type(model).__name__}."
        )
    for step in steps:
        check_is_fitted(step)
    return ours


def without_rows(model: Any) -> Any:
    """A copy that holds no rows of the fit; an error where it could not do its work then."""
    model = deepcopy(model)
    for step in _estimators(model):
        is_ours = isinstance(step, BaseHSIC)
        if type(step) in FITTED_ANEW or (is_ours and not isinstance(step, SupervisedHSIC)):
            raise ValueError(
                f"rows=False leaves out the rows of the fit, but {type(step).__name__} predicts "
                "from them. Save it with rows=True, or the part of the pipeline before it."
            )
        if is_ours:
            vars(step).pop("known_rows_", None)
            if step.selection_ is not None:
                step.selection_ = replace(step.selection_, out_of_fold=None)
    return model


def warn_of_other_version(model: Any, written_by: str) -> None:
    """Warn where steps of scikit-learn come from another version of it."""
    found = _VERSION.search(written_by)
    foreign = [type(s).__name__ for s in _estimators(model) if type(s) in STEPS]
    names = sorted(set(foreign) - {"FeatureUnion", "Pipeline"})
    if found is not None and names and found[1] != sklearn.__version__:
        warning = _OtherVersionWarning(
            estimator_name=", ".join(names),
            current_sklearn_version=sklearn.__version__,
            original_sklearn_version=found[1],
        )
        warnings.warn(warning, stacklevel=4)


def _estimators(model: Any) -> Iterator[Any]:
    """The model and what it holds; neither ``"drop"`` and ``"passthrough"`` nor idle steps."""
    if not isinstance(model, BaseEstimator):
        return
    yield model
    for part in _parts(model):
        yield from _estimators(part)


def _parts(model: Any) -> Iterable[Any]:
    if isinstance(model, Pipeline):
        return [part for _, part in model.steps]
    if isinstance(model, FeatureUnion):
        return [part for _, part in model.transformer_list]
    if isinstance(model, ColumnTransformer) and hasattr(model, "transformers_"):
        taken = model._transformer_to_input_indices  # a step without columns is never fitted
        return [part for name, part, _ in model.transformers_ if len(taken[name])]
    return []
