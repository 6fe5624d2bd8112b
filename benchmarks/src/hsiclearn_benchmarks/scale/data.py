"""Tables of any size with classes planted in them, made the same way every time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .._types import Array, Rows

__all__ = ["N_CLASSES", "planted_rows", "sparse_rows", "wide_rows", "write_rows"]

N_CLASSES = 5
_SHIFT = 0.7  # of the class means, in standard deviations
_TAIL = 2.5  # degrees of freedom of heavy tails
_CHUNK = 100_000  # rows made at a time
_SPARSE_CLASSES = 3
_MARKERS = 40  # columns that tell a class from the others
_MARKED = 0.2  # share of a row's entries that are in them


def planted_rows(
    n: int, d: int, *, noise: str = "normal", informative: int | None = None, seed: int = 0
) -> Rows:
    """Five classes whose means differ in the first ``informative`` columns, by default in all."""
    X, y = np.empty((n, d)), np.empty(n, dtype=np.int64)
    start = 0
    for rows, codes in _blocks(n, d, noise, informative, seed):
        X[start : start + len(codes)], y[start : start + len(codes)] = rows, codes
        start += len(codes)
    return X, y


def wide_rows(n: int, d: int) -> Rows:
    """More columns than rows, a few dozen of them informative."""
    return planted_rows(n, d, informative=_MARKERS)


def write_rows(path: Path, n: int, d: int) -> Array:
    """Write float32 rows to a file, some at a time; their classes."""
    codes = []
    with path.open("wb") as file:
        for rows, some in _blocks(n, d, "normal", None, 0):
            rows.astype(np.float32).tofile(file)
            codes.append(some.astype(np.int8))
    return np.concatenate(codes)


def sparse_rows(n: int, d: int, density: float = 0.002) -> tuple[Any, Array]:
    """A CSR matrix, such as counts of words: every class has columns it prefers."""
    rng = np.random.default_rng(0)
    per_row = max(2, round(density * d))
    y = rng.integers(0, _SPARSE_CLASSES, n)
    columns = rng.integers(0, d, (n, per_row))
    marked = rng.random((n, per_row)) < _MARKED
    preferred = y[:, None] * _MARKERS + rng.integers(0, _MARKERS, (n, per_row))
    columns = np.where(marked, preferred, columns)
    values = np.abs(rng.standard_normal((n, per_row))) + marked
    places = (np.repeat(np.arange(n), per_row), columns.ravel())
    return sparse.coo_array((values.ravel(), places), shape=(n, d)).tocsr(), y


def _blocks(n: int, d: int, noise: str, informative: int | None, seed: int) -> Iterator[Rows]:
    rng = np.random.default_rng(seed)
    means = np.zeros((N_CLASSES, d))
    used = d if informative is None else min(informative, d)
    means[:, :used] = _SHIFT * rng.standard_normal((N_CLASSES, used))
    for start in range(0, n, _CHUNK):
        size = min(_CHUNK, n - start)
        y = rng.integers(0, N_CLASSES, size)
        normal = noise == "normal"
        rows = rng.standard_normal((size, d)) if normal else rng.standard_t(_TAIL, (size, d))
        rows += means[y]
        yield rows, y
