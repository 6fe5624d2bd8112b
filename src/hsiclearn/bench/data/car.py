"""Car: the paper says 1728 rows, and its label is one of the columns."""

from __future__ import annotations

from ...datasets import load_car
from ._base import BenchData, Rows

__all__ = ["DATA"]


def _load(paper: bool) -> Rows:
    table = load_car(paper=paper)
    return table.X, table.y


DATA = BenchData(
    "car",
    3,
    lambda: _load(True),
    lambda: _load(False),
    q=4,
    q_unsupervised=4,
    k=4,
    note="346 of 1728 rows; the label is a copy of the column safety",
    spread=(-2304.90, -2289.22),
    note_unsupervised="346 of 1728 rows; the label is a copy of the column safety",
)
