"""Rows to fit, here or where they will be: those of a chunk follow from its number."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from .._types import Array

__all__ = ["KINDS", "in_chunks", "lazy_rows", "planted"]

KINDS = ("classes", "real")
_CUTS = (0.0, 1.0)


def planted(n: int, d: int, kind: str, seed: int = 0) -> tuple[Array, Array]:
    """Single precision; a target of three classes, or a real one, along two directions."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d), dtype=np.float32)
    return X, _target(X, kind, rng)


def _target(X: Array, kind: str, rng: np.random.Generator) -> Array:
    noise = 0.3 * rng.standard_normal(X.shape[0])
    y: Array = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + noise
    return np.digitize(y, _CUTS) if kind == "classes" else y


def in_chunks(X: Array, y: Array, n_chunks: int) -> tuple[Any, Any]:
    """The same as collections of Dask."""
    size = -(-X.shape[0] // n_chunks)
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


def lazy_rows(n: int, d: int, size: int) -> tuple[Any, Any]:
    """Rows and classes that nobody has yet: each chunk is made where it is asked for."""
    lengths = tuple(min(size, n - start) for start in range(0, n, size))
    X = da.map_blocks(
        _rows_of, lengths, d, chunks=(lengths, (d,)), dtype=np.float32, meta=np.empty((0, d), "f4")
    )
    y = X.map_blocks(_classes_of, drop_axis=1, dtype=np.int64, meta=np.empty(0, np.int64))
    return X, y


def _rows_of(lengths: tuple[int, ...], d: int, block_id: tuple[int, ...] = (0, 0)) -> Array:
    rng = np.random.default_rng([0, block_id[0]])
    return rng.standard_normal((lengths[block_id[0]], d), dtype=np.float32)


def _classes_of(block: Array, block_id: tuple[int, ...] = (0,)) -> Array:
    return _target(block, "classes", np.random.default_rng([1, block_id[0]]))
