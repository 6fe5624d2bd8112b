"""Faces: the person is the label."""

from __future__ import annotations

from ...datasets import load_face
from ._base import BenchData

__all__ = ["DATA"]

# Five folds: with ten, some people would have three pictures in a fold.
DATA = BenchData("face", 4, load_face, q=20, q_unsupervised=20, k=20, folds=5, is_small=False)
