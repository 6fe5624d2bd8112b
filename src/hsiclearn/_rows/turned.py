"""Rows in other coordinates, ``X B``, made a chunk at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from operator import iadd
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._arrays import Array, FloatArray
from .._devices import Placed, in_dtype, is_foreign
from ._base import CHUNK, AbstractRows, Block, Elsewhere

if TYPE_CHECKING:
    from .device import DeviceRows

A = TypeVar("A")

_COPIES = 6  # of a chunk that a task may make on a device
_LOST = 1e-9  # of a sum: digits that may be lost where it is turned in place of the rows


class _OfOthers(AbstractRows):
    """Rows that are made of chunks of other rows, wherever those are."""

    _rows: AbstractRows

    @property
    def elsewhere(self) -> Elsewhere | None:
        return self._rows.elsewhere

    @property
    def on_device(self) -> DeviceRows | None:
        return self._rows.on_device

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
        """See ``AbstractRows.fold``; on a device in chunks that it has memory for."""
        if self.on_device is None:
            return super().fold(task, merge, size=size, start=start, finish=finish, name=name)

        def made(place: slice, block: Block) -> A:
            return task(place, self._made_of(block))

        return self._rows.fold(made, merge, size=size, start=start, finish=finish, name=name)

    def _made(self, make: Callable[[slice, Array], Array]) -> Iterator[Array]:
        there = self.on_device
        if there is None:
            return super()._made(make)
        size = there.rows_within(_COPIES * max(self.n_features, there.n_features))
        return (make(rows, in_dtype(block, np.float64)) for rows, block in self.chunks(size))

    @abstractmethod
    def _made_of(self, block: Block) -> Block:
        """A chunk as it is seen, from one of the other rows."""

    def _raw(self, size: int) -> Iterator[tuple[slice, Any]]:
        return self._rows._raw(size)

    def _finish(self, raw: Any) -> Block:
        return self._made_of(self._rows._finish(raw))


class TurnedRows(_OfOthers):
    """``X B`` of rows that are too many to be copied, sparse, mapped or streamed; dense chunks.

    A chunk costs ``2 d^2`` operations a row more, beside those of a sum over its features.
    """

    def __init__(self, rows: AbstractRows, B: FloatArray, origin: FloatArray | None = None) -> None:
        self._rows, self._B = rows, B
        self._placed_B, self._placed_origin = Placed(B), Placed(origin)
        self.n_samples, self.n_features = rows.n_samples, B.shape[1]
        self.dtype, self.origin = rows.dtype, origin

    def at(self, place: slice | Array) -> Block:
        return self._made_of(self._rows.at(place))

    def _made_of(self, block: Block) -> Block:
        B = self._placed_B.beside(block) if is_foreign(block) else self._B
        turned = self._rows.project(block, B)
        if self.origin is None:
            return turned
        return turned - self._placed_origin.beside(turned, self.dtype)

    def take(self, index: Array) -> FloatArray:
        rows = self._rows.take(index) @ self._B
        return rows if self.origin is None else rows - self.origin

    def subset(self, index: Array) -> AbstractRows:
        rows = self._rows.subset(index).turned(self._B)
        return rows if self.origin is None else rows.moved(self.origin)

    def centered(self, origin: FloatArray) -> TurnedRows:
        return TurnedRows(self._rows, self._B, origin)

    def keep_columns(self, mask: Array) -> TurnedRows:
        assert self.origin is None
        return TurnedRows(self._rows, self._B[:, mask])

    def turned(self, B: FloatArray) -> TurnedRows:
        return (
            TurnedRows(self, B) if self.origin is not None else TurnedRows(self._rows, self._B @ B)
        )

    def unturned(self) -> AbstractRows:
        """By chunks as they were, where B is so far from singular that sums bear it.

        ``B'MB`` of a sum M is off by the rounding unit times the square of the condition of B.
        """
        sizes = np.linalg.svd(self._B, compute_uv=False)
        lost = float(np.finfo(self.dtype).eps) * (sizes[0] / max(sizes[-1], 1e-300)) ** 2
        if self._rows.is_sparse or lost > _LOST or self._B.shape[0] != self.n_features:
            return self
        if self.origin is None:
            return UnturnedRows(self._rows, self._B)
        shift: FloatArray = np.linalg.solve(self._B.T, self.origin).astype(np.float64)
        return UnturnedRows(self._rows.moved(shift), self._B)


class UnturnedRows(_OfOthers):
    """``X B`` for sums over rows: chunks are those of X, what is made of them is turned."""

    def __init__(self, rows: AbstractRows, B: FloatArray) -> None:
        self._rows, self._B, self._placed_B = rows, B, Placed(B)
        self.n_samples, self.n_features = rows.n_samples, B.shape[1]
        self.dtype = rows.dtype

    @property
    def width(self) -> int:
        return self._B.shape[0]

    def whole(self, block: Block) -> Block:
        return block @ self._placed_B.beside(block)

    def whole_sum(self, M: FloatArray) -> FloatArray:
        return np.asarray(self._B.T @ M @ self._B)

    def project(self, block: Block, W: Array) -> Array:
        return self._rows.project(block, self._placed_B.beside(W) @ W)

    def transposed_there(self, block: Block, V: Array) -> Array:
        product = self._rows.transposed_there(block, V)
        return self._placed_B.beside(product).T @ product

    def sizes_before(self) -> FloatArray:
        """The largest entry of every column of X, of the first few thousand rows."""
        few = self._rows.take(np.arange(min(self.n_samples, CHUNK)))
        return np.abs(few).max(axis=0)

    @property
    def _turned(self) -> TurnedRows:
        return TurnedRows(self._rows, self._B)

    def at(self, place: slice | Array) -> Block:
        return self._turned.at(place)

    def _made_of(self, block: Block) -> Block:
        return block

    def take(self, index: Array) -> FloatArray:
        return self._turned.take(index)

    def subset(self, index: Array) -> AbstractRows:
        return self._turned.subset(index)

    def gram(self, weights: FloatArray | None = None) -> FloatArray:
        return self._turned.gram(weights)

    def inner_products(self) -> FloatArray:
        return self._turned.inner_products()

    def centered(self, origin: FloatArray) -> AbstractRows:
        return self._turned.centered(origin)

    def keep_columns(self, mask: Array) -> AbstractRows:
        return self._turned.keep_columns(mask)

    def turned(self, B: FloatArray) -> AbstractRows:
        return self._turned.turned(B)
