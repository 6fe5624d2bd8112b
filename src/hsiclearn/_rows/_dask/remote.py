"""What runs beside the rows: a share of a task, and the merge of two or more. No Dask in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from scipy import sparse

from ..._arrays import Array
from ..._columns import A, AbstractColumn
from ..._threads import one_of_many, single_threaded_blas
from .shipping import unpacked


class Piece(AbstractColumn):
    """The rows of a column that are here, under the numbers they have in the whole."""

    def __init__(
        self, shape: tuple[int, ...], places: Sequence[slice], blocks: Sequence[Array]
    ) -> None:
        self.name, self.parts = "", list(zip(places, blocks, strict=True))
        self.shape, self.dtype = shape, blocks[0].dtype  # the shape of the whole
        self.is_sparse = sparse.issparse(blocks[0])

    def __getitem__(self, rows: slice | Array) -> Array:
        first = rows.start if isinstance(rows, slice) else int(rows[0])
        place, values = next(part for part in self.parts if part[0].start <= first < part[0].stop)
        if isinstance(rows, slice):
            return values[rows.start - place.start : rows.stop - place.start]
        return values[rows - place.start]

    def map(
        self, make: Callable[..., Array], *others: AbstractColumn, is_kept: bool = True
    ) -> AbstractColumn:
        """Only of the whole."""
        raise _of_the_whole()

    def kept(self) -> AbstractColumn:
        """Only of the whole."""
        raise _of_the_whole()

    def fold(self, task: Callable[[slice, Array], A], merge: Callable[[A, A], A], name: str) -> A:
        """Only of the whole."""
        raise _of_the_whole()


def _of_the_whole() -> RuntimeError:
    return RuntimeError("Beside the rows nothing can be asked of all of them: make it before.")


@dataclass(frozen=True)
class Part:
    """One chunk: its number, the place of its rows, and by name the shape of each column.

    An error names it.
    """

    number: int
    start: int
    n_rows: int
    shapes: dict[str, tuple[int, ...]]

    def __str__(self) -> str:
        return f"chunk {self.number} (rows {self.start} to {self.start + self.n_rows - 1})"


def share(task: bytes, parts: Sequence[Part], names: Sequence[str], *blocks: Any) -> Any:
    """What a task answers on one chunk, or on two; blocks of each come one after the other."""
    places = [slice(part.start, part.start + part.n_rows) for part in parts]
    checked = [
        [_checked(block, part, name) for part, block in zip(parts, some, strict=True)]
        for name, some in zip(names, _grouped(blocks, len(parts)), strict=True)
    ]
    pieces = {
        name: Piece(parts[0].shapes[name], places, some)
        for name, some in zip(names, checked, strict=True)
    }
    try:
        with one_of_many(), single_threaded_blas():
            return unpacked(task, pieces)()
    except ValueError as error:
        raise _named(error, f"In {' and '.join(map(str, parts))}: {error}") from error


def _named(error: ValueError, message: str) -> ValueError:
    """Of its own kind, unless that asks for more than a message."""
    try:
        return type(error)(message)
    except TypeError:
        return ValueError(message)


def _grouped(blocks: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [blocks[i : i + size] for i in range(0, len(blocks), size)]


def made(task: bytes, part: Part, names: Sequence[str], empty: Array, *blocks: Any) -> Any:
    """What a task makes of the rows of one chunk; nothing of a chunk without rows."""
    return share(task, [part], names, *blocks) if part.n_rows else empty


def _checked(block: Any, part: Part, name: str) -> Array:
    values = sparse.csr_array(block) if sparse.issparse(block) else np.asarray(block)
    expected = (part.n_rows, *part.shapes[name][1:])
    if values.shape != expected:
        raise ValueError(
            f"Every chunk must have the shape that its collection says. Got {values.shape} in "
            f"{part}, where {expected} was to be."
        )
    return values


def merged(merge: bytes, parts: Sequence[Any]) -> Any:
    """Parts in their order. The first may be given up by the merge, but may be asked for again."""
    return reduce(unpacked(merge, {}), parts[1:], deepcopy(parts[0]))


def chosen(block: Any, index: Array) -> Any:
    """Some rows of a chunk."""
    return sparse.csr_array(block)[index] if sparse.issparse(block) else np.asarray(block)[index]
