"""What a supervised fit chooses between, and what it warns of once it has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._advice import Advice
from .._arrays import Array
from .._selection import (
    AUTO,
    DEPENDENCE,
    FEWEST_ROWS,
    MOST_COLUMNS,
    PREDICTION,
    RELEVANCE,
    metrics_for,
)
from ..exceptions import DependenceWarning

if TYPE_CHECKING:
    from .supervised import SupervisedHSIC

_OF_HSIC = {"kernel": "gaussian", "solver": "spectral", "engine": "auto", "init": "auto"}
"""Parameters that only HSIC has: whoever sets one otherwise asks for HSIC."""


def objectives_to_compare(
    model: SupervisedHSIC, n_features: int, groups: Array | None
) -> tuple[str, ...]:
    """Those to choose between: who asks for a solver, an engine or a start asks for HSIC.

    So does who wants checkpoints of it, and who has groups: a descent predicts rows from others
    of their group.
    """
    if model.objective == PREDICTION:
        _check_prediction(model, n_features)
    if model.objective != AUTO:
        return (model.objective,)
    is_open = groups is None and model.checkpoint is None and model.metric == AUTO
    for name, usual in _OF_HSIC.items():
        asked = getattr(model, name)
        is_open = is_open and isinstance(asked, str) and asked == usual
    is_narrow = len(metrics_for(AUTO, 0, n_features)) > 1
    return (DEPENDENCE, PREDICTION) if is_open and is_narrow else (DEPENDENCE,)


def _check_prediction(model: SupervisedHSIC, n_features: int) -> None:
    """Nothing that goes with HSIC alone, and no more columns than a descent takes."""
    if model.metric == RELEVANCE:
        raise ValueError(
            "metric='relevance' weighs columns for HSIC; directions that are made to predict "
            "have weights of their own. Got objective='prediction' as well: leave out one of "
            "the two."
        )
    if model.checkpoint is not None:
        raise ValueError(
            "`checkpoint` is written by the descent of HSIC. Got objective='prediction': leave "
            "it out, or use objective='dependence'."
        )
    if n_features > MOST_COLUMNS:
        raise ValueError(
            f"objective='prediction' takes {MOST_COLUMNS} columns at most. Got {n_features}: "
            "pass a number as n_features_to_select, put PCA in front, or use "
            "objective='dependence'."
        )


def warnings_of_choice(
    model: SupervisedHSIC, groups: Array | None
) -> list[tuple[type[Warning], str]]:
    """Of a fitted model: a metric not made, groups without a part, nothing found."""
    found: list[tuple[type[Warning], str]] = []
    selection = model.selection_
    was_cut_short = model.result_.status.is_cut_short  # of which there is a warning
    is_other = model.metric not in (AUTO, model.metric_) and model.objective_ == DEPENDENCE
    if is_other and not was_cut_short:
        what = "Weights" if model.metric == RELEVANCE else "The covariance"
        verb = "are" if model.metric == RELEVANCE else "is"
        message = Advice(
            f"{what} of {model.n_features_in_} columns {verb} not made: {MOST_COLUMNS} are "
            "the most. The directions are orthonormal as they are.",
            "Use metric='identity', a number as n_features_to_select, or PCA in front.",
            "Use --metric identity.",
        )
        found.append((UserWarning, message))
    if groups is not None and selection is None:
        message = Advice(
            "The groups had no part in this fit, since no rule held rows out. Leave them out, or",
            f"use bandwidth='auto' and {FEWEST_ROWS} rows or more.",
            f"use --bandwidth auto and {FEWEST_ROWS} rows or more.",
        )
        found.append((UserWarning, message))
    if selection is not None and not selection.found_dependence:
        more = "at all; (c) more rows or fewer noise columns may help."
        message = Advice(
            "No dependence found: on rows held out the subspace explains "
            f"{100.0 * selection.explained_share:.1f} % of the target, no more than chance "
            "does. (a) Do not read the components; (b)",
            f"hsic_test tells whether X and y depend {more}",
            f"hsiclearn test tells whether they depend {more}",
        )
        found.append((DependenceWarning, message))
    return found
