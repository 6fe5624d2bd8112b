"""Memory that is used again: page faults of fresh tiles cost more than the sums on them."""

from __future__ import annotations

import numpy as np

from .._arrays import Array

__all__ = ["Workspace"]


class Workspace:
    """A few flat buffers of one size, made when first asked for; of no size, None instead.

    Without a size every product is a fresh array, as arrays of other libraries need it.
    """

    def __init__(self, size: int | None = None) -> None:
        self._size = size
        self._buffers: dict[int, Array] = {}

    def __getitem__(self, k: int) -> Array | None:
        """Buffer number k."""
        if self._size is None:
            return None
        if k not in self._buffers:
            self._buffers[k] = np.empty(self._size)
        return self._buffers[k]
