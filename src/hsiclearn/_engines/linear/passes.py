"""The two passes over the rows, with the features that are in force at W."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..._arrays import Array, FloatArray
from ..._rows import AbstractRows
from ...gamma import FactorPart, RowFactor
from ...kernels import AbstractKernel
from ..features import (
    Accuracy,
    CandidateRows,
    Candidates,
    Features,
    MonomialFeatures,
    farthest_rows,
)
from .tiles import RowTile, RowTiles

_CANDIDATES = 2000  # rows among which landmarks are chosen
_FARTHEST = 40  # rows added to them: tails that a sample misses
_ALL = slice(None)
_SINGLE_FROM = 1e-5  # a tolerance that single precision meets

Columns = tuple[Callable[[RowTile], Any], int]
"""How to make columns from a tile of rows, and how many there are."""


@dataclass(frozen=True)
class FeatureSums:
    """``B_r = R sum_k roots_kr A_k`` of one term, for each kind of columns.

    ``A_k = sum_i E_ik c_i v_i'``, ``P = R' diag(signs) R``, ``core = roots diag(signs) roots'``.
    """

    factor: float
    features: Features
    row_factor: RowFactor
    B: tuple[FloatArray, ...]  # each (rank, D', k)

    @property
    def _weights(self) -> FloatArray:
        """Signs of Gamma and of the features, (rank, D')."""
        return np.multiply.outer(self.row_factor.signs, self.features.signs)

    def form(self, i: int, j: int, left: slice = _ALL, right: slice = _ALL) -> FloatArray:
        """``factor sum_kl core_kl A_k' P A_l`` between columns of kind i and of kind j."""
        L, R = self.B[i][:, :, left], self.B[j][:, :, right]
        weighted = self._weights[:, :, None] * R
        return self.factor * (L.reshape(-1, L.shape[2]).T @ weighted.reshape(-1, R.shape[2]))

    def spread(self, i: int) -> FloatArray:
        """``factor P sum_l core_kl A_l``, (slots, D, k): what turns features into row values."""
        weighted = (self.factor * self._weights)[:, :, None] * self.B[i]
        rank, D, k = weighted.shape
        flat = self.features.unwhiten(weighted.transpose(1, 0, 2).reshape(D, rank * k))
        per_root = flat.reshape(-1, rank, k).transpose(1, 0, 2)
        return np.tensordot(self.row_factor.roots, per_root, (1, 0))


def _whitened(features: Features, factor: RowFactor, A: FloatArray) -> FloatArray:
    B = np.tensordot(factor.roots, A, (0, 0))
    rank, D, k = B.shape
    flat = features.whiten(B.transpose(1, 0, 2).reshape(D, rank * k))
    return flat.reshape(-1, rank, k).transpose(1, 0, 2)


class Passes:
    """Gather sums of features over the rows, then scatter what they amount to back to them.

    ``uses_landmarks(kernel, q)`` tells whether a kernel's features are its values at landmarks;
    ``extra`` are rows that are candidates for landmarks beside the sample.
    """

    def __init__(
        self,
        tiles: RowTiles,
        terms: Sequence[tuple[float, AbstractKernel]],
        uses_landmarks: Callable[[AbstractKernel, int], bool],
        accuracy: Accuracy,
        extra: Array | None = None,
        double: bool = False,
    ) -> None:
        self.tiles, self.terms, self.accuracy = tiles, terms, accuracy
        self.double = double or tiles.rows.dtype == np.float64
        self._uses_landmarks = uses_landmarks
        self.extra = np.zeros(0, dtype=np.intp) if extra is None else extra
        self._W: FloatArray | None = None
        self._candidates: list[CandidateRows | None] = []
        self._known: dict[tuple[int, int, float], Features] = {}

    def refined(self, tiles: RowTiles, accuracy: Accuracy, extra: Array) -> Passes:
        """With another accuracy, more candidates, and sums in double precision."""
        extra = np.union1d(self.extra, extra)
        return Passes(tiles, self.terms, self._uses_landmarks, accuracy, extra, double=True)

    @property
    def eps(self) -> float:
        """The rounding unit of the sums."""
        return float(np.finfo(np.float64 if self.double else np.float32).eps)

    def _dtype(self, order: int) -> DTypeLike:
        """Single precision where the rows or the tolerance allow it, and the range of numbers."""
        single = order == 2 and self.accuracy.of(2) >= _SINGLE_FROM
        if (self.double and not single) or not self._is_moderate:
            return np.float64
        return np.float32

    @cached_property
    def _is_moderate(self) -> bool:
        """Whether ``f'' x x w w``, the largest product there is, stays in the range of float32."""
        bends = [abs(float(np.asarray(k.d2f(np.zeros(1)))[0])) for _, k in self.terms]
        _, some = self._sampled
        size = max(float(abs(block).max()) for _, block in some.chunks())
        return 1e-3 <= size <= 1e4 and all(b == 0.0 or 1e-12 <= b <= 1e4 for b in bends)

    @cached_property
    def _sampled(self) -> tuple[Array, AbstractRows]:
        """The rows among which landmarks are chosen, at every W the same."""
        rows = self.tiles.rows
        index = np.arange(rows.n_samples)
        if index.size > _CANDIDATES:
            index = np.random.default_rng(0).choice(index.size, _CANDIDATES, replace=False)
        index = np.union1d(index, self.extra)
        return index, rows.subset(index)

    def features(self, W: FloatArray, order: int) -> list[tuple[float, Features]]:
        """``factor, features`` of every term, ``weight f^(order) ~ factor c_i' P c_j`` at W.

        A pure function of W: the candidates are always the same rows (and the farthest ones at W),
        so that a value does not depend on what was computed before it.
        """
        if self._W is None or not np.array_equal(self._W, W):
            self._W, self._known = W.copy(), {}
            self._candidates = [
                self._rows_to_choose(W, s) if self._uses_landmarks(kernel, W.shape[1]) else None
                for (_, kernel), s in zip(self.terms, self.tiles.scales, strict=True)
            ]
        return [self._features_of(t, order, *W.shape) for t in range(len(self.terms))]

    def _features_of(self, t: int, order: int, d: int, q: int) -> tuple[float, Features]:
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
        rows = self.tiles.rows
        index, some = self._sampled
        w = some @ W
        if scales is not None:
            return CandidateRows(Candidates(w, scales[index]))
        if rows.n_samples <= _CANDIDATES:
            return CandidateRows(Candidates(w))
        return CandidateRows(Candidates(w), lambda: farthest_rows(rows, W, _FARTHEST))

    def gather(self, W: FloatArray, order: int, *columns: Columns) -> list[FeatureSums]:
        """First pass: ``sum_i E_ik c_i v_i'`` of every term, for each kind of columns v."""
        pairs, factor = self.features(W, order), self.tiles.factor

        def zeros(slots: int) -> list[list[FloatArray]]:
            return [[np.zeros((slots, f.size, k)) for _, k in columns] for _, f in pairs]

        def task(
            part: FactorPart, tiles: Iterator[RowTile]
        ) -> tuple[Array, list[list[FloatArray]]]:
            sums = zeros(part.slots.size)
            for tile in tiles:
                made = [make(tile) for make, _ in columns]
                for t, (_, f) in enumerate(pairs):
                    C = tile.values(t, f)
                    for out, V in zip(sums[t], made, strict=True):
                        tile.gather(out, C, V)
            return part.slots, sums

        total = zeros(factor.n_slots)
        for slots, sums in self.tiles.visit(W, [f for _, f in pairs], task, self._dtype(order)):
            for so_far, more in zip(chain(*total), chain(*sums), strict=True):
                so_far[slots] += more
        return [
            FeatureSums(weight, f, factor, tuple(_whitened(f, factor, A) for A in arrays))
            for (weight, f), arrays in zip(pairs, total, strict=True)
        ]

    def scatter(
        self,
        W: FloatArray,
        order: int,
        spreads: Sequence[FloatArray | None],
        use: Callable[[RowTile, list[Any]], Any],
    ) -> Iterator[Any]:
        """Second pass: ``use`` sees a tile of rows and ``(Gamma o g) V`` there, term by term."""
        features = [f for _, f in self.features(W, order)]

        def task(_: FactorPart, tiles: Iterator[RowTile]) -> list[Any]:
            answers = []
            for tile in tiles:
                parts = enumerate(zip(features, spreads, strict=True))
                products = [
                    None if T is None else tile.scatter(tile.values(t, f), T) for t, (f, T) in parts
                ]
                answers.append(use(tile, products))
            return answers

        for answers in self.tiles.visit(W, features, task, self._dtype(order)):
            yield from answers
