"""Breast cancer: the paper says 683 rows and q = 4."""

from __future__ import annotations

from ...datasets import load_cancer
from ._base import BenchData

__all__ = ["DATA"]

DATA = BenchData(
    "cancer",
    2,
    load_cancer,
    q=4,
    q_unsupervised=2,
    k=2,
    note="137 of 683 rows",
    note_unsupervised="137 of 683 rows; q is 2, not the printed 4",
)
