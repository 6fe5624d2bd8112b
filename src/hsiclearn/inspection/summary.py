"""What a fitted model found, chose and proved: the one account that page, command and badge read.

What was fitted is on the result (:class:`hsiclearn._result.FittedOn`); nothing is computed again.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import numpy as np

from .._estimators import (
    AlternativeHSIC,
    Badge,
    BaseHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    badge_of,
)
from .._result import Result
from .fitted import feature_names, last_step

__all__ = ["Badge", "badge", "summary_of", "text_of"]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_PARADIGMS = {
    SupervisedHSIC: "supervised",
    SemiSupervisedHSIC: "semi-supervised",
    AlternativeHSIC: "alternative",
}
_CHOICES = (
    *("n_components_", "bandwidth_", "metric_", "objective_", "kernel_", "engine_"),
    *("target_", "guidance_"),
    *("n_clusters_", "label_kernel_", "converged_", "n_iter_", "cost_"),
)


def badge(model: Any) -> Badge:
    """What was found, and whether it holds for rows that took no part in the fit.

    Of a supervised fit it stands on rows held out first and on the certificate second: a verified
    optimum that tells nothing about other rows is no finding. Of a clustering it stands on whether
    the search settled and how far the clusters come back.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.

    Returns
    -------
    Badge

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import badge
    >>> X, y, _ = make_planted("sine", 150, 4)
    >>> badge(SupervisedHSIC(n_components=1).fit(X, y)).kind
    'good'
    """
    return badge_of(last_step(model))


def summary_of(model: Any) -> dict[str, Any]:
    """Every figure of the fit itself, under the keys of ``hsiclearn.plotting.page.figures``.

    ``neighbour_words`` are what neighbours reach on rows held out, in words; ``versions`` those of
    the fit, none where an early file does not say; ``is_weighted`` whether rows had weights.
    """
    step: Any = last_step(model)
    proof, record = step.certificate_, step.result_.fitted_on
    selection = getattr(step, "selection_", None)
    neighbours = getattr(selection, "neighbours", None)
    size = (step.n_components_, step.n_features_in_)
    return {
        "estimator": type(step).__name__,
        "paradigm": _PARADIGMS.get(type(step), "unsupervised"),
        "badge": asdict(badge_of(step)),
        "certificate": asdict(proof) | {"verified": proof.verified, "verdict": proof.verdict},
        "solver": _solver(step.result_),
        "selection": None if selection is None else _selection(selection),
        "columns": _columns(step),
        "neighbour_words": None if neighbours is None else neighbours.in_words(*size),
        "clusters": _clusters(step, model) if hasattr(step, "n_clusters_") else None,
        "fitted": _choices(step),
        "is_weighted": record is not None and record.weights is not None,
        "versions": {} if record is None else dict(record.versions),
    }


def _solver(result: Result) -> dict[str, Any]:
    """Without seconds: the same fit must give the same figures."""
    return {
        "status": result.status.name.lower(),
        "sentence": result.status.value,
        "converged": result.converged,
        "cost": result.cost,
        "n_iter": result.n_iter,
        "start": result.start,
        "engine": result.engine,
        "engine_reason": result.engine_reason,
        "engine_error": asdict(result.engine_error),
        "eigenvalues": result.eigenvalues,
        "history": [
            {name: getattr(record, name) for name in ("step", "cost", "gradient", "angle")}
            for record in result.history
        ],
    }


def _selection(selection: Any) -> dict[str, Any]:
    """What was compared and chosen, and what rows held out say of it."""
    names = (
        "bandwidth",
        "n_components",
        "start",
        "metric",
        "objective",
        "leave_one_out",
        "held_out",
    )
    neighbours = selection.neighbours
    return {
        "explained_share": selection.explained_share,
        "found_dependence": selection.found_dependence,
        "n_rows": selection.n_samples,
        "caution": selection.caution,
        "neighbours": None if neighbours is None else asdict(neighbours),
        "candidates": [
            {name: getattr(one, name) for name in names} | {"chosen": one == selection.chosen}
            for one in selection.candidates
        ],
    }


def _columns(step: Any) -> dict[str, Any] | None:
    """The columns selected, and what was explained by others; None where all were to be used."""
    if getattr(step, "n_features_to_select", None) is None:
        return None
    path = step.count_path_
    return {
        "selected": step.get_support(indices=True),
        "counts": None if path is None else path.counts,
        "held_out": None if path is None else path.held_out,
    }


def _clusters(step: Any, model: Any) -> dict[str, Any]:
    """Their number and graph, whether they come back, and what they may be instead."""
    agreement, levels = (getattr(step, name, None) for name in ("agreement_", "levels_"))
    return {
        "n_clusters": step.n_clusters_,
        "assortativity": step.assortativity_,
        "completed": hasattr(step, "classes_"),
        "graph_eigenvalues": step.graph_eigenvalues_,
        "agreement": asdict(agreement) | {"words": agreement.in_words()} if agreement else None,
        "levels": levels.named(feature_names(model)).in_words() if levels else None,
    }


def _choices(step: BaseHSIC) -> dict[str, Any]:
    """What the fit chose; what is no number or string as text."""
    plain = (str, int, float, np.generic, type(None))
    found = {name: getattr(step, name) for name in _CHOICES if hasattr(step, name)}
    return {name: v if isinstance(v, plain) else text_of(v) for name, v in found.items()}


def text_of(value: Any) -> str:
    """A parameter as text; without the address of an object, which differs from run to run."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    return _ADDRESS.sub("", repr(value.item() if isinstance(value, np.generic) else value))
