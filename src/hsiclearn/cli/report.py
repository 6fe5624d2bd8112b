"""``hsiclearn report``: a page about a model and a table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._arrays import Array
from ..plotting import report, require_matplotlib
from ..tables import Table
from ..tables.errors import shown
from .console import Console, plain
from .data import open_table, row_names
from .labels import Labels, known_labels, labels_of, target_of
from .models import open_model, rows_for
from .outputs import Writer, check_outputs, write_together

__all__ = ["ReportOptions", "report_writer", "run_report"]


@dataclass(frozen=True)
class ReportOptions:
    """The options of the command, under their names."""

    model: Path
    data: Path
    output: Path
    target: str | None = None
    known: str | None = None
    against: list[str] = field(default_factory=list)
    quiet: bool = False
    force: bool = False

    def command(self) -> str:
        """A command that makes the same page again."""
        words = ["hsiclearn", "report", str(self.model), str(self.data)]
        words += ["--output", str(self.output)]
        for option, name in (
            ("--target", self.target),
            ("--known", self.known),
            *(("--against", name) for name in self.against),
        ):
            words += [] if name is None else [option, name]
        return shlex.join(words)


def report_writer(
    model: Any,
    features: Table | Array,
    labels: Mapping[str, Labels],
    *,
    title: str,
    row_names: list[str] | None,
    command: str,
    seed: int = 0,
) -> Writer:
    """A function that writes the page."""

    def write(path: Path) -> Path:
        return report(
            model,
            features,
            {name: label.y for name, label in labels.items()} or None,
            path,
            title=title,
            row_names=row_names,
            settings={"command": command},
            random_state=seed,
        )

    return write


def run_report(options: ReportOptions) -> None:
    """Load, read, write the page."""
    check_outputs({"--output": options.output}, options.force, [options.model, options.data])
    require_matplotlib()
    console = Console(options.quiet)
    model, notes = open_model(options.model)
    table = open_table(options.data, console)
    labels = _labels(options, notes, table, console)
    name_column = notes.get("id")
    writer = report_writer(
        model,
        rows_for(model, table),
        labels,
        title=f"{options.data.name}: {' and '.join(labels) or 'no labels'}",
        row_names=row_names(table, name_column) if name_column in table else None,
        command=options.command(),
    )
    with console.status("Writing the report"), console.python_warnings_as_lines():
        write_together({options.output: writer}, options.force)
    console.tell()
    print(plain(str(options.output)))


def _labels(
    options: ReportOptions, notes: Mapping[str, Any], table: Table, console: Console
) -> dict[str, Labels]:
    """The labels asked for; else those the model was fitted with, if the table has them."""
    if options.target is not None:
        kind = str(notes.get("kind", "auto")) if notes.get("role") == "target" else "auto"
        return {options.target: target_of(table.column(options.target), kind)}
    if options.known is not None:
        return {options.known: known_labels(table.column(options.known))}
    if options.against:
        return {name: _given(table, name) for name in options.against}
    names = [name for name in notes.get("labels", []) if name in table]
    for name in notes.get("labels", []):
        if name not in table:
            console.note(f"there is no column {shown(name)}: the report does without it")
    if notes.get("role") == "target":
        return {name: target_of(table.column(name), str(notes["kind"])) for name in names}
    if notes.get("role") == "known":
        return {name: known_labels(table.column(name)) for name in names}
    return {name: _given(table, name) for name in names}


def _given(table: Table, name: str) -> Labels:
    return labels_of(table.column(name), f"The column {shown(name)}")
