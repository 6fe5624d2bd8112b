"""Rows that arrive in blocks, from any reader that can be started again; and rows of anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from scipy import sparse

from .._arrays import Array
from .._columns import AbstractColumn
from .._devices import is_foreign, is_on_host, to_host
from ._base import AbstractRows, Block, batches
from ._dask import is_dask
from .blocks import BlockRows
from .device import DeviceRows
from .tables import ArrayRows, SparseRows

_PROBED = 101  # every so many rows are compared between passes


class StreamRows(BlockRows):
    """Blocks of rows from a callable, or from an object that can be iterated again and again.

    Every pass starts the reader anew: one here counts the rows, and later ones are checked against
    it. Blocks are of any number of rows, all dense or all sparse.
    """

    def __init__(self, source: Any) -> None:
        self._start = _as_callable(source)
        self._first: Block | None = None
        types, self._seen = set(), _Probe()
        for block in self._blocks():
            types.add(block.dtype)
            self._seen.add(block)
        if self._first is None:
            raise ValueError("X yielded no block: it must yield arrays of shape (rows, columns).")
        self.n_samples, self.n_features = self._seen.n_rows, self._first.shape[1]
        self.is_sparse = sparse.issparse(self._first)
        self.dtype = np.dtype(np.float32 if types == {np.dtype(np.float32)} else np.float64)

    def _blocks(self) -> Iterator[Block]:
        blocks = self._start()
        if isinstance(blocks, np.ndarray) or sparse.issparse(blocks):
            raise ValueError(
                "X is a function that returns a table. It must yield blocks of rows: write "
                "`yield table`, or pass the table itself."
            )
        for given in blocks:
            block = sparse.csr_array(given) if sparse.issparse(given) else np.asarray(given)
            if block.ndim != 2 or block.dtype.kind not in "fiub":
                raise ValueError(
                    "Every block of X must be a real matrix. "
                    f"Got dtype {block.dtype}, shape {block.shape}."
                )
            self._first = block[:0] if self._first is None else self._first
            _check_like(block, self._first)
            yield block

    def _raw(self, size: int) -> Iterator[tuple[slice, Block]]:
        seen = _Probe()
        for block in self._blocks():
            for rows in batches(block.shape[0], size):
                yield slice(seen.n_rows + rows.start, seen.n_rows + rows.stop), block[rows]
            seen.add(block)
        if seen != self._seen:
            raise ValueError(
                "X must yield the same rows in the same order on every pass. Got "
                f"{self.n_samples} rows first and {seen.n_rows} now, "
                "some of them others: does its reader start from the beginning, without shuffling?"
            )

    def _chosen(self, index: Array) -> Iterator[tuple[slice, Block]]:
        for rows, block in self.chunks():
            inside = slice(*np.searchsorted(index, (rows.start, rows.stop)))
            yield inside, block[index[inside] - rows.start]


@dataclass
class _Probe:
    """How many rows a pass has seen, and a checksum of every 101st of them."""

    n_rows: int = 0
    checksum: int = 0

    def add(self, block: Block) -> None:
        """Go on with the next block, however the rows are cut into blocks."""
        some = block[-self.n_rows % _PROBED :: _PROBED]
        values = some.toarray() if sparse.issparse(some) else some
        data = np.ascontiguousarray(values, dtype=np.float64).tobytes()
        self.checksum = crc32(data, self.checksum)
        self.n_rows += block.shape[0]


def _as_callable(source: Any) -> Callable[[], Iterable[Any]]:
    if callable(source):
        return source
    if iter(source) is source:
        raise ValueError(
            "X is an iterator, which can be read only once, but a fit reads the rows several "
            "times. Pass a callable that returns a fresh iterator, or an object with __iter__."
        )
    return lambda: iter(source)


def _check_like(block: Block, first: Block) -> None:
    ours, theirs = (
        f"a {'sparse' if sparse.issparse(one) else 'dense'} block of {one.shape[1]}"
        for one in (first, block)
    )
    if ours != theirs:
        raise ValueError(
            "The blocks of X must have the same columns and be all dense or all sparse. Got "
            f"{ours} columns first and {theirs} later."
        )


def is_row_source(X: Any) -> bool:
    """Whether X is visited in parts: a callable, an iterable that is no table, or elsewhere.

    Lists stay array-likes, whatever they hold.
    """
    if isinstance(X, AbstractRows) or is_dask(X) or is_foreign(X):
        return True
    if isinstance(X, np.ndarray | list | tuple | str | bytes) or sparse.issparse(X):
        return False
    if hasattr(X, "__array__") or hasattr(X, "shape") or hasattr(X, "__dataframe__"):
        return False
    return callable(X) or isinstance(X, Iterable)


def as_rows(X: Any) -> AbstractRows:
    """Rows of an array, a sparse matrix, a row source or a column; nothing is copied."""
    if isinstance(X, AbstractRows):
        return X
    if sparse.issparse(X):
        return SparseRows(X)
    if is_dask(X) or isinstance(X, AbstractColumn):
        from ._dask.rows import DaskRows

        return DaskRows(X)
    if is_foreign(X):
        return ArrayRows(to_host(X)) if is_on_host(X) else DeviceRows(X)
    if is_row_source(X):
        return StreamRows(X)
    return ArrayRows(X if isinstance(X, np.ndarray) else np.asarray(X))
