"""What a fit found, as plain data: what ``--json`` prints and the text is made from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import Pipeline

from .._arrays import FloatArray
from .._estimators import BaseHSIC
from ..inspection.summary import summary_of
from .fit_options import FitOptions
from .problem import TableProblem
from .wording import in_command_words


def answer_of(
    model: Pipeline, X: FloatArray, problem: TableProblem, options: FitOptions, *, n_columns: int
) -> dict[str, Any]:
    """Every figure of the answer; JSON can hold all of it."""
    estimator = model[-1]
    encoder = model[0]
    names = [str(name) for name in encoder.get_feature_names_out()]
    kinds = zip(encoder.columns_, encoder.kinds_, strict=True)
    answer: dict[str, Any] = {
        "data": str(options.data),
        "rows": X.shape[0],
        "columns": n_columns,
        "features": names,
        "categories": [name for name, kind in kinds if kind == "category"],
        "standardised": not options.no_scale,
        "role": problem.role,
        "labels": {
            name: {"kind": label.kind, "counts": label.counts}
            for name, label in problem.labels.items()
        },
        "estimator": type(estimator).__name__,
    }
    answer["settings"] = _settings(estimator, options)
    answer |= _solution(summary_of(model))
    answer["components"] = _components(estimator, X, names)
    if hasattr(estimator, "labels_"):
        answer["clusters"] = _clusters(estimator, problem)
    return answer


def _settings(estimator: BaseHSIC, options: FitOptions) -> dict[str, Any]:
    """How it was solved, by the names of the options."""
    names = {"n_init": "starts", "random_state": "seed"}
    parameters = ("engine", "n_init", "tol", "max_iter", "random_state")
    found = {names.get(name, name): getattr(estimator, name) for name in parameters}
    return {"bandwidth": options.bandwidth or "auto", **found}


def _solution(fit: dict[str, Any]) -> dict[str, Any]:
    """What was found, from the summary of the model."""
    selection, certificate, solver = fit["selection"] or {}, fit["certificate"], fit["solver"]
    neighbours = selection.get("neighbours")
    return {
        "badge": fit["badge"],
        "n_components": fit["fitted"]["n_components_"],
        "bandwidth": _number(fit["fitted"]["bandwidth_"]),
        "explained_share": _number(selection.get("explained_share")),
        "found_dependence": bool(selection["found_dependence"]) if selection else None,
        "neighbours": neighbours and neighbours | {"words": fit["neighbour_words"]},
        "cost": _number(solver["cost"]),
        "converged": bool(solver["converged"]),
        "status": in_command_words(solver["sentence"], "fit"),
        "certificate": {
            "verified": certificate["verified"],
            "verdict": certificate["verdict"],
            "stationarity": _number(certificate["stationarity"]),
            "curvature": _number(certificate["curvature"]),
            "second_order": certificate["second_order"],
        },
    }


def _components(estimator: BaseHSIC, X: FloatArray, names: list[str]) -> list[dict[str, Any]]:
    """Loadings of each direction, the features that move it most first.

    ``loadings`` are per unit of the columns that the model sees, ``standardised`` per standard
    deviation of each.
    """
    spread = X.std(axis=0)
    widths = (X @ estimator.components_.T).std(axis=0)
    components = []
    for number, loadings in enumerate(estimator.components_, start=1):
        order = np.argsort(-np.abs(loadings * spread), kind="stable")
        components.append(
            {
                "component": number,
                "sd": float(widths[number - 1]),
                "loadings": {names[j]: float(loadings[j]) for j in order},
                "standardised": {names[j]: float(loadings[j] * spread[j]) for j in order},
            }
        )
    return components


def _clusters(estimator: Any, problem: TableProblem) -> dict[str, Any]:
    found, sizes = np.unique(np.asarray(estimator.labels_).astype(str), return_counts=True)
    shares = np.asarray(estimator.assortativity_).tolist()
    guides = {}
    for i, (name, label) in enumerate(problem.labels.items()):
        # Known labels are kept, so that agreement with them would say nothing.
        nmi = normalized_mutual_info_score(label.y, estimator.labels_)
        guides[name] = {
            "nmi": float(nmi) if problem.role == "against" else None,
            "assortativity": _number(shares[i]) if i < len(shares) else None,
        }
    return {"sizes": dict(zip(found.tolist(), sizes.tolist(), strict=True)), "labels": guides}


def _number(value: Any) -> float | None:
    """JSON has no NaN and no infinity."""
    return None if value is None or not math.isfinite(value) else float(value)
