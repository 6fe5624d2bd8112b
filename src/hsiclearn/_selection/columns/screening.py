r"""Of very many columns those that moments speak of, before any set is looked for.

::

    m_j = X_j'u_k      (M_k)_jj = sum_i u_ik x_ij^2      O(n r d)       down to 2000 columns
    (M_k)_ij                                             O(n r 2000^2)  down to those asked for

each in units of the columns' deviations. The first say what a column tells by itself: of more than
2000, one that tells only together with another (a pure XOR of two columns) may be lost, and where
all tell nothing by themselves, those that are kept are no better than drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._linalg import IDENTITY, Basis, deviations_of
from ...gamma import AbstractGamma
from ..problem import SupervisedData
from .moments import largest, telling_factors

MOST_PAIRED = 2000
"""Columns whose second moments with one another are made, and that sparse rows are dense in."""

_VANISHING = 1e-12  # of the mean square of a column: a variance that is rounding


def telling_columns(X: FloatArray, gamma: AbstractGamma, most: int) -> Array:
    """Of very many columns those with the largest moments, first or second, made row by row."""
    d = X.shape[1]
    if d <= most:
        return np.arange(d)
    known = np.arange(d) if d <= MOST_PAIRED else ranked_columns(X, gamma, MOST_PAIRED)
    X = X[:, known]
    v = gamma.row_weights
    X = X - (X.mean(axis=0) if v is None else v @ X / v.sum())
    U, sizes = telling_factors(gamma)
    unit = np.maximum(deviations_of(X, v), 1e-300)
    first = np.square(X.T @ U * np.sqrt(sizes) / unit[:, None]).sum(axis=1)
    second = np.empty(known.size)
    for j in range(known.size):
        rows = (U * X[:, j, None]).T @ X / (unit[j] * unit)
        second[j] = float((sizes @ np.square(rows)).max())
    found: Array = known[_top_of_either(first, second, most)]
    return found


def ranked_columns(X: Any, gamma: AbstractGamma, most: int) -> Array:
    """Those with the largest moments of their own, of rows from their mean, dense or sparse."""
    U, sizes = telling_factors(gamma)
    squares = X.multiply(X) if hasattr(X, "multiply") else np.square(X)
    if (v := gamma.row_weights) is None:
        mean, power = (np.asarray(M.sum(axis=0)).ravel() / X.shape[0] for M in (X, squares))
    else:
        mean, power = (np.asarray(M.T @ v).ravel() / v.sum() for M in (X, squares))
    total = U.sum(axis=0)
    product = X.T @ U
    first = product - np.outer(mean, total)
    own = squares.T @ U - 2.0 * mean[:, None] * product + np.outer(np.square(mean), total)
    variance = power - np.square(mean)
    varies = variance > _VANISHING * power
    unit = np.where(varies, variance, 1.0)
    means = np.where(varies, np.square(first) @ sizes / unit, -1.0)
    squared = np.where(varies, np.square(own) @ sizes / np.square(unit), -1.0)
    return _top_of_either(means, squared, most)


def dense_columns(data: SupervisedData, *, holds_out: bool) -> tuple[SupervisedData, Basis]:
    """Of sparse rows of more than 2000 columns those that may matter; all of others.

    What is ranked highest on all rows looked at, or on those of any split: so each split finds
    among them what it ranks highest itself, without the rows it holds out.
    """
    rows, index = data.rows, data.index
    if not rows.is_sparse or rows.n_features <= MOST_PAIRED:
        return data, IDENTITY
    splits = data.splits if holds_out else []
    looked = [train for train, _ in splits]
    if not (data.is_fresh and splits):
        looked.append(np.arange(index.size))
    mask = np.zeros(rows.n_features, dtype=bool)
    for part in looked:
        some = rows.subset(index[part])
        [(_, X)] = some.chunks(some.n_samples)
        mask[ranked_columns(X, data.gamma.centered_on(index[part]), MOST_PAIRED)] = True
    basis = Basis.of_columns(mask)
    return data.in_columns(basis, splits), basis


def _top_of_either(first: FloatArray, second: FloatArray, most: int) -> Array:
    """The columns of highest rank in one or the other."""
    ranks = [np.argsort(np.argsort(-score, kind="stable")) for score in (first, second)]
    return largest(-np.minimum(*ranks).astype(np.float64), most)
