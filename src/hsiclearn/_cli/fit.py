"""``hsiclearn fit``: a table in, directions or clusters out."""

from __future__ import annotations

import json
import math
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import Pipeline

from .._arrays import FloatArray
from .._estimators import BaseHSIC
from .._linalg import deviations_of
from .._persistence import save
from ..exceptions import SpreadWarning
from ..inspection.summary import summary_of
from ..plotting import require_matplotlib
from .answer_text import answer_text
from .console import Console
from .data import (
    check_magnitude,
    constant_columns,
    encoding_notes,
    note_of_time,
    warn_of_spread,
)
from .fit_options import FitOptions
from .opening import opened_source
from .outputs import Writer, check_outputs, write_together
from .problem import TableProblem, build_estimator, pose
from .report import write_report
from .tables import TableEncoder, account
from .wording import in_command_words


def run_fit(options: FitOptions) -> None:
    """Read, fit, write the files asked for, print the answer."""
    options.check()
    outputs = {"--model": options.model, "--report": options.report}
    check_outputs(outputs, options.force, [options.data])
    if options.report is not None:
        require_matplotlib()
    console = Console(options.quiet, "fit", options.verbose)
    with opened_source(options, console) as source:
        problem = pose(options, source, console)
        model, X = _fit(options, problem, console)
        answer = _answer(model, X, problem, options, n_columns=len(source.table.names))
    warn_of_spread(model[-1], problem.names_of_rows, console)
    selection = getattr(model[-1], "selection_", None)
    if selection is not None and selection.caution:
        console.note(selection.caution)
    with console.status("Writing"), console.python_warnings_as_lines():
        _write(options, problem, model, console)
    answer |= {"encoding": account(model[0])}
    answer |= {"notes": console.notes, "warnings": console.warnings}
    answer |= {name[2:]: None if path is None else str(path) for name, path in outputs.items()}
    print(json.dumps(answer, indent=1) if options.json else answer_text(answer))


def _fit(options: FitOptions, problem: TableProblem, console: Console) -> tuple[Pipeline, Any]:
    """The fitted pipeline, and the rows as its last step sees them, in memory or as Dask has them.

    Steps are fitted one by one: columns are looked at in between, and no copy is kept.
    """
    encoder = TableEncoder(
        options.categories,
        impute=options.impute,
        scale=not options.no_scale,
        as_category=problem.categories,
    )
    with console.python_warnings_as_lines():
        problem.source.learn(encoder, problem.features, problem.weights)
    check_magnitude(problem.features)
    looked_at = encoder.transform(problem.features)
    encoding_notes(encoder, problem.source.n_rows, console)
    names = encoder.get_feature_names_out()
    constant_columns(looked_at, names, console)
    note_of_time(options, encoder, looked_at, console)
    X = problem.source.matrix(encoder, looked_at)
    y = problem.source.target(problem.labels)
    with console.python_warnings_as_lines(names):
        estimator = build_estimator(options, problem, X.shape[1], console)
        with console.status("Fitting"), warnings.catch_warnings():
            warnings.simplefilter("ignore", SpreadWarning)  # told afterwards, with names of rows
            known = {"groups": problem.groups, "sample_weight": problem.weights}
            estimator.fit(X, y, **{n: value for n, value in known.items() if value is not None})
    return Pipeline([("table", encoder), ("hsic", estimator)]), X


def _write(options: FitOptions, problem: TableProblem, model: Pipeline, console: Console) -> None:
    record = problem.record(options, console.warnings)
    writers: dict[Path, Writer] = {}
    if options.report is not None:
        writers[options.report] = partial(
            write_report,
            model=model,
            features=problem.features,
            labels=problem.source.shown(problem.labels),
            title=f"{problem.source.title(options.data)}: "
            f"{' and '.join(problem.labels) or 'clusters'}",
            row_names=problem.names_of_rows,
            record=record,
            command=record.line,
            seed=options.seed,
        )
    if options.model is not None:
        writers[options.model] = lambda path: save(model, path, notes=record.as_notes())
    write_together(writers, options.force)


def _answer(
    model: Pipeline, X: Any, problem: TableProblem, options: FitOptions, *, n_columns: int
) -> dict[str, Any]:
    """Every figure of the answer, which ``--json`` prints and the text is made from."""
    encoder, estimator = model
    names = [str(name) for name in encoder.get_feature_names_out()]
    answer: dict[str, Any] = {
        "data": str(options.data),
        "rows": X.shape[0],
        "columns": n_columns,
        "features": names,
        "categories": [n for n, coding in encoder.codings().items() if coding.kind == "category"],
        "standardised": not options.no_scale,
        "role": problem.role,
        "labels": {
            name: {"kind": label.kind, "counts": label.counts}
            for name, label in problem.labels.items()
        },
        "estimator": type(estimator).__name__,
        "weights": options.weights,
        "settings": {
            "bandwidth": options.bandwidth or "auto",
            "engine": estimator.engine,
            "starts": estimator.n_init,
            "tol": estimator.tol,
            "max_iter": estimator.max_iter,
            "seed": estimator.random_state,
        }
        | {
            name: getattr(estimator, name)
            for name in ("metric", "objective", "n_features_to_select")
            if problem.role == "target"
        },
    }
    answer |= _solution(summary_of(model))
    answer["components"] = _components(estimator, X, names, problem.weights)
    if getattr(estimator, "n_features_to_select", None) is not None:
        answer["selected"] = [names[j] for j in estimator.get_support(indices=True)]
    if hasattr(estimator, "labels_"):
        answer["clusters"] = _clusters(estimator, problem)
    return answer


def _solution(fit: dict[str, Any]) -> dict[str, Any]:
    """What was found, from the summary of the model."""
    selection, certificate, solver = fit["selection"] or {}, fit["certificate"], fit["solver"]
    neighbours = selection.get("neighbours")
    return {
        "badge": fit["badge"],
        "n_components": fit["fitted"]["n_components_"],
        "bandwidth": _number(fit["fitted"]["bandwidth_"]),
        "metric": fit["fitted"].get("metric_"),
        "objective": fit["fitted"].get("objective_"),
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


def _components(
    estimator: BaseHSIC, X: Any, names: list[str], weights: FloatArray | None
) -> list[dict[str, Any]]:
    """Loadings of each direction, the features that move it most first.

    ``loadings`` are per unit of the columns that the model sees, ``standardised`` per standard
    deviation of each.
    """
    projected = X @ estimator.components_.T
    spread, widths = (
        np.asarray(A.std(axis=0)) if weights is None else deviations_of(A, weights)
        for A in (X, projected)
    )
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
    labels = np.asarray(estimator.labels_)  # once: of a folder it takes a pass
    found, sizes = np.unique(labels.astype(str), return_counts=True)
    shares = np.asarray(estimator.assortativity_).tolist()
    guides = {}
    for i, (name, label) in enumerate(problem.labels.items()):
        # Known labels are kept, so that agreement with them would say nothing.
        nmi = normalized_mutual_info_score(label.y, labels)
        guides[name] = {
            "nmi": float(nmi) if problem.role == "against" else None,
            "assortativity": _number(shares[i]) if i < len(shares) else None,
        }
    return {"sizes": dict(zip(found.tolist(), sizes.tolist(), strict=True)), "labels": guides}


def _number(value: Any) -> float | None:
    """JSON has no NaN and no infinity."""
    return None if value is None or not math.isfinite(value) else float(value)
