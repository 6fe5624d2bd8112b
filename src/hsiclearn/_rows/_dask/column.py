"""A column on the cluster: a handle to the chunks of a Dask array, of which the rows are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any
from uuid import uuid4

import numpy as np
from dask.array import Array as DaskArray
from dask.highlevelgraph import HighLevelGraph
from scipy import sparse

from ..._arrays import Array
from ..._columns import A, AbstractColumn
from .graph import Graph, active_client
from .keeping import kept
from .remote import Part, chosen, made, merged, share
from .shipping import packed

_FEW_NUMBERS = 200_000  # of a sample that is kept when it has been fetched
_SAMPLES = 8
_MOST_IN_PAIRS = 200  # chunks, that make 20,000 tasks


class DaskColumn(AbstractColumn):
    """Chunks of rows. ``array`` has one chunk of columns, and chunks of rows of known lengths."""

    def __init__(
        self, array: DaskArray, *, is_categorical: bool = False, is_kept: bool = True
    ) -> None:
        self.array, self.name, self.client = array, uuid4().hex, active_client()
        self.is_categorical, self.is_kept = is_categorical, is_kept
        self.shape, self.dtype = tuple(int(n) for n in array.shape), array.dtype
        self.is_sparse = sparse.issparse(array._meta)
        self.lengths = np.array(array.chunks[0], dtype=np.int64)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self._fetched: dict[bytes, Array] = {}
        # Of empty chunks nothing is asked.
        self._numbers = [number for number, n in enumerate(self.lengths.tolist()) if n]

    def __str__(self) -> str:
        """Where rows are, for the reason of an engine."""
        where = "kept in memory" if self.is_kept else "made anew in each pass"
        return f"X is {len(self._numbers)} chunks of Dask's, {where}"

    @property
    def public(self) -> Any:
        """The array of Dask."""
        return self.array

    def _key(self, number: Any) -> tuple[Any, ...]:
        return (self.array.name, int(number), *(0,) * (self.ndim - 1))

    def __getitem__(self, rows: slice | Array) -> Array:
        """Few rows that were fetched are kept: samples are asked for again and again."""
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(self.shape[0]))
        rows = np.asarray(rows, dtype=np.intp)
        if rows.size and not 0 <= rows.min() <= rows.max() < self.shape[0]:
            raise IndexError(f"Rows must be in 0 .. {self.shape[0] - 1}. Got {rows}.")
        if rows.size * (self.shape[1] if self.ndim > 1 else 1) > _FEW_NUMBERS:
            return self._fetch(rows)
        key = rows.tobytes()
        if key not in self._fetched:
            if len(self._fetched) >= _SAMPLES:
                self._fetched.pop(next(iter(self._fetched)))
            self._fetched[key] = self._fetch(rows)
        return self._fetched[key].copy()

    def _fetch(self, rows: Array) -> Array:
        order = np.argsort(rows, kind="stable")
        graph, parts = Graph("take", self.client, self.array), []
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

    def map(
        self, make: Callable[..., Array], *others: AbstractColumn, is_kept: bool = True
    ) -> DaskColumn:
        """Computed once and kept, or made anew in each pass."""
        columns: tuple[Any, ...] = (self, *others)

        def of_part() -> Array:
            return make(*(values for column in columns for _, values in column.parts))

        lazy = self.lazily(of_part, make(*(column.empty for column in columns)), "column")
        return DaskColumn(lazy.array.persist()) if is_kept else lazy

    @property
    def empty(self) -> Array:
        """What no rows of it are."""
        none = np.empty((0, *self.shape[1:]), dtype=self.dtype)
        return sparse.csr_array(none) if self.is_sparse else none

    def kept(self) -> DaskColumn:
        """The same rows, in the memory of those who have them."""
        array, is_kept = kept(self.array)
        return DaskColumn(array, is_categorical=self.is_categorical, is_kept=is_kept)

    def lazily(self, task: Callable[[], Array], empty: Array, name: str) -> DaskColumn:
        """What a task makes of the rows of each chunk, computed when it is asked for.

        ``empty`` is what it makes of none.
        """
        data, columns, parts = self._parts(task)
        label, token = f"hsic-{name}-{uuid4().hex}", (0,) * (empty.ndim - 1)
        tasks: dict[Any, Any] = {f"task-{label}": data}
        for number, part in enumerate(parts):
            blocks = (column._key(number) for column in columns.values())
            key = (label, number, *token)
            tasks[key] = (made, f"task-{label}", part, list(columns), empty, *blocks)
        arrays = [column.array for column in columns.values()]
        graph = HighLevelGraph.from_collections(label, tasks, dependencies=arrays)
        chunks = (self.array.chunks[0], *((n,) for n in empty.shape[1:]))
        return DaskColumn(DaskArray(graph, label, chunks, meta=empty))

    def _parts(self, task: Callable[[], Any]) -> tuple[bytes, dict[str, Any], list[Part]]:
        """A task as bytes, the columns it uses, and all chunks."""
        data, columns = packed(task)
        columns.setdefault(self.name, self)
        shapes = {name: column.shape for name, column in columns.items()}
        pairs = enumerate(zip(self.starts.tolist(), self.lengths.tolist(), strict=True))
        return data, columns, [Part(k, start, n, shapes) for k, (start, n) in pairs]

    def fold(self, task: Callable[[slice, Array], A], merge: Callable[[A, A], A], name: str) -> A:
        """One pass over the chunks."""
        return self.fold_shares(partial(_on_place, task, self), merge, name)

    def fold_shares(self, task: Callable[..., A], merge: Callable[[A, A], A], name: str) -> A:
        """``merge`` of what a task answers on every chunk, for rows and for what is beside them.

        The graph has a task for each chunk, whatever the fit did before; what travels is the task
        and its answers.
        """
        return self._fold_over([(number,) for number in self._numbers], task, merge, name)

    def fold_pairs(self, task: Callable[[], A], merge: Callable[[A, A], A], name: str) -> A:
        """The same for every chunk by itself, and then for each with every later one."""
        if len(self._numbers) > _MOST_IN_PAIRS:
            k = len(self._numbers)
            raise ValueError(
                f"All pairs of rows are visited chunk by chunk: {k} chunks make "
                f"{k * (k + 1) // 2} tasks a pass, and at most {_MOST_IN_PAIRS} are taken. "
                "Rechunk X to fewer, or use engine='nystrom'."
            )
        own, both = ((number,) for number in self._numbers), combinations(self._numbers, 2)
        return self._fold_over([*own, *both], task, merge, name)

    def _fold_over(
        self,
        groups: Sequence[tuple[int, ...]],
        task: Callable[[], A],
        merge: Callable[[A, A], A],
        name: str,
    ) -> A:
        data, columns, parts = self._parts(task)
        graph = Graph(name, self.client, *(column.array for column in columns.values()))
        sent, keys = graph.add(_same, data, of="-task"), []
        for group in groups:
            blocks = (column._key(number) for column in columns.values() for number in group)
            keys.append(graph.add(share, sent, [parts[k] for k in group], list(columns), *blocks))
        return graph.compute(graph.tree(merged, packed(merge)[0], keys))


def _same(data: bytes) -> bytes:
    return data


def _on_place(task: Callable[[slice, Array], A], column: Any) -> A:
    """Of a column's own rows: there it is the piece of it that is there."""
    [(place, values)] = column.parts
    return task(place, values)
