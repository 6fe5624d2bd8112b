"""``hsiclearn report``: a page about a model and a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from .._arrays import Array
from ..plotting import report, require_matplotlib
from .console import Console
from .data import open_table, row_names
from .labels import Labels, labels_asked_for, read_labels
from .models import FitRecord, open_model, rows_for, text_columns
from .options import ReportOptions, command_line
from .outputs import check_outputs, write_together
from .tables import Table
from .tables.errors import shown
from .wording import plain


def write_report(
    path: Path,
    model: Any,
    features: Table | Array,
    labels: Mapping[str, Labels],
    *,
    title: str,
    row_names: list[str] | None,
    record: FitRecord | None,
    command: str,
    seed: int = 0,
) -> None:
    """Write the page; ``record`` is of the fit, which may be of other rows."""
    report(
        model,
        features,
        {name: label.y for name, label in labels.items()} or None,
        path,
        title=title,
        row_names=row_names,
        settings={"command": command},
        fitted_on=None if record is None else record.fitted_on,
        warnings=[] if record is None else record.warnings,
        random_state=seed,
    )


def run_report(options: ReportOptions) -> None:
    """Load, read, write the page."""
    check_outputs({"--output": options.output}, options.force, [options.model, options.data])
    require_matplotlib()
    console = Console(options.quiet, "report")
    model, record = open_model(options.model)
    name_column = None if record is None else record.id
    table = open_table(options.data, console, text=text_columns(model, name_column))
    labels = _labels(options, record, table, console)
    writer = partial(
        write_report,
        model=model,
        features=rows_for(model, table),
        labels=labels,
        title=f"{options.data.name}: {' and '.join(labels) or 'no labels'}",
        row_names=row_names(table, name_column) if name_column in table else None,
        record=record,
        command=command_line("report", options),
    )
    with console.status("Writing the report"), console.python_warnings_as_lines():
        write_together({options.output: writer}, options.force)
    print(plain(str(options.output)))


def _labels(
    options: ReportOptions, record: FitRecord | None, table: Table, console: Console
) -> dict[str, Labels]:
    """The labels asked for; else those the model was fitted with, if the table has them.

    What a target is was decided in the fit; of another column it follows from its type.
    """
    fit = record or FitRecord()
    role, names = labels_asked_for(options)
    if not role:
        for name in fit.labels:
            if name not in table:
                console.note(f"there is no column {shown(name)}: the report does without it")
        role, names = fit.role, [name for name in fit.labels if name in table]
    is_fitted = fit.role == "target" and set(names) <= set(fit.labels)
    return read_labels(role, map(table.column, names), fit.kind if is_fitted else "auto")
