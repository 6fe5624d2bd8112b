"""Distances between pairs of rows, and a kernel of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.spatial.distance import pdist

from .._arrays import Array, FloatArray, array_namespace
from .._columns import AbstractColumn, Column
from .._devices import is_foreign
from .._weights import draw_weighted

_LOOKED_AT = 50_000


def median_pair_distance(
    X: Column, rng: np.random.Generator, max_rows: int = 1000, weights: Column | None = None
) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, of the table with repeated rows where weighted.

    Exact up to ``max_rows`` rows (all distances beyond cost more than a fit does); above, on
    that many rows drawn with ``rng``: where rows have weights, by :func:`draw_weighted`.
    """
    n = X.shape[0]
    if n < 2:
        return 0.0
    if weights is not None:
        index, v = draw_weighted(weights, max_rows, rng)
        if index.size < 2:
            return 0.0
        return _weighted_median(X[:] if index.size == n else X[index], v)
    if n > max_rows:
        X = X[np.sort(rng.choice(n, max_rows, replace=False))]
    elif isinstance(X, AbstractColumn):
        X = X[:]
    median = _median_root(_squares_of_pairs(X - X.mean(axis=0)))
    if _is_rounded_away(median, X):
        median = _median_root(pdist(X, "sqeuclidean"))
    return median


def _squares_of_pairs(centred: FloatArray) -> FloatArray:
    """``|x_i - x_j|^2`` for i > j, row by row of the lower triangle.

    By one matrix product, some ten times faster than loops.
    """
    square = np.einsum("ij,ij->i", centred, centred)
    full = centred @ centred.T
    full *= -2.0
    full += square
    full += square[:, None]
    return full[_below_the_diagonal(centred.shape[0])]


def _is_rounded_away(median: float, X: FloatArray) -> bool:
    """Whether it is so small beside the spread that the product has no digit of it.

    Then it is made once more, from differences, which are slow but exact.
    """
    return median**2 < 1e-10 * float(np.max(np.ptp(X, axis=0))) ** 2


def _weighted_median(X: FloatArray, v: FloatArray) -> float:
    r"""The median of the table in which row i stands ``v_i`` times.

    ``|x_i - x_j|`` is there ``v_i v_j`` times, and between copies of a row there is the distance 0,
    ``sum_i max(v_i (v_i - 1) / 2, 0)`` times.
    """
    copies = float(np.maximum(0.5 * v * (v - 1.0), 0.0).sum())
    below = _below_the_diagonal(X.shape[0])
    squares = _squares_of_pairs(X - X.mean(axis=0))
    median = _middle_root(squares, np.multiply.outer(v, v)[below], copies)
    if _is_rounded_away(median, X):
        i, j = np.nonzero(below.T)  # in the order of pdist
        median = _middle_root(pdist(X, "sqeuclidean"), v[i] * v[j], copies)
    return median


def _middle_root(squares: FloatArray, times: FloatArray, zeros: float) -> float:
    """The median of the roots of numbers that are there so many times, beside so many zeros."""
    return float(np.mean(np.sqrt(np.maximum(_middle(squares, times, zeros), 0.0))))


def weighted_median(values: FloatArray, times: FloatArray) -> float:
    """The median of numbers that are there so many times."""
    return float(_middle(values.ravel(), times.ravel()).mean())


def _middle(values: FloatArray, times: FloatArray, zeros: float = 0.0) -> FloatArray:
    """The two numbers in the middle of those that are there so many times, beside so many zeros.

    With T the whole, the smallest number of which, with all smaller ones, there are T/2 or more,
    and the smallest of which there are more: the same two as of a list of an even length, the same
    one of an odd length. A rounding does not decide between them.
    """
    order = np.argsort(values)
    reached = zeros + np.cumsum(times[order])
    half, slack = 0.5 * reached[-1], 1e-12 * reached[-1]
    at = np.array([half - slack, half + slack])
    places = np.minimum(np.searchsorted(reached, at), order.size - 1)
    return np.where(zeros >= at, 0.0, values[order[places]])


@lru_cache(maxsize=4)
def _below_the_diagonal(n: int) -> Array:
    """Where i > j: a megabyte of 1000 rows, and a search asks for few sizes again and again."""
    mask = np.tri(n, k=-1, dtype=bool)
    mask.setflags(write=False)  # fits of other threads have the same
    return mask


def _median_root(squares: FloatArray) -> float:
    """Median of the square roots, of which only the middle ones are taken."""
    middle = squares.size // 2
    squares.partition(middle)  # for two places at once numpy takes five times as long
    upper = squares[middle]
    lower = upper if squares.size % 2 else squares[:middle].max()
    return float(np.mean(np.sqrt(np.maximum([lower, upper], 0.0))))


def typical_distance(X: Column, rng: np.random.Generator, weights: Column | None = None) -> float:
    """Median distance of two rows; where most rows are equal, of the different ones there are.

    Of rows that are elsewhere, of those among 50,000. Weights are as of repeated rows; the
    different rows are those of positive weight.
    """
    if median := median_pair_distance(X, rng, weights=weights):
        return median
    if weights is not None:
        most = _LOOKED_AT if isinstance(X, AbstractColumn) else len(X)
        X = X[draw_weighted(weights, most, rng)[0]]
    elif isinstance(X, AbstractColumn):
        X = X[np.sort(rng.choice(len(X), min(len(X), _LOOKED_AT), replace=False))]
    return median_pair_distance(np.unique(X, axis=0), rng)


def gaussian_kernel(A: Array, Z: Array, bandwidth: float = 1.0) -> Array:
    """``exp(-|a - z|^2 / 2s^2)``, seen from the mean of Z: far from 0 squares would cancel."""
    if is_foreign(A):
        return _gaussian_kernel_there(A, Z, bandwidth)
    mean = Z.mean(axis=0)
    A, Z = (A - mean) / bandwidth, (Z - mean) / bandwidth
    K: FloatArray = A @ Z.T
    K -= 0.5 * np.einsum("ij,ij->i", A, A)[:, None]
    K -= 0.5 * np.einsum("ij,ij->i", Z, Z)
    np.minimum(K, 0.0, out=K)
    return np.exp(K, out=K)


def _gaussian_kernel_there(A: Array, Z: Array, bandwidth: float) -> Array:
    """On a device."""
    xp = array_namespace(A)
    mean = xp.mean(Z, axis=0)
    A, Z = (A - mean) / bandwidth, (Z - mean) / bandwidth
    exponent = A @ Z.T - 0.5 * xp.sum(A * A, axis=1)[:, None] - 0.5 * xp.sum(Z * Z, axis=1)
    return xp.exp(xp.clip(exponent, max=0.0))
