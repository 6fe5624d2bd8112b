"""Rows in blocks, so that no table in single precision, on disk or sparse is copied as a whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import issparse

from .._arrays import Array, FloatArray

_BLOCK = 2**20  # numbers at a time


def blocks_of(X: Array) -> Iterator[FloatArray]:
    """Some rows after the other, in double precision."""
    size = max(1, _BLOCK // X.shape[1])
    for start in range(0, X.shape[0], size):
        yield take_rows(X, slice(start, start + size))


def take_rows(X: Array, rows: Array | slice) -> FloatArray:
    """Chosen rows, dense and in double precision."""
    some = X[rows]
    return np.asarray(some.toarray() if issparse(some) else some, dtype=np.float64)


def mean_of(X: Array) -> FloatArray:
    """The mean of each column."""
    if issparse(X):
        return np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
    return X.mean(axis=0, dtype=np.float64)


def project_rows(X: Array, W: FloatArray) -> FloatArray:
    """``X W``."""
    if issparse(X):
        return np.asarray(X @ W)
    return np.concatenate([block @ W for block in blocks_of(X)])
