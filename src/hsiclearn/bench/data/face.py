"""Faces: the person is the label."""

from __future__ import annotations

from ...datasets import load_face
from ._base import BenchData, Rows

__all__ = ["DATA"]


def _load() -> Rows:
    table = load_face()
    return table.X, table.y


# Five folds: with ten, some people would have three pictures in a fold.
DATA = BenchData("face", 4, _load, _load, q=20, q_unsupervised=20, k=20, folds=5, is_small=False)
