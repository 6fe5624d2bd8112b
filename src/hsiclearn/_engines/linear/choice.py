r"""Which features are in force at W: chosen there, or chosen elsewhere and held.

Chosen at every W anew, they are as exact everywhere, and a pure function of W. But the sums at two
W are then not quite those of one function: which rows are landmarks, or how many terms a series
has, changes from one to the other, and the cost with it, by about a tenth of the tolerance.

*Held*, the choice made at one W, the anchor, serves for all: the same rows are landmarks, at the
places they have at W; a series keeps its length. Then the sums are a smooth function of W ::

    F(W) = -sum_ij Gamma_ij k(w_i, Z) k(Z, Z)^-1 k(Z, w_j),    Z = W'x of the chosen rows

and differences of it mean something down to rounding. It is as exact as it was at the anchor for
small turns away from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import final

import numpy as np

from ..._arrays import Array, FloatArray
from ..._rows import AbstractRows
from ...kernels import AbstractKernel
from ..features import (
    Accuracy,
    CandidateRows,
    Candidates,
    Features,
    MonomialFeatures,
    farthest_rows,
)

_CANDIDATES = 2000  # rows among which landmarks are chosen
_FARTHEST = 40  # rows added to them: tails that a sample misses

Weighted = tuple[float, Features]
"""``factor, features`` of a term: ``weight f^(order) ~ factor c_i' P c_j``."""


class FeatureChoice(ABC):
    """Features of every term and order at W."""

    is_held: bool

    @abstractmethod
    def features(self, W: FloatArray, order: int) -> list[Weighted]:
        """``factor, features`` of every term at W."""

    @abstractmethod
    def held_at(self, W: FloatArray) -> FeatureChoice:
        """The features chosen at W, for all other W as well."""


@final
class FreshChoice(FeatureChoice):
    """Features chosen at every W anew.

    ``uses_landmarks(kernel, q)`` tells whether a kernel's features are its values at landmarks;
    ``extra`` are rows that are candidates for landmarks beside the sample.
    """

    is_held = False

    def __init__(
        self,
        rows: AbstractRows,
        scales: Sequence[FloatArray | None],
        terms: Sequence[tuple[float, AbstractKernel]],
        uses_landmarks: Callable[[AbstractKernel, int], bool],
        accuracy: Accuracy,
        extra: Array | None = None,
    ) -> None:
        self.rows, self.scales, self.terms, self.accuracy = rows, scales, terms, accuracy
        self._uses_landmarks = uses_landmarks
        self._extra = np.zeros(0, dtype=np.intp) if extra is None else extra
        self._W: FloatArray | None = None
        self._candidates: list[CandidateRows | None] = []
        self._known: dict[tuple[int, int, float], Features] = {}

    def refined(self, accuracy: Accuracy, extra: Array) -> FreshChoice:
        """With another accuracy and more candidates."""
        extra = np.union1d(self._extra, extra)
        return FreshChoice(
            self.rows, self.scales, self.terms, self._uses_landmarks, accuracy, extra
        )

    @cached_property
    def sampled(self) -> tuple[Array, AbstractRows]:
        """The rows among which landmarks are chosen, at every W the same."""
        n = self.rows.n_samples
        draw = np.random.default_rng(0)
        few = draw.choice(n, _CANDIDATES, replace=False) if n > _CANDIDATES else np.arange(n)
        index = np.union1d(few, self._extra)
        return index, self.rows.subset(index)

    def features(self, W: FloatArray, order: int) -> list[Weighted]:
        """A pure function of W: a value does not depend on what was computed before it.

        The candidates are always the same rows, and the farthest ones at W.
        """
        if self._W is None or not np.array_equal(self._W, W):
            self._W, self._known = W.copy(), {}
            self._candidates = [
                self._rows_to_choose(W, s) if self._uses_landmarks(kernel, W.shape[1]) else None
                for (_, kernel), s in zip(self.terms, self.scales, strict=True)
            ]
        return [self._features_of(t, order, *W.shape) for t in range(len(self.terms))]

    def _features_of(self, t: int, order: int, d: int, q: int) -> Weighted:
        (weight, kernel), candidates = self.terms[t], self._candidates[t]
        rtol, limit = self.accuracy.of(order), self.accuracy.max_landmarks
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

    def _rows_to_choose(self, W: FloatArray, scales: FloatArray | None) -> CandidateRows:
        """The same sample of rows at every W, and the farthest rows there."""
        index, some = self.sampled
        w = some @ W
        if scales is not None:
            return CandidateRows(Candidates(w, scales[index], index))
        sample = Candidates(w, None, index)
        if self.rows.n_samples <= _CANDIDATES:
            return CandidateRows(sample)
        return CandidateRows(sample, lambda: farthest_rows(self.rows, W, _FARTHEST))

    def held_at(self, W: FloatArray) -> HeldChoice:
        return HeldChoice(self, W)


@final
class HeldChoice(FeatureChoice):
    """Features chosen at one W, the anchor, that follow any other."""

    is_held = True

    def __init__(self, fresh: FreshChoice, anchor: FloatArray) -> None:
        self._fresh, self._anchor = fresh, anchor.copy()
        self._chosen: dict[int, list[Weighted]] = {}  # by order
        self._landmarks: dict[int, tuple[AbstractRows, Array]] = {}  # by identity of features
        self._W, self._moved = anchor, dict[int, Features]()

    def features(self, W: FloatArray, order: int) -> list[Weighted]:
        """Those of the anchor, where their rows are at W."""
        if order not in self._chosen:
            self._chosen[order] = self._fresh.features(self._anchor, order)
        if np.array_equal(W, self._anchor):
            return self._chosen[order]
        if not np.array_equal(W, self._W):
            self._W, self._moved = W.copy(), {}
        return [(weight, self._following(f)) for weight, f in self._chosen[order]]

    def _following(self, features: Features) -> Features:
        """The features at the present W; a series is the same everywhere."""
        if features.landmarks is None:
            return features
        key, (_, scales, places) = id(features), features.landmarks
        assert places is not None  # as of all rows that are chosen here
        if key not in self._landmarks:
            order = np.argsort(places, kind="stable")
            self._landmarks[key] = self._fresh.rows.subset(places[order]), np.argsort(order)
        if key not in self._moved:
            rows, back = self._landmarks[key]
            self._moved[key] = features.at(Candidates((rows @ self._W)[back], scales, places))
        return self._moved[key]

    def held_at(self, W: FloatArray) -> HeldChoice:
        """Itself where a choice at W would come to the same, as that of a series may."""
        new = HeldChoice(self._fresh, W)
        mine = (self.features(self._anchor, order) for order in range(3))
        theirs = (new.features(W, order) for order in range(3))
        same = all(
            a.landmarks is None and b.landmarks is None and a.size == b.size
            for one, other in zip(mine, theirs, strict=True)
            for (_, a), (_, b) in zip(one, other, strict=True)
        )
        return self if same else new
