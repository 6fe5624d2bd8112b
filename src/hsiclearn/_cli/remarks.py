"""Rows that are kin, or few: what that means for rows held out, directions and figures."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np

from .._arrays import Array, FloatArray
from .._estimators import BaseHSIC
from .console import Console, plain
from .fit_options import FitOptions
from .tables import TableEncoder
from .tables.errors import listed, shown


def note_of_one_name(options: FitOptions, names: Sequence[str] | None, console: Console) -> None:
    """Say how rows of one name are held out together, where several have one."""
    if options.target is None or options.id is None or names is None or options.groups is not None:
        return
    n_names = len(set(names))
    if n_names < len(names):
        console.note(
            f"{len(names)} rows have {n_names} names in {shown(options.id)}: if rows of one name "
            f"belong together, use --groups {shlex.quote(options.id)}, so that they are held out "
            "together"
        )


def note_of_time(
    options: FitOptions, encoder: TableEncoder, X: FloatArray, console: Console
) -> None:
    """Say what rows held out do not tell, where rows follow each other in time."""
    if options.target is None or options.groups is not None:
        return
    names = encoder.get_feature_names_out().tolist()
    in_order = [
        shown(column)
        for column, date in zip(encoder.columns_, encoder.dates_, strict=True)
        if date is not None
        and f"{column}:days" in names
        and _runs_one_way(X[:, names.index(f"{column}:days")])
    ]
    if in_order:
        console.note(
            f"the dates of {listed(in_order)} run with the rows: rows held out lie between rows "
            "fitted on, so what holds for them need not hold for later ones"
        )


def _runs_one_way(values: FloatArray) -> bool:
    steps = np.diff(values)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def warn_of_spread(estimator: BaseHSIC, names_of_rows: list[str] | None, console: Console) -> None:
    """Name them, and the rows; without names, rows are counted from 1."""

    def named(rows: Array) -> str:
        if names_of_rows is None:
            return ", ".join(str(row + 1) for row in rows.tolist())
        return ", ".join(plain(names_of_rows[row]) for row in rows.tolist())

    for remark in estimator.spread_.remarks("--components {}".format, named):
        console.warn(remark)


def note_few_rows(estimator: BaseHSIC, console: Console) -> None:
    """Say what the figures are worth where rows are few."""
    selection = getattr(estimator, "selection_", None)
    if selection is not None and selection.caution:
        console.note(selection.caution)
