"""The two passes over the rows, with the features that are in force at W."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ...kernels import AbstractKernel
from ...rows import AbstractRows
from .._schedule import add_to
from ..features import Accuracy, CandidateRows, Candidates, Place, farthest_rows
from .sums import FeatureSums
from .tiles import RowTile, RowTiles

__all__ = ["Columns", "Passes"]

_CANDIDATES = 2000  # rows among which landmarks are chosen
_FARTHEST = 40  # rows added to them: tails that a sample misses

Columns = tuple[Callable[[RowTile], Any], int]
"""How to make columns from a tile of rows, and how many there are."""


class Passes:
    """Gather sums of features over the rows, then scatter what they amount to back to them.

    Parameters
    ----------
    tiles : RowTiles
    terms : sequence of (weight, kernel)
    uses_landmarks : callable
        ``uses_landmarks(kernel, q)``: whether a kernel's features are its values at landmarks.
    accuracy : Accuracy
    extra : array of int
        Rows that are candidates for landmarks beside the sample.
    """

    def __init__(
        self,
        tiles: RowTiles,
        terms: Sequence[tuple[float, AbstractKernel]],
        uses_landmarks: Callable[[AbstractKernel, int], bool],
        accuracy: Accuracy,
        extra: Array | None = None,
    ) -> None:
        self.tiles, self.terms, self.accuracy = tiles, terms, accuracy
        self._uses_landmarks = uses_landmarks
        self.extra = np.zeros(0, dtype=np.intp) if extra is None else extra
        self._sample: tuple[Array, AbstractRows] | None = None
        self._place: Place | None = None

    def refined(self, accuracy: Accuracy, extra: Array) -> Passes:
        """With another accuracy and more candidates."""
        extra = np.union1d(self.extra, extra)
        return Passes(self.tiles, self.terms, self._uses_landmarks, accuracy, extra)

    def at(self, W: FloatArray) -> Place:
        """The features at W, kept until W changes."""
        if self._place is None or not np.array_equal(self._place.W, W):
            candidates = [
                self._candidates(W, scales) if self._uses_landmarks(kernel, W.shape[1]) else None
                for (_, kernel), scales in zip(self.terms, self.tiles.scales, strict=True)
            ]
            self._place = Place(W, self.terms, candidates, self.accuracy)
        return self._place

    def _candidates(self, W: FloatArray, scales: FloatArray | None) -> CandidateRows:
        """The same sample of rows at every W, and the farthest rows there."""
        rows = self.tiles.rows
        n = rows.n_samples
        if self._sample is None:
            index = np.arange(n)
            if n > _CANDIDATES:
                index = np.random.default_rng(0).choice(n, _CANDIDATES, replace=False)
            index = np.union1d(index, self.extra)
            self._sample = index, rows.subset(index)
        index, some = self._sample
        w = some @ W
        if scales is not None:
            return CandidateRows(Candidates(w, scales[index]))
        if n <= _CANDIDATES:
            return CandidateRows(Candidates(w))
        return CandidateRows(Candidates(w), lambda: farthest_rows(rows, W, _FARTHEST))

    def gather(self, W: FloatArray, order: int, *columns: Columns) -> list[FeatureSums]:
        """First pass: ``sum_i E_ik c_i v_i'`` of every term, for each kind of columns v."""
        place = self.at(W)
        pairs = [place.features(t, order) for t in range(len(self.terms))]
        factor = self.tiles.factor

        def zeros() -> list[list[FloatArray]]:
            return [[np.zeros((factor.n_slots, f.size, k)) for _, k in columns] for _, f in pairs]

        def task(tiles: Iterator[RowTile]) -> list[list[FloatArray]]:
            sums = zeros()
            for tile in tiles:
                made = [make(tile) for make, _ in columns]
                for t, (_, f) in enumerate(pairs):
                    C = tile.values(t, f)
                    for out, V in zip(sums[t], made, strict=True):
                        tile.gather(out, C, V)
            return sums

        total = zeros()
        dtype = self.accuracy.dtype(order)
        for sums in self.tiles.visit(W, [f for _, f in pairs], task, dtype):
            for so_far, more in zip(total, sums, strict=True):
                add_to(tuple(so_far), tuple(more))
        return [
            FeatureSums.of(weight, f, factor, arrays)
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
        place = self.at(W)
        features = [place.features(t, order)[1] for t in range(len(self.terms))]

        def task(tiles: Iterator[RowTile]) -> list[Any]:
            answers = []
            for tile in tiles:
                parts = enumerate(zip(features, spreads, strict=True))
                products = [
                    None if T is None else tile.scatter(tile.values(t, f), T) for t, (f, T) in parts
                ]
                answers.append(use(tile, products))
            return answers

        for answers in self.tiles.visit(W, features, task, self.accuracy.dtype(order)):
            yield from answers
