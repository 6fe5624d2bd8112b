r"""A Gamma whose rows count more than once, or less.

Of a table in which row i stands ``v_i`` times, the sum over pairs of rows is one over pairs of
different rows::

    sum_ij v_i v_j Gamma_ij f(beta_ij)        Gamma = (I - 1 v'/V) K (I - v 1'/V),  V = sum_i v_i

so weights are nothing but a factor on both sides of Gamma, ``diag(v) Gamma diag(v)``: whoever sums
over pairs, or over rows by a :class:`RowFactor`, does it as ever.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, as_values
from .._devices import beside
from ._base import AbstractGamma
from .pair_tiles import PairTiles
from .repeated_factor import RepeatedFactor
from .row_factor import RowFactor


@final
class Weighted(AbstractGamma):
    """``diag(v) base diag(v)``, the structure of ``base`` kept.

    Parameters
    ----------
    base : AbstractGamma
        That of single rows, centred with the same weights: ``ClassTable.centered(codes,
        row_weights=v)``, ``LowRank.centered(U, v)``, ``Dense.centered(K, v)``.
    weights : array, shape (n_samples,)
        v, finite and not negative; or a handle to an array that is elsewhere.
    """

    def __init__(self, base: AbstractGamma, weights: Column) -> None:
        v = as_values(weights)
        if v.shape != (base.n_samples,):
            raise ValueError(
                "`weights` must hold one number for each row of `base`, shape "
                f"({base.n_samples},). Got shape {v.shape}."
            )
        if not isinstance(v, AbstractColumn):
            v = v.astype(np.float64)
            if not (np.all(np.isfinite(v)) and v.min(initial=0.0) >= 0.0):
                raise ValueError(
                    "`weights` must be finite and not negative. Got values from "
                    f"{v.min(initial=0.0):g} to {v.max(initial=0.0):g}."
                )
        self._base, self._v, self.n_samples = base, v, base.n_samples

    @property
    def row_weights(self) -> Column:
        """The weights v."""
        return self._v

    @property
    def unweighted(self) -> AbstractGamma:
        """The Gamma of single rows."""
        return self._base

    def order(self) -> Array | None:
        """As the base has it."""
        return self._base.order()

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """``v_i v_j`` times that of the base."""
        return self._v[rows][:, None] * self._base.tile(rows, cols) * self._v[cols]

    def weigh(self, array: Array, rows: slice, cols: slice) -> tuple[float, Array]:
        """By the base, and then by rows and by columns."""
        factor, array = self._base.weigh(array, rows, cols)
        array *= self._v[rows].astype(array.dtype, copy=False)[:, None]
        array *= self._v[cols].astype(array.dtype, copy=False)
        return factor, array

    def to_dense(self) -> Array:
        """The n x n matrix."""
        return self._v[:, None] * self._base.to_dense() * self._v

    def tiles_on(self, like: Array) -> PairTiles:
        """Likewise, there."""
        tiles, v = self._base.tiles_on(like), beside(self._v, like)

        def tile(rows: slice, cols: slice) -> Array:
            return v[rows][:, None] * tiles(rows, cols) * v[cols][None, :]

        return tile

    def apply(self, V: Array) -> Array:
        """``v o base (v o V)``."""
        v = self._v[:, None]
        return v * self._base.apply(v * V)

    def take(self, index: Array) -> Weighted:
        """Chosen rows with their weights."""
        return Weighted(self._base.take(index), self._v[index])

    def centered_on(self, index: Array, weights: Array | None = None) -> Weighted:
        """Centred by the weights of the chosen rows, which ``weights`` are beside these."""
        v = self._v[index]
        both = v if weights is None else v * weights
        return Weighted(self._base.centered_on(index, both), v)

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """``v^1/2 o Q, s`` with the leading ones ``Q diag(s) Q'`` of ``v^1/2 base v^1/2``.

        Those are the eigenpairs of the table of repeated rows: one that is cut off has the same
        part as there. Further ``weights`` multiply both sides.
        """
        root = np.sqrt(self._v)
        Q, s = self._base.factors(max_rank, root)
        return (root if weights is None else root * weights)[:, None] * Q, s

    def absolute_form(self, g: FloatArray) -> float:
        """That of the base, of ``v o g``."""
        return self._base.absolute_form(self._v * g)

    def row_factor(self) -> RowFactor | None:
        """The rows of the base, each ``v_i`` times."""
        factor = self._base.row_factor()
        return None if factor is None else RepeatedFactor(factor, self._v)

    def finer(self) -> Weighted | None:
        """Of a finer base."""
        base = self._base.finer()
        return None if base is None else Weighted(base, self._v)

    def scaled(self, factor: float) -> Weighted:
        """``factor * Gamma``."""
        return Weighted(self._base.scaled(factor), self._v)

    @cached_property
    def is_centered(self) -> bool:
        """Whether the base is centred by these weights: ``v o base v = 0``."""
        return self._base.is_centered_by(self._v)

    @property
    def is_psd(self) -> bool:
        """As the base is on the rows that count."""
        if self._base.is_psd or isinstance(self._v, AbstractColumn):
            return self._base.is_psd
        return self._base.take(np.flatnonzero(self._v > 0)).is_psd

    def __repr__(self) -> str:
        """The base, and that it is weighted."""
        return f"Weighted({self._base!r})"
