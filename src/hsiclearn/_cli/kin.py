"""Rows that are kin: held out one by one, each still has its like among the rows fitted on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np

from .._arrays import FloatArray
from .console import Console
from .fit_options import FitOptions
from .tables import TableEncoder
from .tables.errors import listed, shown

__all__ = ["note_of_one_name", "note_of_time"]


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
