"""Who works on which block of pairs, and when: blocks of the symmetric half, in threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np

from .._arrays import FloatArray
from .._threads import thread_pool, usable_cores
from ._tile import Workspace

A = TypeVar("A")
B = TypeVar("B")
Sums = tuple[FloatArray, ...]
Block = tuple[slice, slice]
_LARGEST_TILE = 512  # rows; smaller ones spend more on overhead, larger ones leave the cache


class Schedule:
    """Blocks (I, J) with J >= I; the other half follows by symmetry.

    A task is a block of rows against all later ones, and the mirror image of that. Tasks run
    in threads, each with a single-threaded BLAS (threads inside threads are 5-20 times slower),
    and are added up in their order, so that the sum does not depend on the number of threads.
    A block has ``tile_size`` rows, by default at most ``largest_tile``, in even shares.

    With ``split`` the pairs are those of a row before it with one from there on.
    """

    def __init__(
        self,
        n_samples: int,
        tile_size: int | None = None,
        n_threads: int | None = None,
        *,
        largest_tile: int = _LARGEST_TILE,
        split: int | None = None,
    ) -> None:
        largest_tile = min(_LARGEST_TILE, largest_tile)
        self.tile_size = tile_size or _even_tile_size(n_samples, largest_tile)
        ends = [n_samples] if split is None else [split, n_samples]
        cut = [
            [slice(i, min(i + self.tile_size, end)) for i in range(start, end, self.tile_size)]
            for start, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
        self.blocks = cut[0] + cut[-1] if split is not None else cut[0]
        self._n_first = None if split is None else len(cut[0])
        self._n_threads = n_threads or usable_cores()
        self._spare: list[Workspace] = []

    def sum_over(self, task: Callable[[Iterable[Block], Workspace], Sums]) -> Sums:
        """Run a task per pair of block rows and add up what they return, in order."""

        def run(i: int) -> Sums:
            try:
                workspace = self._spare.pop()
            except IndexError:
                workspace = Workspace(self.tile_size**2)
            try:
                return task(self._pair_of_rows(i), workspace)
            finally:
                self._spare.append(workspace)

        half = (len(self.blocks) + 1) // 2
        answers = self.in_threads(run, range(half if self._n_first is None else self._n_first))
        sums = next(answers)
        for answer in answers:
            add_to(sums, answer)
        return sums

    def _pair_of_rows(self, i: int) -> Iterator[Block]:
        """The blocks of block row i and of its mirror, so that every task has as much to do."""
        if self._n_first is not None:
            yield from ((self.blocks[i], cols) for cols in self.blocks[self._n_first :])
            return
        mirror = len(self.blocks) - 1 - i
        for k in (i,) if i == mirror else (i, mirror):
            for cols in self.blocks[k:]:
                yield self.blocks[k], cols

    def in_threads(self, task: Callable[[A], B], tasks: Iterable[A]) -> Iterator[B]:
        """Map over tasks in threads; yield the answers in order."""
        if self._n_threads == 1 or len(self.blocks) <= 2:
            return map(task, tasks)
        return thread_pool(self._n_threads).map(task, tasks)


def add_to(sums: Sums, parts: Sums) -> None:
    """Add up in place."""
    for so_far, part in zip(sums, parts, strict=True):
        np.add(so_far, part, out=so_far)


def _even_tile_size(n: int, largest: int) -> int:
    """At most ``largest``, in a multiple of four blocks: an even share for two or four cores."""
    n_blocks = 4 * -(-n // (4 * largest))
    return -(-n // n_blocks)
