"""``hsiclearn fit``: a table in, directions or clusters out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from .._arrays import FloatArray
from ..persistence import save
from ..plotting import require_matplotlib
from ..tables import TableEncoder
from .answer import answer_of
from .answer_text import answer_text
from .choices import FitOptions
from .console import Console
from .data import check_magnitude, constant_columns, encoding_notes, open_table
from .outputs import Writer, check_outputs, write_together
from .problem import Problem, build_estimator, pose
from .report import report_writer

__all__ = ["run_fit"]

_FLAT = 1e-6  # spread of a direction, relative to the widest, that is rounding


def run_fit(options: FitOptions) -> None:
    """Read, fit, write the files asked for, print the answer."""
    options.check()
    outputs = {"--model": options.model, "--report": options.report}
    check_outputs(outputs, options.force, [options.data])
    if options.report is not None:
        require_matplotlib()
    console = Console(options.quiet)
    table = open_table(options.data, console, fewest=2)
    problem = pose(options, table, console)
    model, X = _fit(options, problem, console)
    answer = answer_of(model, X, problem, options, n_columns=len(table.names))
    _warn_of_flat(answer["components"], console)
    with console.status("Writing"), console.python_warnings_as_lines():
        _write(options, problem, model)
    answer |= {"notes": console.notes, "warnings": console.warnings}
    answer |= {name[2:]: None if path is None else str(path) for name, path in outputs.items()}
    console.tell()
    print(json.dumps(answer, indent=1) if options.json else answer_text(answer))


def _fit(options: FitOptions, problem: Problem, console: Console) -> tuple[Pipeline, FloatArray]:
    """The fitted pipeline, and the rows as its last step sees them.

    Steps are fitted one by one: columns are looked at in between, and no copy is kept.
    """
    encoder = TableEncoder(options.categories, impute=options.impute)
    X = encoder.fit_transform(problem.features)
    encoding_notes(encoder, console)
    names = encoder.get_feature_names_out()
    check_magnitude(X, names)
    constant_columns(X, names, console)
    steps: list[tuple[str, Any]] = [("table", encoder)]
    with console.python_warnings_as_lines():
        if options.scale:
            scaler = StandardScaler(copy=False)  # the encoder's matrix is nobody else's
            X = scaler.fit_transform(X)
            steps.append(("scale", scaler))
        estimator = build_estimator(options, problem, X.shape[1], console)
        what = f"Fitting {X.shape[0]} rows and {X.shape[1]} columns"
        with console.status(what):
            estimator.fit(X, problem.y)
    return Pipeline([*steps, ("hsic", estimator)]), X


def _warn_of_flat(components: list[dict[str, Any]], console: Console) -> None:
    """Columns that depend on each other leave directions in which all rows are one."""
    widest = max(component["sd"] for component in components)
    flat = [c["component"] for c in components if c["sd"] <= _FLAT * widest]
    for number in flat:
        console.warn(
            f"component {number} is the same for all rows, so it says nothing: use --components "
            f"{len(components) - len(flat)}"
        )


def _write(options: FitOptions, problem: Problem, model: Pipeline) -> None:
    writers: dict[Path, Writer] = {}
    if options.report is not None:
        writers[options.report] = report_writer(
            model,
            problem.features,
            problem.labels,
            title=f"{options.data.name}: {' and '.join(problem.labels) or 'clusters'}",
            row_names=problem.names_of_rows,
            command=options.command(),
            seed=options.seed,
        )
    if options.model is not None:
        notes = problem.notes(options.id) | {"command": options.command()}
        writers[options.model] = lambda path: save(model, path, notes=notes)
    write_together(writers, options.force)
