"""Breast cancer: the paper says 683 rows and q = 4."""

from __future__ import annotations

from ...datasets import load_cancer
from ._base import BenchData, Rows

__all__ = ["DATA"]


def _load(paper: bool) -> Rows:
    table = load_cancer(paper=paper)
    return table.X, table.y


DATA = BenchData(
    "cancer",
    2,
    lambda: _load(True),
    lambda: _load(False),
    q=4,
    q_unsupervised=2,
    k=2,
    note="137 of 683 rows",
    note_unsupervised="137 of 683 rows; q is 2, not the printed 4",
)
