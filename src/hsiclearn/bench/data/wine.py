"""Wine: all 178 rows."""

from __future__ import annotations

from ...datasets import load_wine
from ._base import BenchData

__all__ = ["DATA"]

DATA = BenchData("wine", 1, load_wine, q=4, q_unsupervised=4, k=3)
