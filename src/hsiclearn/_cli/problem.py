"""From options and a table to features, labels and an estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array
from .._estimators import (
    AlternativeHSIC,
    BaseHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
)
from .console import Console
from .data import column_names, leave_out_counters, row_names
from .fit_options import FitOptions
from .labels import Labels, known_labels, labels_of, target_of
from .models import FitRecord
from .options import command_line
from .remarks import note_of_one_name
from .tables import Table, TableError
from .tables.errors import Problems, listed, shown, unknown_column
from .tables.features import as_features

_DEFAULT_COMPONENTS = 2
_LEAVE_OUT = {"missing_option": "--drop-missing-target"}
_CLUSTERERS = {"known": SemiSupervisedHSIC, "against": AlternativeHSIC, "": UnsupervisedHSIC}


@dataclass(frozen=True)
class TableProblem:
    """What is fitted to what.

    ``labels`` are by the name of their column; ``role`` says what they are: ``"target"``,
    ``"known"``, ``"against"`` or ``""``; ``groups`` which rows are held out together.
    """

    features: Table
    labels: dict[str, Labels]
    role: str
    names_of_rows: list[str] | None
    dropped: list[str]
    categories: list[str]
    groups: list[str] | None = None

    @property
    def y(self) -> Array | None:
        """As ``fit`` takes it; several labellings as columns of codes."""
        columns = [label.y for label in self.labels.values()]
        if len(columns) < 2:
            return columns[0] if columns else None
        return np.column_stack([np.unique(y, return_inverse=True)[1] for y in columns])

    @property
    def target(self) -> Labels | None:
        """The target, if there is one."""
        return next(iter(self.labels.values())) if self.role == "target" else None

    def record(self, options: FitOptions, warnings: list[str]) -> FitRecord:
        """What a model file remembers of the command."""
        return FitRecord(
            role=self.role,
            labels=list(self.labels),
            kind=self.target.kind if self.target else "classes",
            classes={name: list(label.counts) for name, label in self.labels.items()},
            id=options.id,
            dropped=self.dropped,
            rows=len(self.features),
            warnings=list(warnings),
            line=command_line("fit", options),
        )


def pose(options: FitOptions, table: Table, console: Console) -> TableProblem:
    """Take the table apart: labels, names of rows, features."""
    labelled = [_existing(name, table) for name in options.labelled]
    dropped = column_names(options.drop, table)
    categories = column_names(options.category, table)
    kept = column_names(options.keep, table)
    named = [] if options.id is None else [_existing(options.id, table)]
    grouped = [] if options.groups is None else [_existing(options.groups, table)]
    aside = {"as labels": labelled, "by --drop": dropped, "by --id": named}
    _check_asked_once(aside | {"by --category": categories})
    _check_asked_once(aside | {"by --keep": kept})
    # A column may name rows and group them.
    _check_asked_once({"as labels": labelled, "by --drop": dropped, "by --groups": grouped})
    asked = {*labelled, *dropped, *named, *grouped, *categories, *kept}
    counters = leave_out_counters(table, asked, console, "--keep")
    if options.drop_missing_target:
        table = _with_labels(table, labelled, console)
    gone = {*labelled, *dropped, *named, *grouped, *counters}
    if len(gone) == len(table.names):
        why = f": {listed(map(shown, counters))} numbers the rows" if counters else ""
        raise TableError(
            f"No column is left to be a feature{why}.",
            "Drop fewer.",
            "Use --keep for such a column, or --drop fewer." if counters else "",
        )
    features = table.drop(gone)
    labels, role = _checked_labels(options, labelled, table, features, categories)
    for label in labels.values():
        if label.note:
            console.note(label.note)
    names = row_names(table, options.id)
    note_of_one_name(options, names, console)
    groups = row_names(table, options.groups)
    return TableProblem(features, labels, role, names, [*dropped, *counters], categories, groups)


def _checked_labels(
    options: FitOptions, names: list[str], table: Table, features: Table, categories: list[str]
) -> tuple[dict[str, Labels], str]:
    """The labels; where they have a problem, those of the features are told with it."""
    problems = Problems()
    with problems.caught():
        return _read_labels(options, names, table)
    with problems.caught():
        is_one_hot = options.categories == "one-hot"
        as_features(features, categories, one_hot=is_one_hot, impute=options.impute)
    problems.tell()
    raise AssertionError("a problem was caught")


def _check_asked_once(asked: dict[str, list[str]]) -> None:
    """No column may be asked for in two ways."""
    found: dict[str, str] = {}
    for how, names in asked.items():
        for name in names:
            if found.setdefault(name, how) != how:
                raise TableError(
                    f"Column {shown(name)} is asked for twice: {found[name]} and {how}."
                )


def _existing(name: str, table: Table) -> str:
    if name not in table:
        raise unknown_column(name, table.names)
    return name


def _with_labels(table: Table, labelled: list[str], console: Console) -> Table:
    """Only the rows that have all their labels."""
    missing = np.zeros(len(table), dtype=bool)
    for name in labelled:
        missing |= table.column(name).missing
    if not missing.any():
        return table
    console.note(f"rows without a label are left out: {np.count_nonzero(missing)}")
    return table.take(~missing)


def _read_labels(
    options: FitOptions, names: list[str], table: Table
) -> tuple[dict[str, Labels], str]:
    columns = {name: table.column(name) for name in names}
    if options.target is not None:
        kind, more = options.target_kind, {"kind_option": "--target-kind", **_LEAVE_OUT}
        return {n: target_of(c, kind, **more) for n, c in columns.items()}, "target"
    if options.known is not None:
        return {n: known_labels(c) for n, c in columns.items()}, "known"
    found = {
        n: labels_of(c, f"The column {shown(n)} of --against", **_LEAVE_OUT)
        for n, c in columns.items()
    }
    return found, "against" if found else ""


def build_estimator(
    options: FitOptions, problem: TableProblem, n_features: int, console: Console
) -> BaseHSIC:
    """The estimator that fits the options."""
    q = _n_components(options, n_features, console)
    if problem.target is not None:
        more = options.solver_parameters(clusters=False)
        return SupervisedHSIC(q, target=problem.target.kind, random_state=options.seed, **more)
    k = _n_clusters(options, problem, console)
    if isinstance(k, int) and k > len(problem.features):
        raise ValueError(f"--clusters must be at most the {len(problem.features)} rows. Got {k}.")
    if isinstance(k, int) and problem.role == "known" and k < (known := _n_known(problem)):
        raise ValueError(
            f"--clusters must be at least the {known} labels that are known. Got {k}: empty the "
            "cells of labels that are not wanted."
        )
    cls: Any = _CLUSTERERS[problem.role]
    more = options.solver_parameters(clusters=True)
    more |= {"guidance": "labels"} if problem.role == "known" else {}
    return cls(k, q, random_state=options.seed, **more)


def _n_components(options: FitOptions, n_features: int, console: Console) -> int | str:
    if options.components is None:
        if n_features < _DEFAULT_COMPONENTS:
            console.note("one direction is all there is in one column")
        return min(_DEFAULT_COMPONENTS, n_features)
    if options.components == "auto":
        return "auto"
    count = int(options.components)
    if count > n_features:
        raise ValueError(
            f"--components must be at most the {n_features} columns there are. Got {count}."
        )
    return count


def _n_clusters(options: FitOptions, problem: TableProblem, console: Console) -> int | str:
    if options.clusters is not None:
        return options.clusters if options.clusters == "auto" else int(options.clusters)
    if problem.role == "known":
        count = max(2, _n_known(problem))
        console.note(f"{count} clusters, as many as known labels; --clusters changes that")
        return count
    console.note("2 clusters; --clusters changes that")
    return 2


def _n_known(problem: TableProblem) -> int:
    return max(len(label.counts) for label in problem.labels.values())
