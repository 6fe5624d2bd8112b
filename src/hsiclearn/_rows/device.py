"""Rows that are an array of another library, on its device: torch, CuPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from operator import iadd
from typing import Any, Self, TypeVar

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._devices import (
    Placed,
    beside,
    in_dtype,
    memory_budget,
    name_of_device,
    numpy_dtype,
    to_host,
    within_memory,
)
from ._base import CHUNK, AbstractRows, batches
from .turned import TurnedRows

A = TypeVar("A")

_COPIES = 6  # of a chunk that a task may make, in double precision
_FEWEST, _MOST = 1024, 2**20  # rows at a time


class DeviceRows(AbstractRows):
    """An array on a device. Chunks are parts of it, there; the table as a whole is never copied.

    What tasks make of chunks stays on the device until it is small; samples of a fixed number of
    rows come to the host by :meth:`take`. ``budget`` are bytes that sums may take beside X, by
    default a quarter of what is free. Where an allocation fails all the same, a pass begins anew
    with half the rows at a time.
    """

    def __init__(self, X: Array, *, budget: int | None = None) -> None:
        X = X.detach() if hasattr(X, "detach") else X  # no sum is to be differentiated
        self._X, self._columns, self._budget = X, None, budget
        self.n_samples, self.n_features = (int(size) for size in X.shape)
        self.dtype = np.dtype(np.float32 if numpy_dtype(X) == np.float32 else np.float64)

    @property
    def like(self) -> Array:
        """An array of no rows of it: of its library, on its device, in its dtype."""
        return in_dtype(self._X[:0, ...], self.dtype)

    @property
    def on_device(self) -> DeviceRows:
        return self

    @property
    def where(self) -> str:
        """The device, in words."""
        return name_of_device(self._X)

    @cached_property
    def budget(self) -> int:
        """Bytes that sums may take beside X."""
        return memory_budget(self._X) if self._budget is None else self._budget

    def rows_within(self, numbers: int, *, most: int = _MOST) -> int:
        """How many rows at a time, of each of which a task makes so many double numbers."""
        return int(np.clip(self.budget // (8 * max(numbers, 1)), _FEWEST, most))

    def _raw(self, size: int) -> Iterator[tuple[slice, Array]]:
        return ((rows, self._X[rows, ...]) for rows in batches(self.n_samples, size))

    def _finish(self, raw: Array) -> Array:
        block = in_dtype(raw, self.dtype)
        if self._columns is not None:
            columns = self._placed_columns.beside(block, np.int64)
            block = array_namespace(block).take(block, columns, axis=1)
        return block if self.origin is None else block - self._placed_origin.beside(block)

    @cached_property
    def _placed_columns(self) -> Placed:
        return Placed(self._columns)

    @cached_property
    def _placed_origin(self) -> Placed:
        return Placed(self.origin)

    def map(self, task: Callable[[slice, Array], Any], size: int = CHUNK) -> Iterator[Any]:
        """One chunk after the other: the device has threads of its own."""
        return (task(rows, self._finish(raw)) for rows, raw in self._raw(size))

    def fold(
        self,
        task: Callable[[slice, Array], A],
        merge: Callable[[A, A], A] = iadd,
        *,
        size: int | None = None,
        start: Callable[[], A] | None = None,
        finish: Callable[[A], A] | None = None,
        name: str = "sum",
    ) -> A:
        """As many rows at a time as the device has memory for; ``size`` is of caches of the host.

        A task that needs more than some copies of its chunk cuts it itself: see ``rows_within``.
        """

        def run(rows: int) -> A:
            again = super(DeviceRows, self).fold
            return again(task, merge, size=rows, start=start, finish=finish, name=name)

        most = self.rows_within(_COPIES * self.n_features)
        return within_memory(run, min(most, max(self.n_samples, 1)), _FEWEST)

    def at(self, place: slice | Array) -> Array:
        if isinstance(place, slice):
            return self._finish(self._X[place, ...])
        where = beside(place, self._X, np.int64)
        return self._finish(array_namespace(self._X).take(self._X, where, axis=0))

    def take(self, index: Array) -> FloatArray:
        return to_host(self.at(index)).astype(np.float64)

    def projected(self, W: Array) -> Array:
        """``X W`` (n, k) on the device, in the dtype of the rows; W of the host or of there."""

        def run(size: int) -> Array:
            parts = [self.project(block, W) for _, block in self.chunks(size)]
            return parts[0] if len(parts) == 1 else array_namespace(parts[0]).concat(parts, axis=0)

        most = self.rows_within(_COPIES * self.n_features)
        return within_memory(run, min(most, max(self.n_samples, 1)), _FEWEST)

    def subset(self, index: Array) -> DeviceRows:
        return DeviceRows(self.at(index), budget=self._budget)

    def _made(self, make: Callable[[slice, FloatArray], Array]) -> Iterator[Array]:
        size = self.rows_within(_COPIES * self.n_features)
        return (make(rows, in_dtype(block, np.float64)) for rows, block in self.chunks(size))

    def centered(self, origin: FloatArray) -> Self:
        return self._with(origin=origin)

    def keep_columns(self, mask: Array) -> Self:
        assert self.origin is None
        kept = np.flatnonzero(mask)
        columns = kept if self._columns is None else self._columns[kept]
        return self._with(_columns=columns, n_features=int(kept.size))

    def turned(self, B: FloatArray) -> TurnedRows:
        return TurnedRows(self, B)

    def _with(self, **changes: Any) -> Self:
        twin = copy(self)
        for name in ("_placed_columns", "_placed_origin"):
            vars(twin).pop(name, None)
        vars(twin).update(changes)
        return twin
