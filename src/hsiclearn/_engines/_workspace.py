"""Memory that is used again: page faults of fresh tiles cost more than the sums on them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .._arrays import Array

__all__ = ["Memo", "Workspace"]


class Workspace:
    """A few flat buffers of one size, made when first asked for; of no size, None instead.

    Without a size every product is a fresh array, as arrays of other libraries need it.
    """

    def __init__(self, size: int | None = None, dtype: DTypeLike = np.float64) -> None:
        self._size, self._dtype = size, dtype
        self._buffers: dict[int, Array] = {}

    def __getitem__(self, k: int) -> Array | None:
        """Buffer number k."""
        if self._size is None:
            return None
        if k not in self._buffers:
            self._buffers[k] = np.empty(self._size, dtype=self._dtype)
        return self._buffers[k]


class Memo:
    """What was computed on each tile at the last W, so that the next derivative finds it there.

    ``find`` and ``keep`` are called from several threads, each for tiles of its own.
    """

    def __init__(self) -> None:
        self._W: Array | None = None
        self._found: dict[Hashable, Any] = {}
        self._buffers: dict[Hashable, Array] = {}

    def move_to(self, W: Array) -> None:
        """Forget everything that was computed elsewhere; the memory is kept."""
        if self._W is None or not np.array_equal(self._W, W):
            self._W = W.copy()
            self.clear()

    def clear(self) -> None:
        """Forget everything; the memory is kept."""
        self._found = {}

    def buffer(self, key: Hashable, size: int) -> Array:
        """Memory that belongs to one tile."""
        if key not in self._buffers:
            self._buffers[key] = np.empty(size)
        return self._buffers[key]

    def find(self, key: Hashable) -> Any | None:
        """What was kept at this W, if anything."""
        return self._found.get(key)

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a value until W changes."""
        self._found[key] = value
