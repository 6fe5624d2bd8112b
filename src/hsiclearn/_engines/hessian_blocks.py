r"""The whole second derivative from moments of ``T = Gamma o f''``, in any array namespace.

``-Phidot[Z] W`` has columns ``sum_b M_ab Z_b``. With ``X_a = w_a o X`` (row i times w_ia) and
``X_ab = w_a o w_b o X``::

    difference  M_ab = 4 X'(D - S)X,  S_ij = T_ij (w_ia - w_ja)(w_ib - w_jb),  D the row sums:
                X'SX = X_ab'TX + X'TX_ab - X_a'TX_b - X_b'TX_a
                D_ii = w_a w_b (T1) + T(w_a w_b) - w_a (T w_b) - w_b (T w_a)
    inner       M_ab = X'(D + S)X,    S_ij = T_ij w_ib w_ja:  X'SX = X_b'TX_a
                D_ii = T(w_a w_b)

So two moments carry all of it, matrix products and nothing else: ``first[a, b] = X_a'TX_b`` and
``second[a, b] = X'TX_ab``; and the thin product ``thin = T [1, w, w_a w_b]``.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from .._arrays import Array, array_namespace
from .._devices import beside, is_foreign, product_over_rows
from ..kernels import Pair


class Moments(NamedTuple):
    """``X_a'TX_b`` (q d, q d) and ``X'TX_ab`` (d, pairs d)."""

    first: Array
    second: Array


def column_pairs(q: int) -> list[tuple[int, int]]:
    """``(a, b)`` with a <= b."""
    return list(combinations_with_replacement(range(q), 2))


def thin_columns(w: Array) -> Array:
    """``[1, w_a, w_a w_b]``, shape (n, 1 + q + q(q+1)/2)."""
    xp = array_namespace(w)
    products = [w[:, a] * w[:, b] for a, b in column_pairs(w.shape[1])]
    return xp.concat([xp.ones_like(w[:, :1]), w, xp.stack(products, axis=1)], axis=1)


def spread(X: Array, thin: Array) -> Array:
    """``[X, X_a, X_ab]`` side by side: every thin column times X."""
    xp = array_namespace(X)
    blocks = X[:, None, :] * thin[:, :, None]
    return xp.reshape(blocks, (X.shape[0], -1))


def moments_of(left: Array, TV: Array, q: int, d: int, *, is_half: bool = False) -> Moments:
    """The moments from ``left = [X, X_a, X_ab]`` and ``TV = T [X, X_a]``.

    ``X'TX_ab`` is the transpose of ``X_ab'TX``. With ``is_half`` T holds the pairs i <= j, the
    diagonal half: ``first + first'`` is the moment then, and of ``X'TX_ab`` the other half is
    needed as well, so that TV has ``T X_ab``, too.
    """
    xp = array_namespace(left)
    singles, rest = slice(d, (q + 1) * d), slice((q + 1) * d, None)
    first = left[:, singles].T @ TV[:, singles]
    mirror = xp.reshape(left[:, rest].T @ TV[:, :d], (-1, d, d))
    second = xp.reshape(xp.permute_dims(mirror, (2, 0, 1)), (d, -1))
    if is_half:
        second = second + left[:, :d].T @ TV[:, rest]
    return Moments(first, second)


def degree_grams(pair: Pair, X: Array, w: Array, thin: Array) -> Array:
    """``X' diag(D) X`` for every column pair, (pairs, d, d), from ``thin = T [1, w, w_a w_b]``."""
    xp, d, q = array_namespace(X), X.shape[1], w.shape[1]
    degrees = products = thin[:, 1 + q :]
    if pair.is_difference:
        one, Tw = thin[:, :1], thin[:, 1 : 1 + q]
        pairs = np.array(column_pairs(q))
        first, second = (beside(places, w, np.int64) for places in pairs.T)
        wa, wb = xp.take(w, first, axis=1), xp.take(w, second, axis=1)
        Ta, Tb = xp.take(Tw, first, axis=1), xp.take(Tw, second, axis=1)
        degrees = wa * wb * one + products - wa * Tb - wb * Ta
    spread_out = spread(X, xp.astype(degrees, X.dtype, copy=False))
    product = product_over_rows(X, spread_out) if is_foreign(X) else X.T @ spread_out
    return xp.permute_dims(xp.reshape(product, (d, -1, d)), (1, 0, 2))


def assemble(pair: Pair, moments: Moments, grams: Array, q: int) -> Array:
    """M of shape (q, q, d, d) from the moments over all pairs and ``X' diag(D) X``."""
    d = grams.shape[1]
    M = array_namespace(grams).zeros((q, q, d, d), dtype=grams.dtype)
    for k, (a, b) in enumerate(column_pairs(q)):
        first = moments.first[b * d : (b + 1) * d, a * d : (a + 1) * d]
        if pair.is_difference:
            second = moments.second[:, k * d : (k + 1) * d]
            XSX = second + second.T - first - first.T
            M[a, b, ...] = 4.0 * (grams[k, ...] - XSX)
        else:
            M[a, b, ...] = grams[k, ...] + first
        M[b, a, ...] = M[a, b, ...].T
    return M
