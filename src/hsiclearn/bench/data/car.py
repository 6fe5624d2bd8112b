"""Car: the paper says 1728 rows, and its label is one of the columns."""

from __future__ import annotations

from ...datasets import load_car
from ._base import BenchData

__all__ = ["DATA"]

_NOTE = "346 of 1728 rows; the label is a copy of the column safety"
DATA = BenchData(
    "car",
    3,
    load_car,
    q=4,
    q_unsupervised=4,
    k=4,
    note=_NOTE,
    note_unsupervised=_NOTE,
    spread=(-2304.90, -2289.22),
)
