r"""How wrong the sums can be: a bound from one pass over all rows.

Let ``r_ij = f'(beta_ij) - c_i'Pc_j``. Where f' (or -f') is positive definite, so is r, hence
``|r_ij| <= sqrt(e_i e_j)`` with ``e_i = r_ii``; and ``|Gamma_ij| <= |u_i| |u_j|``. So with
``a_i = |u_i| sqrt(e_i)`` the error of Phi is at most ::

    differences  sum_ij a_i a_j |x_i - x_j|^2 = 2 (sum a)(sum a |x|^2) - 2 |sum a x|^2
    inner        sum_ij a_i a_j |x_i| |x_j|   = (sum a |x|)^2
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import iadd

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import in_dtype, is_foreign, to_host
from ..._rows import Block
from ...gamma import FactorPart
from ...kernels import Pair
from ..features import Features
from .tiles import RowTile, RowTiles


def bound_on_phi(tiles: RowTiles, W: FloatArray, t: int, features: Features, pair: Pair) -> float:
    """Bound on the error of Phi from term t, but for its weight."""
    if features.is_exact:
        return 0.0
    d = tiles.rows.n_features

    def task(_: FactorPart, some: Iterator[RowTile]) -> Array:
        def answers() -> Iterator[Array]:
            for tile in some:
                x = tiles.rows.whole(tile.x)
                yield _sums_of(x, *_shares(tile, x, t, features))

        return reduce(iadd, answers())

    total = tiles.fold(W, [features], task, dtype=np.float64, finish=to_host, width=d, name="bound")
    if pair.is_difference:
        return float(max(2.0 * (total[0] * total[1] - total[3:] @ total[3:]), 0.0))
    return float(total[2] ** 2)


def _sums_of(x: Block, a: Array, squares: Array) -> Array:
    """``sum a``, ``sum a |x|^2``, ``sum a |x|`` and ``sum a x``."""
    xp = array_namespace(a)
    three = xp.stack([xp.sum(a), a @ squares, a @ xp.sqrt(squares)])
    return xp.concat([three, a @ x])


def worst_rows(tiles: RowTiles, W: FloatArray, t: int, features: Features, count: int) -> Array:
    """The rows that add most to the bound, ``a_i |x_i|``: where landmarks are missing."""
    if features.is_exact or not features.is_bounded:
        return np.zeros(0, dtype=np.intp)

    def task(_: FactorPart, some: Iterator[RowTile]) -> _Found:
        whole = tiles.rows.whole
        shares = ((tile.index, *_shares(tile, whole(tile.x), t, features)) for tile in some)
        return _largest([(a**2 * squares, index) for index, a, squares in shares], count)

    def merged(a: _Found, b: _Found) -> _Found:
        return _largest([a, b], count)

    width = tiles.rows.n_features
    size, index = tiles.fold(W, [features], task, merged, width=width, name="bound")
    if is_foreign(size):  # what fills up a piece is no row, and has a size of 0
        index = to_host(index)[to_host(size) > 0.0]
    return np.sort(index)


_Found = tuple[Array, Array]


def _largest(found: list[_Found], count: int) -> _Found:
    xp = array_namespace(found[0][0])
    size, index = (xp.concat(parts) for parts in zip(*found, strict=True))
    keep = xp.argsort(-size, stable=True)[: min(count, size.shape[0])]
    return xp.take(size, keep), xp.take(index, keep)


def _shares(tile: RowTile, x: Block, t: int, features: Features) -> tuple[Array, Array]:
    """``a_i`` and ``|x_i|^2``."""
    if is_foreign(x):
        xp = array_namespace(x)
        squares = xp.sum(in_dtype(x, np.float64) ** 2, axis=1)
        missing = in_dtype(features.missing(tile.values(t, features)), np.float64)
        return tile.part.sizes(tile.place) * xp.sqrt(missing), squares
    if isinstance(x, np.ndarray):
        squares = np.einsum("ij,ij->i", x, x, dtype=np.float64)
    else:
        squares = np.asarray(x.multiply(x).sum(axis=1), dtype=np.float64).ravel()
    missing = features.missing(tile.values(t, features), tile.workspace[-1])
    return tile.part.sizes(tile.place) * np.sqrt(missing), squares
