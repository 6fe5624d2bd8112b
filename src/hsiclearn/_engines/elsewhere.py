"""All pairs of rows that are elsewhere, in parts: each part by itself, then every two of them.

The sums over the pairs of two parts, and of one with itself, are those of a :class:`TiledEngine` of
their rows. A part travels to where the others are; what comes back has no rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import iadd
from typing import Any, TypeVar, final

import numpy as np

from .._arrays import Array, FloatArray
from .._rows import AbstractRows
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from .linear.at_zero import products_at_zero
from .linear.scales import check_scales
from .linear.tiles import RowTiles
from .tiled import TiledEngine

R = TypeVar("R")


@final
class PairsElsewhere(AbstractEngine):
    """Exact sums over all pairs, each made where one of its rows is."""

    name = "tiled"
    is_linear = True  # of rows that are not here

    def __init__(self, X: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        super().__init__(X, gamma, kernel)
        check_scales(X, kernel)
        factor = gamma.row_factor()
        if factor is None:
            raise ValueError(
                "Rows of Dask take a Gamma that knows its structure row by row. Got "
                f"{gamma!r}, which is known pair by pair: fit in memory."
            )
        _ = factor.roots  # what is made of all rows is made here
        self._rows, self._tiles = X, RowTiles(X, factor, [None] * len(kernel.terms))

    def _sum(self, ask: Callable[[TiledEngine], R], merge: Callable[[R, R], R] = iadd) -> R:
        """What all pairs answer, from those of parts."""
        return self._sum_of_parts(lambda engine, _: ask(engine), merge)

    def _sum_of_parts(
        self, ask: Callable[[TiledEngine, Sequence[slice]], R], merge: Callable[[R, R], R]
    ) -> R:
        rows, gamma, kernel = self._rows, self.gamma, self.kernel

        def share() -> R:
            X, parts = _dense(rows)
            split = parts[0].stop - parts[0].start if len(parts) == 2 else None
            among: Any = _Among(gamma, parts)
            return ask(TiledEngine(X, among, kernel, series=False, split=split), parts)

        assert rows.elsewhere is not None
        return rows.elsewhere.fold_pairs(share, merge, "pairs")

    def total(self, W: FloatArray) -> float:
        return self._sum(lambda engine: engine.total(W))

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """Here V has a number for each row, and so has the answer: for few rows."""

        def of_parts(engine: TiledEngine, parts: Sequence[slice]) -> dict[int, FloatArray]:
            product = engine.apply(W, np.concatenate([V[part] for part in parts]), Z)
            ends = np.cumsum([part.stop - part.start for part in parts])[:-1]
            return {p.start: SV for p, SV in zip(parts, np.split(product, ends), strict=True)}

        def both(a: dict[int, FloatArray], b: dict[int, FloatArray]) -> dict[int, FloatArray]:
            return a | {start: a[start] + SV if start in a else SV for start, SV in b.items()}

        found = self._sum_of_parts(of_parts, both)
        return np.concatenate([found[start] for start in sorted(found)])

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        return self._sum(lambda engine: engine.contract(W), _both)

    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        return self._sum(lambda engine: engine.multiply(W, V, Z))

    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        return self._sum(lambda engine: engine.total_and_gradient(W), _both)

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        return self._sum(lambda engine: engine.hessian_blocks(W))

    def at_zero(self, t: int, V: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """There no pair is to be seen: two passes over the rows."""
        return products_at_zero(self._tiles, t, V)


def _both(a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
    return a[0] + b[0], a[1] + b[1]


def _dense(rows: AbstractRows) -> tuple[FloatArray, list[slice]]:
    """The rows of the parts that are here, and which these are."""
    places, blocks = [], []
    for place, block in rows.chunks(rows.n_samples):  # a part is one chunk then
        dense = block if isinstance(block, np.ndarray) else block.toarray()
        places.append(place)
        blocks.append(dense.astype(np.float64, copy=False))
    return np.concatenate(blocks), places


@dataclass(frozen=True, eq=False)
class _Among:
    """Runs of consecutive rows of a Gamma, under numbers of their own."""

    whole: AbstractGamma
    runs: Sequence[slice]

    @property
    def row_weights(self) -> FloatArray | None:
        """Those of the rows that are here, in their order."""
        v = self.whole.row_weights
        return None if v is None else np.concatenate([v[run] for run in self.runs])

    def order(self) -> None:
        """As they are."""

    def weigh(self, array: Array, rows: slice, cols: slice) -> tuple[float, Array]:
        """As the whole does."""
        return self.whole.weigh(array, self._there(rows), self._there(cols))

    def _there(self, rows: slice) -> slice:
        """A slice of one run, as it is in the whole."""
        start = 0
        for run in self.runs:
            size = run.stop - run.start
            if rows.start < start + size:
                return slice(rows.start - start + run.start, rows.stop - start + run.start)
            start += size
        raise IndexError(f"Rows {rows} of {start}.")
