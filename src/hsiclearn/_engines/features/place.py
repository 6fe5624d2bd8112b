"""The features in force at one W: chosen from the rows as they are projected there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._arrays import FloatArray
from ..._rows import AbstractRows, Block
from ...kernels import AbstractKernel
from ._base import Features
from .landmarks import Candidates, NystromFeatures
from .monomials import MonomialFeatures, TaylorFeatures

_FEW = 700  # rows that tell, in milliseconds, about how many landmarks would be needed


@dataclass(frozen=True)
class Accuracy:
    """How exact features have to be, and how many there may be.

    Curvature is asked for its sign and for a Newton step: f'' may be a hundred times less exact
    than f and f', at a third of the landmarks.
    """

    rtol: float
    max_landmarks: int

    def of(self, order: int) -> float:
        """The tolerance of f, f' or f''."""
        return self.rtol if order < 2 else max(self.rtol, min(1e-4, 100.0 * self.rtol))


class CandidateRows:
    """Rows from which features are chosen: the same sample at every W, and the farthest there.

    The farthest rows cost a pass over all rows, and are looked for only where landmarks are.
    """

    def __init__(
        self, sample: Candidates, farthest: Callable[[], FloatArray] | None = None
    ) -> None:
        self._sample, self._farthest = sample, farthest

    @cached_property
    def _all(self) -> Candidates:
        if self._farthest is None:
            return self._sample
        return Candidates(np.concatenate([self._sample.w, self._farthest()]))

    def features(
        self, kernel: AbstractKernel, order: int, rtol: float, limit: int, n_columns: int
    ) -> Features:
        """A Taylor series where a short one does, else landmarks.

        A feature costs a product (1 ns) or an exponential (10 ns) in each of two passes, and
        0.07 ns for each of the columns it is multiplied with: measured on one core.
        """
        if self._sample.scales is None:
            series = TaylorFeatures.fitting(kernel, self._sample.w, rtol)
            if series is not None:
                few = self._sample.take(slice(0, _FEW))
                m = NystromFeatures(kernel, order, few, rtol, limit).size
                work = 0.07 * n_columns
                if series.size * (2.0 + work) <= m * (20.0 + work):
                    return series
        return NystromFeatures(kernel, order, self._all, rtol, limit)


class Place:
    """Features of every term of a kernel and every derivative, made when first asked for.

    A pure function of W: the candidates are always the same rows (and the farthest ones at W),
    so that a value does not depend on what was computed before it.
    """

    def __init__(
        self,
        W: FloatArray,
        terms: Sequence[tuple[float, AbstractKernel]],
        candidates: Sequence[CandidateRows | None],
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
        d, q = self.W.shape
        n_columns = d if order < 2 else d * (q + 1) * (q + 2) // 2
        if kernel.rate is not None:
            weight, order = weight * kernel.rate**order, 0
        key = t, order, rtol
        if key not in self._known:
            self._known[key] = (
                MonomialFeatures(kernel, order, q)
                if candidates is None
                else candidates.features(kernel, order, rtol, limit, n_columns)
            )
        return weight, self._known[key]


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
