r"""The statistic with the rows of one side in another order, for many orders at once, on a device.

Four ways, by what is known of the sides, all of them exact but for rounding::

    both have few columns    Tr(Kc Lc) = sum s t' o (F' G_pi) o (F' G_pi)     linear in n
    one has, G               sum_k s_k g_k' K g_k, g_k = G_pi's columns       products with K
    neither                  sum K o L_pi - 2/n k.l_pi + (1'k)(1'l)/n^2       tiles of both
    two labellings           on the host, in linear time

and with features, which are not exact, the first. A tile of K is made once for many orders. Which
of the sides it is that is permuted makes no difference but this: where it is X, by the inverse.
The orders are those that would be drawn on the host.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import in_dtype, numpy_dtype, within_memory
from ..linear_time import SideSums
from .numbers import double_sum, double_sums
from .sides import DeviceSide
from .thin import Thin, exact_columns, principal_columns
from .tiles import Marginals, in_tiles, tile_rows

_COLUMNS = 4096  # of products with K at a time: a tile of K is then a small part of the work
_AT_ONCE = 128  # orders for which a tile of K is kept


class OrderedProducts(ABC):
    """``Tr(Kc Lc)`` for a batch of orders of the rows of the side ``moved``, 0 or 1.

    ``numbers`` in double precision are what an order takes for each row; ``most`` are the orders at
    a time that make sense.
    """

    moved: int = 1
    numbers: int
    most: int = 2**20
    dtype: np.dtype[Any]

    @abstractmethod
    def __call__(self, orders: Array) -> Array:
        """From (b, n) row numbers to b values, on the device, in double precision."""


class CrossProducts(OrderedProducts):
    """``|F' G_pi|^2``, linear in the number of rows."""

    def __init__(self, fixed: Thin, thin: Thin) -> None:
        self.fixed, self.thin, self.dtype = fixed, thin, numpy_dtype(thin.values)
        self.numbers = 4 + 2 * thin.rank

    def __call__(self, orders: Array) -> Array:
        xp, F = array_namespace(orders), self.fixed
        b = orders.shape[0]
        cross = xp.reshape(F.values.T @ _permuted(self.thin, orders), (F.rank, b, -1))
        squares = in_dtype(cross, np.float64) ** 2
        by_column = xp.reshape(xp.permute_dims(squares, (1, 0, 2)), (b * F.rank, -1))
        signs = in_dtype(self.thin.signs, np.float64), in_dtype(F.signs, np.float64)
        return xp.reshape(by_column @ signs[0], (b, -1)) @ signs[1]


class QuadraticForms(OrderedProducts):
    """``sum_k s_k g_k' (K - shift) g_k``: products of tiles of K with columns for many orders.

    The columns are centred, so that only ``K - shift`` without row means is needed.
    """

    def __init__(self, side: DeviceSide, shift: float, thin: Thin, moved: int) -> None:
        self.side, self.shift, self.thin, self.moved = side, shift, thin, moved
        self.numbers, self.dtype = 4 + 2 * thin.rank, side.dtype
        self.most = max(1, _COLUMNS // thin.rank)

    def __call__(self, orders: Array) -> Array:
        V = _permuted(self.thin, orders)
        forms = within_memory(lambda size: self._forms(V, size), tile_rows(self.side), 256)
        by_order = array_namespace(forms).reshape(forms, (orders.shape[0], -1))
        return by_order @ in_dtype(self.thin.signs, np.float64)

    def _forms(self, V: Array, size: int) -> Array:
        """``v' (K - shift) v`` of every column v: twice the half, but for the diagonal."""
        total = 0.0
        for rows, columns in in_tiles(self.side.n_samples, size):
            KV: Array = 0.0
            for cols, weight in columns:
                KV = KV + weight * ((self.side.tile(rows, cols) - self.shift) @ V[cols, :])
            total = total + double_sums(V[rows, :] * KV, 0)
        return total


class TilePairs(OrderedProducts):
    """Tiles of both matrices, that of the side that is moved made anew for every order."""

    numbers, most = 4, _AT_ONCE

    def __init__(self, x: DeviceSide, y: DeviceSide, marginals: Marginals) -> None:
        self.x, self.y, self.marginals = x, y, marginals
        self.dtype = np.promote_types(x.dtype, y.dtype)

    def __call__(self, orders: Array) -> Array:
        n, (k, ell) = self.x.n_samples, self.marginals.row_sums
        ell = ell + n * self.marginals.shifts[1]  # L itself is summed, without its shift
        xp = array_namespace(k)
        sums = within_memory(lambda size: self._sums(orders, size), tile_rows(self.x), 256)
        return sums - 2.0 / n * (in_order(ell, orders) @ k) + xp.sum(k) * xp.sum(ell) / n**2

    def _sums(self, orders: Array, size: int) -> Array:
        xp, total = array_namespace(orders), 0.0
        for rows, columns in in_tiles(self.x.n_samples, size):
            for cols, weight in columns:
                K = self.x.tile(rows, cols) - self.marginals.shifts[0]
                found = [
                    double_sum(K * self._moved(orders[b, :], rows, cols))
                    for b in range(orders.shape[0])
                ]
                total = total + weight * xp.stack(found)
        return total

    def _moved(self, order: Array, rows: slice, cols: slice) -> Array:
        return self.y.block(self.y.chosen(order[rows]), self.y.chosen(order[cols]))


def _permuted(thin: Thin, orders: Array) -> Array:
    """The columns of G with rows in each of the orders, side by side: (n, b r)."""
    xp, (b, n) = array_namespace(orders), orders.shape
    return xp.reshape(xp.take(thin.values, xp.reshape(orders.T, (-1,)), axis=0), (n, b * thin.rank))


def in_order(values: Array, orders: Array) -> Array:
    """``values[orders]``, for several orders (b, n)."""
    xp = array_namespace(orders)
    return xp.reshape(xp.take(values, xp.reshape(orders, (-1,)), axis=0), orders.shape)


def exact_products(x: DeviceSide, y: DeviceSide, marginals: Marginals) -> OrderedProducts:
    """The cheapest of the exact ways."""
    thin = exact_columns(y), exact_columns(x)
    if thin[0] is not None and thin[1] is not None:
        return CrossProducts(thin[1], thin[0])
    if thin[0] is not None:
        return QuadraticForms(x, marginals.shifts[0], _in(thin[0], x.dtype), moved=1)
    if thin[1] is not None:
        return QuadraticForms(y, marginals.shifts[1], _in(thin[1], y.dtype), moved=0)
    return TilePairs(x, y, marginals)


def _in(thin: Thin, dtype: np.dtype[Any]) -> Thin:
    return thin._replace(values=in_dtype(thin.values, dtype), signs=in_dtype(thin.signs, dtype))


def products_of_features(x: DeviceSide, y: DeviceSide, features: SideSums) -> CrossProducts:
    """What the features of both sides have, as far as it fits the memory."""
    fixed, thin = (principal_columns(side, features, i) for i, side in enumerate((x, y)))
    dtype = np.result_type(numpy_dtype(fixed.values), numpy_dtype(thin.values))
    return CrossProducts(_in(fixed, dtype), _in(thin, dtype))
