"""What few rows mean: for a direction that they alone carry, and for the figures."""

from __future__ import annotations

from .._arrays import Array
from .._estimators._base import BaseHSIC
from .console import Console, plain

__all__ = ["note_few_rows", "warn_of_spread"]


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
