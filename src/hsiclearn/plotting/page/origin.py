"""What a model was fitted on, kept apart from the rows and columns it is shown with.

A page may show other rows than those of the fit, or colour them by another column. What is true
of the fit must not be said of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._estimators import SupervisedHSIC
from ..._estimators._base import BaseHSIC
from ..._objective import Objective
from ..._paradigms import read_target, supervised_gamma
from ..._solvers import as_generator
from ...inspection._fitted import deviations
from .labelling import Labelling

__all__ = ["Origin", "is_target_of", "origin_of", "read_fitted_on"]

_MEAN = 1e-6  # in deviations: other rows of the same kind are off by 1 / sqrt(n) of them
_ROUNDING = 1e-9  # of the mean itself, for columns far from zero
_COST = 1e-5  # relative; another column has another cost
_MOST_ROWS = 5000  # up to which the cost is exact and quick to compute again
_KEYS = ("n_rows", "labels", "n_other_columns")


@dataclass(frozen=True)
class Origin:
    """What is known of the fit.

    ``n_rows`` and ``labels`` (names of the columns fitted to) are None where nobody says;
    ``same_rows`` tells whether the rows shown are those of the fit; ``n_other_columns`` is how many
    columns its table had beside those that the model takes, such as labels and names.
    """

    same_rows: bool
    n_rows: int | None
    labels: tuple[str, ...] | None
    n_other_columns: int = 0


def read_fitted_on(
    fitted_on: Mapping[str, Any] | None,
) -> tuple[int | None, Sequence[str] | None, int]:
    """Rows, names of columns, and number of other columns, as told; None for what is not told."""
    told = {} if fitted_on is None else dict(fitted_on)
    unknown = sorted(set(map(str, told)) - set(_KEYS))
    n_rows, labels, others = (told.get(key) for key in _KEYS)
    if unknown:
        raise ValueError(f"`fitted_on` may have the keys {list(_KEYS)}. Got {unknown}.")
    for name, value, least in (("n_rows", n_rows, 1), ("n_other_columns", others, 0)):
        if value is not None and (not isinstance(value, Integral) or value < least):
            raise ValueError(f"`fitted_on['{name}']` must be an integer >= {least}. Got {value!r}.")
    if isinstance(labels, str):
        raise ValueError(f"`fitted_on['labels']` must be a list of names. Got {labels!r}.")
    names = None if labels is None else [str(name) for name in labels]
    return (None if n_rows is None else int(n_rows)), names, int(others or 0)


def origin_of(step: BaseHSIC, rows: Array, fitted_on: Mapping[str, Any] | None) -> Origin:
    """Whether the rows are those of the fit, by their mean and number; and what else is told."""
    told, labels, others = read_fitted_on(fitted_on)
    n = rows.shape[0]
    fewest, known = _numbers(step)
    n_fitted = known if told is None else told
    same = n >= fewest and n_fitted in (None, n) and _has_mean_of(step, rows)
    names = None if labels is None else tuple(labels)
    return Origin(same, n if same else n_fitted, names, others)


def _numbers(step: Any) -> tuple[int, int | None]:
    """How many rows the fit had at least, and how many it had, where it says so."""
    selection, labels = getattr(step, "selection_", None), getattr(step, "labels_", None)
    fewest = 2 if selection is None else int(selection.n_samples)
    return fewest, None if labels is None else len(labels)


def _has_mean_of(step: Any, rows: Array) -> bool:
    mean = np.asarray(rows.mean(axis=0), dtype=np.float64).ravel()
    allowed = _MEAN * deviations(rows) + _ROUNDING * np.abs(step.mean_)
    return bool(np.all(np.abs(mean - step.mean_) <= allowed))


def is_target_of(step: BaseHSIC, projection: FloatArray, given: Sequence[Labelling]) -> bool | None:
    """Whether the rows of the fit and these columns give the cost of the fit; None: cannot tell.

    It never says no: where the cost differs, the reason may be another, such as weights.
    """
    if not isinstance(step, SupervisedHSIC) or not given or projection.shape[0] > _MOST_ROWS:
        return None
    if any(column.is_classes and column.n_unknown for column in given):
        return None
    weight = None if isinstance(step.class_weight, Mapping) else step.class_weight
    columns = [column.codes if column.is_classes else column.values for column in given]
    y = columns[0] if len(columns) == 1 else np.column_stack([np.asarray(c) for c in columns])
    try:
        cost = _cost(step, projection, y, weight)
    except ValueError:  # another kind of target
        return None
    return True if abs(cost - step.cost_) <= _COST * abs(step.cost_) else None


def _cost(step: SupervisedHSIC, projection: FloatArray, y: Any, weight: Any) -> float:
    """Of the fit, computed again; what it warned of was said then."""
    seed, q = step.random_state, projection.shape[1]
    rng = as_generator(int(seed) if isinstance(seed, Integral) else 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gamma = supervised_gamma(read_target(y, step.target_, weight), rng)
        objective = Objective(projection, gamma, step.kernel_, n_components=q)
        return float(objective.cost(np.eye(q)))
