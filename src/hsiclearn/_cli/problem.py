"""From options and a table to features, labels and an estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._arrays import FloatArray
from .._estimators import (
    AlternativeHSIC,
    BaseHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
)
from .console import Console
from .data import (
    check_asked_once,
    column_names,
    leave_out_counters,
    note_of_one_name,
)
from .fit_options import FitOptions
from .labels import Labels, labels_asked_for, read_labels
from .models import FitRecord
from .options import command_line
from .sources import AbstractSource
from .tables import Table, TableError
from .tables.errors import Problems, listed, shown
from .tables.features import as_features

_DEFAULT_COMPONENTS = 2
_CLUSTERERS = {"known": SemiSupervisedHSIC, "against": AlternativeHSIC, "": UnsupervisedHSIC}


@dataclass(frozen=True)
class TableProblem:
    """What is fitted to what.

    ``features`` are of the rows that are looked at, all else is of all rows. ``labels`` are by the
    name of their column; ``role`` says what they are: ``"target"``, ``"known"``, ``"against"`` or
    ``""``; ``groups`` which rows are held out together; ``weights`` how often each counts.
    """

    source: AbstractSource
    features: Table
    labels: dict[str, Labels]
    role: str
    names_of_rows: list[str] | None
    dropped: list[str]
    categories: list[str]
    groups: Any = None
    weights: FloatArray | None = None

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
            rows=self.source.n_rows,
            warnings=list(warnings),
            line=command_line("fit", options),
            weights=options.weights,
        )


def pose(options: FitOptions, source: AbstractSource, console: Console) -> TableProblem:
    """Take the table apart: labels, names of rows, features."""
    table = source.table
    role, labelled = labels_asked_for(options)
    table.select(labelled)  # an unknown name is an error
    dropped = column_names(options.drop, table)
    categories = column_names(options.category, table)
    kept = column_names(options.keep, table)
    named = [] if options.id is None else [table.column(options.id).name]
    grouped = [] if options.groups is None else [table.column(options.groups).name]
    weighed = [] if options.weights is None else [table.column(options.weights).name]
    aside = {"as labels": labelled, "by --drop": dropped, "by --id": named}
    aside |= {"by --weights": weighed}
    check_asked_once(aside | {"by --category": categories})
    check_asked_once(aside | {"by --keep": kept})
    # A column may name rows and group them.
    del aside["by --id"]
    check_asked_once(aside | {"by --groups": grouped})
    asked = {*labelled, *dropped, *named, *grouped, *weighed, *categories, *kept}
    counters = leave_out_counters(source.counters, asked, console, "--keep")
    if options.drop_missing_target:
        source = source.complete(labelled, console)
    weights = None
    if options.weights is not None:
        source, weights = source.weighted(options.weights, console)
    gone = {*labelled, *dropped, *named, *grouped, *weighed, *counters}
    if len(gone) == len(table.names):
        why = f": {listed(map(shown, counters))} numbers the rows" if counters else ""
        raise TableError(
            f"No column is left to be a feature{why}.",
            "Drop fewer.",
            "Use --keep for such a column, or --drop fewer." if counters else "",
        )
    features = source.table.drop(gone)
    labels = _checked_labels(options, role, source, source.columns(labelled), features, categories)
    for label in labels.values():
        if label.note:
            console.note(label.note)
    names = source.names_of_rows(options.id)
    note_of_one_name(options, names, console)
    away = [*dropped, *counters]
    groups = source.groups(options.groups)
    return TableProblem(source, features, labels, role, names, away, categories, groups, weights)


def _checked_labels(
    options: FitOptions,
    role: str,
    source: AbstractSource,
    labelled: Table,
    features: Table,
    categories: list[str],
) -> dict[str, Labels]:
    """The labels; where they have a problem, those of the features are told with it."""
    problems = Problems()
    with problems.caught():
        return read_labels(role, labelled.columns, options.target_kind, is_fit=True)
    with problems.caught(), source.places():
        is_one_hot = options.categories == "one-hot"
        as_features(features, categories, one_hot=is_one_hot, impute=options.impute)
    problems.tell()
    raise AssertionError("a problem was caught")


def build_estimator(
    options: FitOptions, problem: TableProblem, n_features: int, console: Console
) -> BaseHSIC:
    """The estimator that fits the options."""
    q = _n_components(options, n_features, console)
    more = options.solver_parameters() | {"random_state": options.seed}
    if problem.target is not None:
        return SupervisedHSIC(q, target=problem.target.kind, **more)
    k = _n_clusters(options, problem, console)
    if isinstance(k, int) and k > (n_rows := problem.source.n_rows):
        raise ValueError(f"--clusters must be at most the {n_rows} rows. Got {k}.")
    if isinstance(k, int) and problem.role == "known" and k < (known := _n_known(problem)):
        raise ValueError(
            f"--clusters must be at least the {known} labels that are known. Got {k}: empty the "
            "cells of labels that are not wanted."
        )
    cls: Any = _CLUSTERERS[problem.role]
    more |= {"guidance": "labels"} if problem.role == "known" else {}
    return cls(k, q, **more)


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
