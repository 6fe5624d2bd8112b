"""The two passes over the rows, with the features that are in force at W."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import iadd
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, is_foreign, to_host, zeros_beside
from ..._rows import Block, UnturnedRows, batches
from ...gamma import FactorPart, RowFactor
from ..features import Accuracy, Features
from .choice import FeatureChoice, FreshChoice, Weighted
from .tiles import Gathered, RowTile, RowTiles, add_gathered, no_sums

R = TypeVar("R")

_ALL = slice(None)
_BLOCK = 2**20  # numbers of a temporary array
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
    B: tuple[Array, ...]  # each (rank, D', k), where the rows are

    @property
    def _weights(self) -> FloatArray:
        """Signs of Gamma and of the features, (rank, D')."""
        return np.multiply.outer(self.row_factor.signs, self.features.signs)

    def form(self, i: int, j: int, left: slice = _ALL, right: slice = _ALL) -> FloatArray:
        """``factor sum_kl core_kl A_k' P A_l`` between columns of kind i and of kind j."""
        L, R = self.B[i][:, :, left], self.B[j][:, :, right]
        xp, (rank, D, k), m = array_namespace(L), L.shape, R.shape[2]
        total, weights = zeros_beside((k, m), L), beside(self._weights, L)
        size = max(1, _BLOCK // max(D * k, D * m, 1))  # no second copy of the sums
        for r in batches(rank, size):
            weighted = weights[r, :, None] * R[r, :, :]
            total += xp.reshape(L[r, :, :], (-1, k)).T @ xp.reshape(weighted, (-1, m))
        return self.factor * to_host(total)

    def spread(self, i: int) -> Array:
        """``factor P sum_l core_kl A_l``, (slots, D, k): what turns features into row values."""
        if is_foreign(self.B[i]):
            weights, roots = (
                beside(a, self.B[i]) for a in (self.factor * self._weights, self.row_factor.roots)
            )
            return _mixed(roots, self.features.unwhiten(weights[:, :, None] * self.B[i]))
        weighted = (self.factor * self._weights)[:, :, None] * self.B[i]
        rank, D, k = weighted.shape
        flat = self.features.unwhiten(weighted.transpose(1, 0, 2).reshape(D, rank * k))
        per_root = flat.reshape(flat.shape[0], rank, k).transpose(1, 0, 2)
        return np.tensordot(self.row_factor.roots, per_root, (1, 0))


def _mixed(M: Array, sums: Array) -> Array:
    """``sum_k M_rk A_k`` on a device."""
    xp, (_, D, k) = array_namespace(sums), sums.shape
    return xp.reshape(M @ xp.reshape(sums, (-1, D * k)), (-1, D, k))


def _at_roots(factor: RowFactor, sums: Array) -> Array:
    """``sum_k roots_kr A_k``, some columns at a time."""
    if is_foreign(sums):
        return _mixed(beside(factor.roots.T, sums), sums)
    slots, D, k = sums.shape
    out = np.empty((factor.signs.size, D, k))
    for cols in batches(k, max(1, _BLOCK // max(1, slots * D))):
        out[:, :, cols] = np.tensordot(factor.roots, sums[:, :, cols], (0, 0))
    return out


def _whitened(features: Features, sums: Array) -> Array:
    """``B_r = R A_r`` of sums at roots, some columns at a time."""
    if is_foreign(sums):
        return features.whiten(sums)
    rank, D, k = sums.shape
    B = np.empty((rank, features.signs.size, k))
    for cols in batches(k, max(1, _BLOCK // max(1, rank * D))):
        some = sums[:, :, cols]
        flat = features.whiten(some.transpose(1, 0, 2).reshape(D, rank * some.shape[2]))
        parts = flat.reshape(flat.shape[0], rank, some.shape[2])
        B[:, :, cols] = parts.transpose(1, 0, 2)
    return B


def _largest(block: Block) -> float:
    if is_foreign(block):
        xp = array_namespace(block)
        return float(xp.max(xp.abs(block)))
    return float(abs(block).max())


class Passes:
    """Gather sums of features over the rows, then scatter what they amount to back to them.

    Features are chosen at every W anew, or held as they were chosen at one.
    """

    def __init__(self, tiles: RowTiles, fresh: FreshChoice, *, double: bool = False) -> None:
        self.tiles, self.fresh = tiles, fresh
        self.choice: FeatureChoice = fresh
        self.double = double or tiles.rows.dtype == np.float64
        self._single = False

    def refined(self, tiles: RowTiles, accuracy: Accuracy, extra: Array) -> Passes:
        """With another accuracy, more candidates, and sums in double precision."""
        return Passes(tiles, self.fresh.refined(accuracy, extra), double=True)

    def held_at(self, W: FloatArray) -> Passes:
        """With the features chosen at W, wherever they are used; itself where it has them."""
        choice = self.choice.held_at(W)
        if choice is self.choice:
            return self
        twin = copy(self)
        twin.choice = choice
        return twin

    def in_single(self) -> Passes:
        """With tiles in single precision, where the range of numbers allows it."""
        twin = copy(self)
        twin._single = True
        return twin

    @property
    def accuracy(self) -> Accuracy:
        """How exact the features are."""
        return self.fresh.accuracy

    @property
    def eps(self) -> float:
        """The rounding unit of the sums."""
        return float(np.finfo(np.float64 if self.double else np.float32).eps)

    def _dtype(self, order: int) -> DTypeLike:
        """Single precision where the rows or the tolerance allow it, and the range of numbers."""
        single = self._single or (order == 2 and self.accuracy.of(2) >= _SINGLE_FROM)
        if (self.double and not single) or not self._is_moderate:
            return np.float64
        return np.float32

    @cached_property
    def _is_moderate(self) -> bool:
        """Whether ``f'' x x w w``, the largest product there is, stays in the range of float32."""
        bends = [abs(float(np.asarray(k.d2f(np.zeros(1)))[0])) for _, k in self.fresh.terms]
        _, some = self.fresh.sampled
        size = max(_largest(block) for _, block in some.chunks())
        if isinstance(self.tiles.rows, UnturnedRows):  # of columns as they were before
            sizes = self.tiles.rows.sizes_before()
            if not (sizes.min() >= 1e-3 and sizes.max() <= 1e4):
                return False
        return 1e-3 <= size <= 1e4 and all(b == 0.0 or 1e-12 <= b <= 1e4 for b in bends)

    def features(self, W: FloatArray, order: int) -> list[Weighted]:
        """``factor, features`` of every term, ``weight f^(order) ~ factor c_i' P c_j`` at W."""
        return self.choice.features(W, order)

    def gather(self, W: FloatArray, order: int, *columns: Columns) -> list[FeatureSums]:
        """First pass: ``sum_i E_ik c_i v_i'`` of every term, for each kind of columns v."""
        pairs, factor = self.features(W, order), self.tiles.factor
        there, widths = self.tiles.like, [k for _, k in columns]
        # On a device, of narrow columns, features are read once for all kinds of them.
        is_one = is_foreign(there) and sum(widths) <= min(f.size for _, f in pairs)
        shapes = [(f.size, k) for _, f in pairs for k in ([sum(widths)] if is_one else widths)]

        def task(part: FactorPart, tiles: Iterator[RowTile]) -> Gathered:
            sums = no_sums(part.slots.size, shapes, there)[1]
            for tile in tiles:
                made = [make(tile) for make, _ in columns]
                if is_one:
                    made = [array_namespace(there).concat(made, axis=1)]
                outs = iter(sums)
                for t, (_, f) in enumerate(pairs):
                    C = tile.values(t, f)
                    for V in made:
                        tile.gather(next(outs), C, V)
            return part.slots, sums

        def at_roots(total: Gathered) -> Gathered:  # fewer than slots, and all that is asked for
            return np.arange(factor.signs.size), [_at_roots(factor, A) for A in total[1]]

        _, found = self.tiles.fold(
            W,
            [f for _, f in pairs],
            task,
            add_gathered,
            dtype=self._dtype(order),
            start=partial(no_sums, factor.n_slots, shapes, there),
            finish=at_roots,
            width=sum(widths),
            name="gather",
        )
        ends = np.cumsum(widths).tolist()
        places = [slice(end - k, end) for end, k in zip(ends, widths, strict=True)]
        arrays = iter(found)

        def of_term(f: Features) -> tuple[Array, ...]:
            if is_one:
                B = _whitened(f, next(arrays))
                return tuple(B[:, :, place] for place in places)
            return tuple(_whitened(f, next(arrays)) for _ in columns)

        return [FeatureSums(weight, f, factor, of_term(f)) for weight, f in pairs]

    def scatter(
        self,
        W: FloatArray,
        order: int,
        spreads: Sequence[Array | None],
        use: Callable[[RowTile, list[Any]], R],
        merge: Callable[[R, R], R] = iadd,
        finish: Callable[[R], R] = to_host,
        width: int = 1,
    ) -> R:
        """Second pass: ``use`` sees a tile of rows and ``(Gamma o g) V`` there, term by term.

        ``width`` numbers are made of a row by ``use``.
        """
        features = [f for _, f in self.features(W, order)]

        def task(_: FactorPart, tiles: Iterator[RowTile]) -> R:
            def answers() -> Iterator[R]:
                for tile in tiles:
                    parts = enumerate(zip(features, spreads, strict=True))
                    products = [
                        None if T is None else tile.scatter(tile.values(t, f), T)
                        for t, (f, T) in parts
                    ]
                    yield use(tile, products)

            return reduce(merge, answers())

        wide = sum(T.shape[2] for T in spreads if T is not None)
        return self.tiles.fold(
            W,
            features,
            task,
            merge,
            dtype=self._dtype(order),
            finish=finish,
            width=max(wide, width),
            name="scatter",
        )
