"""``hsiclearn fit``: a table in, directions or clusters out."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from sklearn.pipeline import Pipeline

from .._arrays import FloatArray
from .._persistence import save
from ..exceptions import SpreadWarning
from ..plotting import require_matplotlib
from .answer import answer_of
from .answer_text import answer_text
from .console import Console
from .data import check_magnitude, constant_columns, encoding_notes, maybe_names, open_table
from .fit_options import FitOptions
from .outputs import Writer, check_outputs, write_together
from .problem import TableProblem, build_estimator, pose
from .remarks import note_few_rows, note_of_time, warn_of_spread
from .report import report_writer
from .tables import TableEncoder, account


def run_fit(options: FitOptions) -> None:
    """Read, fit, write the files asked for, print the answer."""
    options.check()
    outputs = {"--model": options.model, "--report": options.report}
    check_outputs(outputs, options.force, [options.data])
    if options.report is not None:
        require_matplotlib()
    console = Console(options.quiet, "fit", options.verbose)
    text = [*maybe_names(options.category), *([] if options.id is None else [options.id])]
    table = open_table(options.data, console, fewest=2, text=text)
    problem = pose(options, table, console)
    model, X = _fit(options, problem, console)
    answer = answer_of(model, X, problem, options, n_columns=len(table.names))
    warn_of_spread(model[-1], problem.names_of_rows, console)
    note_few_rows(model[-1], console)
    with console.status("Writing"), console.python_warnings_as_lines():
        _write(options, problem, model, console)
    answer |= {"encoding": account(model[0])}
    answer |= {"notes": console.notes, "warnings": console.warnings}
    answer |= {name[2:]: None if path is None else str(path) for name, path in outputs.items()}
    print(json.dumps(answer, indent=1) if options.json else answer_text(answer))


def _fit(
    options: FitOptions, problem: TableProblem, console: Console
) -> tuple[Pipeline, FloatArray]:
    """The fitted pipeline, and the rows as its last step sees them.

    Steps are fitted one by one: columns are looked at in between, and no copy is kept.
    """
    encoder = TableEncoder(
        options.categories,
        impute=options.impute,
        scale=not options.no_scale,
        as_category=problem.categories,
    )
    with console.python_warnings_as_lines():
        encoder.fit(problem.features)
    check_magnitude(problem.features)
    X = encoder.transform(problem.features)
    encoding_notes(encoder, len(problem.features), console)
    names = encoder.get_feature_names_out()
    constant_columns(X, names, console)
    note_of_time(options, encoder, X, console)
    with console.python_warnings_as_lines(names):
        estimator = build_estimator(options, problem, X.shape[1], console)
        with console.status("Fitting"), warnings.catch_warnings():
            warnings.simplefilter("ignore", SpreadWarning)  # told afterwards, with names of rows
            together = {} if problem.groups is None else {"groups": problem.groups}
            estimator.fit(X, problem.y, **together)
    return Pipeline([("table", encoder), ("hsic", estimator)]), X


def _write(options: FitOptions, problem: TableProblem, model: Pipeline, console: Console) -> None:
    record = problem.record(options, console.warnings)
    writers: dict[Path, Writer] = {}
    if options.report is not None:
        writers[options.report] = report_writer(
            model,
            problem.features,
            problem.labels,
            title=f"{options.data.name}: {' and '.join(problem.labels) or 'clusters'}",
            row_names=problem.names_of_rows,
            record=record,
            command=record.line,
            seed=options.seed,
        )
    if options.model is not None:
        writers[options.model] = lambda path: save(model, path, notes=record.as_notes())
    write_together(writers, options.force)
