"""From options and a table to features, labels and an estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array
from ..estimators import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from ..estimators._base import BaseHSIC
from ..tables import Table, TableError
from ..tables.errors import shown, unknown_column
from .choices import FitOptions
from .console import Console
from .data import column_names, row_names
from .labels import Labels, known_labels, labels_of, target_of

__all__ = ["Problem", "build_estimator", "pose"]

_DEFAULT_COMPONENTS = 2
_CLUSTERERS = {"known": SemiSupervisedHSIC, "against": AlternativeHSIC, "": UnsupervisedHSIC}


@dataclass(frozen=True)
class Problem:
    """What is fitted to what.

    ``labels`` are by the name of their column; ``role`` says what they are: ``"target"``,
    ``"known"``, ``"against"`` or ``""``.
    """

    features: Table
    labels: dict[str, Labels]
    role: str
    names_of_rows: list[str] | None
    dropped: list[str]

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

    def notes(self, id_column: str | None) -> dict[str, Any]:
        """What a model file remembers of the command."""
        return {
            "role": self.role,
            "labels": list(self.labels),
            "kind": self.target.kind if self.target else "classes",
            "classes": {name: list(label.counts) for name, label in self.labels.items()},
            "id": id_column,
            "dropped": self.dropped,
            "rows": len(self.features),
        }


def pose(options: FitOptions, table: Table, console: Console) -> Problem:
    """Take the table apart: labels, names of rows, features."""
    labelled = [_label_column(name, table) for name in options.labelled]
    dropped = column_names(options.drop, table)
    for name in labelled:
        if name in dropped or name == options.id:
            option = "--drop" if name in dropped else "--id"
            raise TableError(f"Column {shown(name)} is asked for twice: as labels and by {option}.")
    if options.drop_missing_target:
        table = _with_labels(table, labelled, console)
    labels, role = _read_labels(options, labelled, table)
    for label in labels.values():
        if label.note:
            console.note(label.note)
    names = row_names(table, options.id)
    aside = {*labelled, *dropped, *([] if options.id is None else [options.id])}
    if len(aside) == len(table.names):
        raise TableError("No column is left to be a feature.", "Drop fewer.")
    return Problem(table.drop(aside), labels, role, names, dropped)


def _label_column(name: str, table: Table) -> str:
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
        return {n: target_of(c, options.target_kind) for n, c in columns.items()}, "target"
    if options.known is not None:
        return {n: known_labels(c) for n, c in columns.items()}, "known"
    found = {n: labels_of(c, f"The column {shown(n)} of --against") for n, c in columns.items()}
    return found, "against" if found else ""


def build_estimator(
    options: FitOptions, problem: Problem, n_features: int, console: Console
) -> BaseHSIC:
    """The estimator that fits the options."""
    q = _n_components(options, n_features, console)
    if problem.target is not None:
        return SupervisedHSIC(q, target=problem.target.kind, random_state=options.seed)
    k = _n_clusters(options, problem, console)
    if isinstance(k, int) and k > len(problem.features):
        raise ValueError(f"--clusters must be at most the {len(problem.features)} rows. Got {k}.")
    cls: Any = _CLUSTERERS[problem.role]
    more = {"guidance": "labels"} if problem.role == "known" else {}
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


def _n_clusters(options: FitOptions, problem: Problem, console: Console) -> int | str:
    if options.clusters is not None:
        return options.clusters if options.clusters == "auto" else int(options.clusters)
    if problem.role == "known":
        count = max([2, *(len(label.counts) for label in problem.labels.values())])
        console.note(f"{count} clusters, as many as known labels; --clusters changes that")
        return count
    console.note("2 clusters; --clusters changes that")
    return 2
