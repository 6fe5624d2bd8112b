"""A column on the cluster: a handle to the chunks of a Dask array, of which the rows are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
from dask.array import Array as DaskArray
from scipy import sparse

from ..._arrays import Array
from ..._columns import A, AbstractColumn
from .graph import Graph
from .keeping import kept
from .remote import Part, chosen, merged, share
from .shipping import packed


class DaskColumn(AbstractColumn):
    """Chunks of rows. ``array`` has one chunk of columns, and chunks of rows of known lengths."""

    def __init__(self, array: DaskArray, *, is_categorical: bool = False) -> None:
        self.array, self.name, self.is_categorical = array, uuid4().hex, is_categorical
        self.shape, self.dtype = tuple(int(n) for n in array.shape), array.dtype
        self.is_sparse = sparse.issparse(array._meta)
        self.lengths = np.array(array.chunks[0], dtype=np.int64)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self._numbers = np.flatnonzero(self.lengths)  # of empty chunks nothing is asked

    def _key(self, number: Any) -> tuple[Any, ...]:
        return (self.array.name, int(number), *(0,) * (self.ndim - 1))

    def __getitem__(self, rows: slice | Array) -> Array:
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(self.shape[0]))
        order = np.argsort(rows, kind="stable")
        graph, parts = Graph("take", self.array), []
        cuts = np.searchsorted(rows[order], [*self.starts, self.shape[0]])
        for number in self._numbers:
            index = rows[order][cuts[number] : cuts[number + 1]] - self.starts[number]
            if index.size:
                parts.append(graph.add(chosen, self._key(number), index))
        if not parts:
            return self.array._meta[:0]
        found = graph.compute(parts)
        back = np.argsort(order, kind="stable")
        if self.is_sparse:
            return sparse.vstack(found).tocsr()[back]
        return np.concatenate(found)[back]

    def map(self, make: Callable[[Array], Array], *, is_kept: bool = True) -> DaskColumn:
        """Computed once and kept, or made anew in each pass."""
        empty = np.empty((0, *self.shape[1:]), dtype=self.dtype)
        meta = make(sparse.csr_array(empty) if self.is_sparse else empty)
        made = self.array.map_blocks(
            make,
            dtype=meta.dtype,
            chunks=(self.array.chunks[0], *((n,) for n in meta.shape[1:])),
            drop_axis=1 if meta.ndim < self.ndim else None,
            new_axis=1 if meta.ndim > self.ndim else None,
            meta=meta,
            name=f"hsic-column-{uuid4().hex}",
        )
        return DaskColumn(made.persist() if is_kept else made)

    def kept(self) -> DaskColumn:
        """The same rows, in the memory of those who have them."""
        return DaskColumn(kept(self.array)[0], is_categorical=self.is_categorical)

    def fold(self, task: Callable[[slice, Array], A], merge: Callable[[A, A], A], name: str) -> A:
        """One pass over the chunks."""
        return self.fold_shares(partial(_on_place, task, self), merge, name)

    def fold_shares(self, task: Callable[..., A], merge: Callable[[A, A], A], name: str) -> A:
        """``merge`` of what a task answers on every chunk, for rows and for what is beside them.

        The graph has a task for each chunk, whatever the fit did before; what travels is the task
        and its answers.
        """
        data, columns = packed(task)
        columns.setdefault(self.name, self)
        names = list(columns)
        graph = Graph(name, *(column.array for column in columns.values()))
        sent, keys = graph.add(_same, data, of="-task"), []
        shapes = {name: column.shape[1:] for name, column in columns.items()}
        for number in self._numbers:
            part = Part(int(number), int(self.starts[number]), int(self.lengths[number]), shapes)
            blocks = (column._key(number) for column in columns.values())
            keys.append(graph.add(share, sent, part, names, *blocks))
        return graph.compute(graph.tree(merged, packed(merge)[0], keys))


def _same(data: bytes) -> bytes:
    return data


def _on_place(task: Callable[[slice, Array], A], column: Any) -> A:
    """Of a column's own rows: there it is the piece of it that is there."""
    return task(column.place, column.values)
