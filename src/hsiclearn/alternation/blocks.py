"""Rows in blocks, so that a table in single precision or on disk is never copied as a whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["blocks_of", "project_rows"]

_BLOCK = 2**20  # numbers at a time


def blocks_of(X: Array) -> Iterator[FloatArray]:
    """Some rows after the other, in double precision."""
    size = max(1, _BLOCK // X.shape[1])
    for start in range(0, X.shape[0], size):
        yield np.asarray(X[start : start + size], dtype=np.float64)


def project_rows(X: Array, W: FloatArray) -> FloatArray:
    """``X W``."""
    return np.concatenate([block @ W for block in blocks_of(X)])
