"""Distances between pairs of rows, and a kernel of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.spatial.distance import pdist

from .._arrays import Array, FloatArray, array_namespace
from .._columns import AbstractColumn, Column
from .._devices import is_foreign

_LOOKED_AT = 50_000


def median_pair_distance(X: Column, rng: np.random.Generator, max_rows: int = 1000) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j.

    Exact up to ``max_rows`` rows (all distances beyond cost more than a fit does); above, on
    that many rows drawn with ``rng``.
    """
    n = X.shape[0]
    if n < 2:
        return 0.0
    if n > max_rows:
        X = X[np.sort(rng.choice(n, max_rows, replace=False))]
    elif isinstance(X, AbstractColumn):
        X = X[:]
    centred = X - X.mean(axis=0)
    square = np.einsum("ij,ij->i", centred, centred)
    # |x_i - x_j|^2 by one matrix product, some ten times faster than loops.
    full = centred @ centred.T
    full *= -2.0
    full += square
    full += square[:, None]
    median = _median_root(full[_below_the_diagonal(X.shape[0])])
    if median**2 < 1e-10 * float(np.max(np.ptp(X, axis=0))) ** 2:
        # So small beside the spread that the product has rounded it away: once more, from
        # differences, which are slow but exact.
        median = _median_root(pdist(X, "sqeuclidean"))
    return median


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


def typical_distance(X: Column, rng: np.random.Generator) -> float:
    """Median distance of two rows; where most rows are equal, of the different ones there are.

    Of rows that are elsewhere, of those among 50,000.
    """
    if median := median_pair_distance(X, rng):
        return median
    if isinstance(X, AbstractColumn):
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
