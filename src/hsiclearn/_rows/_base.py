"""What a table of rows is to a sum over rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import reduce
from operator import iadd
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column
from .._devices import beside, in_dtype, is_foreign, to_host
from .._threads import map_in_order
from .._weights import total_weight

if TYPE_CHECKING:
    from .device import DeviceRows

A = TypeVar("A")

Block = Any
"""Some rows: an ndarray, an array on a device, or a CSR matrix or array."""

CHUNK = 8192
"""Rows: large enough to keep a core busy, small enough for 50 columns to fit a cache."""

_NUMBERS = 2**20  # of a block in double precision


def batches(n: int, size: int) -> Iterator[slice]:
    """``n`` rows in order, ``size`` at a time."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def weighted_gram(block: Block, weights: FloatArray | None) -> FloatArray:
    """``x' diag(weights) x`` of a chunk, dense, in float64."""
    if isinstance(block, np.ndarray):
        right = block if weights is None else weights[:, None] * block
        return np.asarray(block.T @ right.astype(block.dtype, copy=False), dtype=np.float64)
    if is_foreign(block):
        x = in_dtype(block, np.float64)
        return to_host(x.T @ (x if weights is None else beside(weights, x)[:, None] * x))
    right = block if weights is None else block.multiply(weights[:, None])
    return np.asarray((block.T @ right).toarray(), dtype=np.float64)


class Elsewhere(Protocol):
    """Who has the rows of a table that is not here, and runs tasks beside them."""

    def fold_shares(self, share: Callable[[], A], merge: Callable[[A, A], A], name: str) -> A:
        """``merge`` of what a task answers wherever there are rows, in the order of these.

        There it finds its own rows in the place of all.
        """

    def fold_pairs(self, share: Callable[[], A], merge: Callable[[A, A], A], name: str) -> A:
        """The same of every part of the rows by itself, and then of every two of them together."""


class AbstractRows(ABC):
    """A table of n_samples x n_features numbers that is visited in chunks of rows.

    ``dtype`` is float32 where the rows are stored so, float64 otherwise: chunks come in it and
    are never written to. ``origin`` is subtracted from every row of a dense chunk (differences
    do not see it, but rounding does); a sparse chunk would lose its zeros and stays as it is,
    so projections have it subtracted instead, by :meth:`project`.
    """

    n_samples: int
    n_features: int
    dtype: np.dtype[Any]
    is_sparse: bool = False
    origin: FloatArray | None = None
    names: list[str] | None = None
    """Of the columns, where the rows have them."""

    @property
    def is_mapped(self) -> bool:
        """Whether the rows are those of a file, read when they are asked for."""
        return False

    @property
    def elsewhere(self) -> Elsewhere | None:
        """Who has the rows, unless they are read here."""
        return None

    @property
    def on_device(self) -> DeviceRows | None:
        """The rows on a device that these are made of, where they are: chunks are arrays there."""
        return None

    def at(self, place: slice | Array) -> Block:
        """Rows on their device, as chunks show them: consecutive ones, or those of an index."""
        raise TypeError(f"{self!r} is not on a device.")

    def beside(self, values: Any, name: str) -> Any:
        """Values of all rows, one or several each, where the rows are; ``name`` is of an error."""
        return values

    @abstractmethod
    def _raw(self, size: int) -> Iterator[tuple[slice, Any]]:
        """Places of at most ``size`` consecutive rows, each with what :meth:`_finish` needs."""

    @abstractmethod
    def _finish(self, raw: Any) -> Block:
        """A chunk as it is seen: in the right dtype, its columns chosen, ``origin`` subtracted."""

    def chunks(self, size: int = CHUNK) -> Iterator[tuple[slice, Block]]:
        """Consecutive rows, at most ``size`` at a time, with the place they have in the table."""
        for rows, raw in self._raw(size):
            yield rows, self._finish(raw)

    @abstractmethod
    def take(self, index: Array) -> FloatArray:
        """Chosen rows (ascending index) as a dense float64 array, ``origin`` subtracted."""

    def part(self, rows: slice) -> FloatArray:
        """Consecutive rows as a dense float64 array, ``origin`` subtracted."""
        return self.take(np.arange(rows.start, rows.stop))

    def blocks(self) -> Iterator[FloatArray]:
        """All rows in dense float64 arrays, one after the other, ``origin`` subtracted."""
        size = max(1, _NUMBERS // self.n_features)
        return (self.part(rows) for rows in batches(self.n_samples, size))

    @abstractmethod
    def subset(self, index: Array) -> AbstractRows:
        """Chosen rows (ascending index), in memory."""

    @abstractmethod
    def centered(self, origin: FloatArray) -> AbstractRows:
        """The same rows seen from another origin."""

    @abstractmethod
    def keep_columns(self, mask: Array) -> AbstractRows:
        """The same rows with some columns only."""

    @abstractmethod
    def turned(self, B: FloatArray) -> AbstractRows:
        """The same rows in other coordinates, ``X B``."""

    def project(self, block: Block, W: FloatArray) -> Array:
        """``(x - origin)' W`` for the rows of a chunk, dense, in the dtype of the rows."""
        projected = block @ beside(W, block, self.dtype)
        if self.is_sparse and self.origin is not None:
            projected = projected - (self.origin @ W).astype(self.dtype)
        return projected

    def transposed(self, block: Block, V: FloatArray) -> FloatArray:
        """``sum_i (x_i - origin) v_i'`` over the rows of a chunk, in float64, on the host."""
        return to_host(self.transposed_there(block, V))

    def transposed_there(self, block: Block, V: Array) -> Array:
        """The same where the chunk is."""
        if is_foreign(block):
            return in_dtype(block, np.float64).T @ beside(V, block, np.float64)
        product = np.asarray(block.T @ V.astype(block.dtype, copy=False), dtype=np.float64)
        if self.is_sparse and self.origin is not None:
            product -= np.outer(self.origin, V.sum(axis=0))
        return product

    def unturned(self) -> AbstractRows:
        """The same rows by chunks in other columns, where it is sums that can be turned."""
        return self

    @property
    def width(self) -> int:
        """The columns of a chunk: ``n_features``, but of rows that are not turned."""
        return self.n_features

    def whole(self, block: Block) -> Block:
        """A chunk in the columns of the table."""
        return block

    def whole_sum(self, M: FloatArray) -> FloatArray:
        """A sum of products of two columns of chunks, ``(..., width, width)``, in the table's."""
        return M

    def map(self, task: Callable[[slice, Block], Any], size: int = CHUNK) -> Iterator[Any]:
        """Apply a task to every chunk, in threads; the answers come in the order of the rows."""

        def run(chunk: tuple[slice, Any]) -> Any:
            rows, raw = chunk
            return task(rows, self._finish(raw))  # in the thread: reading is all that is serial

        return map_in_order(run, self._raw(size))

    def fold(
        self,
        task: Callable[[slice, Block], A],
        merge: Callable[[A, A], A] = iadd,
        *,
        size: int = CHUNK,
        start: Callable[[], A] | None = None,
        finish: Callable[[A], A] | None = None,
        name: str = "sum",
    ) -> A:
        """``merge`` of the answers of a task on all chunks, in the order of the rows.

        It may give up its first argument, and begins with ``start()`` where there is one. Rows that
        are elsewhere are visited there, and what comes back is one answer, whatever their number:
        ``finish`` makes it small first. ``name`` is what is seen of it on the way.
        """

        def share() -> A:
            parts = self.map(task, size)
            total = reduce(merge, parts, next(parts) if start is None else start())
            return total if finish is None else finish(total)

        where = self.elsewhere
        return share() if where is None else where.fold_shares(share, merge, name)

    def rowwise(self, make: Callable[[slice, FloatArray], Array], empty: Array) -> Any:
        """What is made of dense blocks of rows, one after the other; ``empty`` of none.

        Of rows that are elsewhere it stays there, and is made when it is asked for.
        """
        parts = list(self._made(make))
        return np.concatenate(parts) if parts else empty

    def _made(self, make: Callable[[slice, FloatArray], Array]) -> Iterator[Array]:
        size = max(1, _NUMBERS // self.n_features)
        for rows, block in self.chunks(size):
            dense = block if isinstance(block, np.ndarray) else block.toarray()
            yield make(rows, dense.astype(np.float64, copy=False))

    def __matmul__(self, V: FloatArray) -> FloatArray:
        """``X V`` (n, k), in float64; of rows in memory, or few."""
        out = np.empty((self.n_samples, V.shape[1]))

        def task(rows: slice, block: Block) -> None:
            out[rows] = to_host(self.project(block, V))

        for _ in self.map(task):
            pass
        return out

    def transpose_times(self, V: FloatArray) -> FloatArray:
        """``X' V`` (d, k) for V of shape (n, k), in float64."""
        return self.fold(lambda rows, block: self.transposed(block, V[rows]), name="product")

    def mean(self, weights: Column | None = None) -> FloatArray:
        """Mean of the rows, seen from the origin."""

        def task(place: slice, block: Block) -> FloatArray:
            if weights is not None:
                return self.transposed(block, weights[place][:, None])
            return self.transposed(block, np.ones((block.shape[0], 1)))

        n = self.n_samples if weights is None else total_weight(weights)
        return self.fold(task, name="mean")[:, 0] / n

    @property
    def shape(self) -> tuple[int, int]:
        """``(n_samples, n_features)``."""
        return self.n_samples, self.n_features

    def moved(self, shift: FloatArray) -> AbstractRows:
        """The same rows with a further shift subtracted."""
        return self.centered(shift if self.origin is None else shift + self.origin)

    def from_mean(self) -> AbstractRows:
        """The same rows seen from their mean."""
        return self.moved(self.mean())

    def inner_products(self) -> FloatArray:
        """``X X'`` (n, n) of few rows in memory, seen from the origin."""
        [X] = [block for _, block in self.chunks(self.n_samples)]
        return to_host(X @ X.T).astype(np.float64, copy=False)

    def isometric(self) -> FloatArray:
        """Few rows, dense, with the same distances, in no more columns than there are rows.

        ``X X' = V diag(l) V'`` has the same inner products as ``V diag(l)^1/2``; X from its mean.
        """
        if self.n_features <= self.n_samples:
            return self.take(np.arange(self.n_samples))
        values, vectors = np.linalg.eigh(self.from_mean().inner_products())
        return vectors * np.sqrt(np.maximum(values, 0.0))

    def gram(self, weights: Column | None = None) -> FloatArray:
        """``X' diag(weights) X`` (d, d), in float64."""

        def task(rows: slice, block: Block) -> FloatArray:
            some = None if weights is None else weights[rows]
            gram = weighted_gram(block, some)
            if self.is_sparse and self.origin is not None:
                u = np.ones(block.shape[0]) if some is None else some
                cross = np.outer(block.T @ u, self.origin)
                gram += u.sum() * np.outer(self.origin, self.origin) - cross - cross.T
            return gram

        return self.fold(task, name="gram")

    def __repr__(self) -> str:
        """The size of the table."""
        return f"{type(self).__name__}({self.n_samples} x {self.n_features}, {self.dtype})"
