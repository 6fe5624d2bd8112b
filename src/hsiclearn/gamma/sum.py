"""Sums of structured matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column
from ._base import AbstractGamma, psd_up_to_rounding, zero_up_to_rounding
from .low_rank import LowRank
from .pair_tiles import PairTiles, sum_of_tiles
from .row_factor import RowFactor, WeightedFactor


@final
class Sum(AbstractGamma):
    """``Gamma = Gamma_1 + Gamma_2 + ...``, each term kept in its own structure.

    Written with ``+`` and ``-`` rather than built by hand.
    """

    def __init__(self, parts: tuple[AbstractGamma, ...]) -> None:
        sizes = {part.n_samples for part in parts}
        if len(sizes) != 1:
            raise ValueError(
                "The terms of a sum must have the same number of rows. "
                f"Got {[part.n_samples for part in parts]}."
            )
        self._parts = parts
        self.n_samples = sizes.pop()

    @property
    def parts(self) -> tuple[AbstractGamma, ...]:
        """The terms."""
        return self._parts

    def order(self) -> Array | None:
        """The order of the first term that has one."""
        return next((o for part in self._parts if (o := part.order()) is not None), None)

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """The sum of the terms' tiles."""
        return _sum(part.tile(rows, cols) for part in self._parts)

    def to_dense(self) -> Array:
        """The n x n matrix."""
        return _sum(part.to_dense() for part in self._parts)

    def apply(self, V: Array) -> Array:
        """The sum of the terms' products."""
        return _sum(part.apply(V) for part in self._parts)

    def take(self, index: Array) -> Sum:
        """Each term on chosen rows."""
        return Sum(tuple(part.take(index) for part in self._parts))

    def centered_on(self, index: Array, weights: Array | None = None) -> Sum:
        """Each term on chosen rows, centred there."""
        return Sum(tuple(part.centered_on(index, weights) for part in self._parts))

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Orthogonal factors of the stacked factors of the terms."""
        pairs = [part.factors(max_rank, weights) for part in self._parts]
        U = np.concatenate([u for u, _ in pairs], axis=1)
        return LowRank(U, np.concatenate([s for _, s in pairs])).factors(max_rank)

    def absolute_form(self, g: FloatArray) -> float:
        """The sum of the terms' forms."""
        return sum(part.absolute_form(g) for part in self._parts)

    def row_factor(self) -> RowFactor | None:
        """The columns of all terms side by side."""
        factors = [part.row_factor() for part in self._parts]
        known = [factor.as_columns() for factor in factors if factor is not None]
        if len(known) < len(factors):
            return None
        U, s = (np.concatenate(parts, axis=-1) for parts in zip(*known, strict=True))
        return WeightedFactor(U, s)

    def tiles_on(self, like: Array) -> PairTiles:
        """The sum of those of the terms."""
        return sum_of_tiles([part.tiles_on(like) for part in self._parts])

    def finer(self) -> Sum | None:
        """Finer terms, where there are any."""
        parts = [part.finer() for part in self._parts]
        if all(part is None for part in parts):
            return None
        return Sum(tuple(new or old for new, old in zip(parts, self._parts, strict=True)))

    def scaled(self, factor: float) -> Sum:
        """Each term scaled."""
        return Sum(tuple(part.scaled(factor) for part in self._parts))

    @property
    def is_centered(self) -> bool:
        """Zero row sums of the whole, whatever the terms do."""
        if all(part.is_centered for part in self._parts):
            return True
        one = np.ones((self.n_samples, 1))
        terms = [part.apply(one) for part in self._parts]
        scale = max(float(np.abs(term).max()) for term in terms)
        return zero_up_to_rounding(_sum(terms), scale)

    def is_centered_by(self, weights: Column | None) -> bool:
        """Of all terms, or of the whole."""
        if weights is None:
            return self.is_centered
        each = all(part.is_centered_by(weights) for part in self._parts)
        return each or super().is_centered_by(weights)

    @property
    def is_psd(self) -> bool:
        """A sum of PSD terms is PSD; with other terms, the spectrum decides."""
        if all(part.is_psd for part in self._parts):
            return True
        return psd_up_to_rounding(np.linalg.eigvalsh(self.to_dense()))

    def __repr__(self) -> str:
        """The terms."""
        return " + ".join(map(repr, self._parts))


def _sum(terms: Iterable[Array]) -> Array:
    first, *rest = terms
    return sum(rest, first)
