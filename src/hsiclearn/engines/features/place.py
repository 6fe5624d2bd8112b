"""The features in force at one W: chosen from the rows as they are projected there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from ..._arrays import FloatArray
from ...kernels import AbstractKernel
from ...rows import AbstractRows, Block
from ._base import Features
from .landmarks import Candidates, NystromFeatures
from .monomials import MonomialFeatures

__all__ = ["Accuracy", "Place", "farthest_rows"]


@dataclass(frozen=True)
class Accuracy:
    """How exact features have to be, and how many there may be.

    Curvature is asked for its sign and for a Newton step: f'' may be a hundred times less exact
    than f and f', at a third of the landmarks, and where that is coarse enough in float32.
    """

    rtol: float
    max_landmarks: int

    def of(self, order: int) -> float:
        """The tolerance of f, f' or f''."""
        return self.rtol if order < 2 else max(self.rtol, min(1e-4, 100.0 * self.rtol))

    def dtype(self, order: int) -> DTypeLike | None:
        """The precision the tiles need at least; None leaves it to the rows."""
        return np.float32 if order == 2 and self.of(2) >= 1e-5 else None


class Place:
    """Features of every term of a kernel and every derivative, made when first asked for.

    A pure function of W: the candidates are always the same rows (and the farthest ones at W),
    so that a value does not depend on what was computed before it.
    """

    def __init__(
        self,
        W: FloatArray,
        terms: Sequence[tuple[float, AbstractKernel]],
        candidates: Sequence[Candidates | None],
        accuracy: Accuracy,
    ) -> None:
        self.W = W.copy()
        self._terms, self._candidates, self._accuracy = terms, candidates, accuracy
        self._known: dict[tuple[int, int, float], Features] = {}

    def features(self, t: int, order: int) -> tuple[float, Features]:
        """``factor, features`` with ``weight f^(order) ~ factor c_i' P c_j`` for term t."""
        weight, kernel = self._terms[t]
        candidates = self._candidates[t]
        rtol, limit = self._accuracy.of(order), self._accuracy.max_landmarks
        if kernel.rate is not None:
            weight, order = weight * kernel.rate**order, 0
        key = t, order, rtol
        if key not in self._known:
            self._known[key] = (
                MonomialFeatures(kernel, order, self.W.shape[1])
                if candidates is None
                else NystromFeatures(kernel, order, candidates, rtol, limit)
            )
        return weight, self._known[key]

    def shares(self, t: int) -> bool:
        """Whether one set of features serves f and f'."""
        return self._terms[t][1].rate is not None


def farthest_rows(rows: AbstractRows, W: FloatArray, count: int) -> FloatArray:
    """The projected rows farthest from the origin, and the ends of every axis: one pass."""

    def pick(w: FloatArray) -> FloatArray:
        if w.shape[0] <= count:
            return w
        ends = np.concatenate([w.argmin(axis=0), w.argmax(axis=0)])
        far = np.argpartition(np.einsum("ij,ij->i", w, w), -count)[-count:]
        return w[np.unique(np.concatenate([ends, far]))]

    def task(_: slice, block: Block) -> FloatArray:
        return pick(np.asarray(rows.project(block, W), dtype=np.float64))

    return pick(np.concatenate(list(rows.map(task))))
