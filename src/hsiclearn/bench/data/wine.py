"""Wine: all 178 rows."""

from __future__ import annotations

from ...datasets import load_wine
from ._base import BenchData, Rows

__all__ = ["DATA"]


def _load() -> Rows:
    table = load_wine()
    return table.X, table.y


DATA = BenchData("wine", 1, _load, _load, q=4, q_unsupervised=4, k=3)
