"""Rows in blocks, whoever has them: how a block is seen, and what is made of chosen rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from copy import copy
from typing import Any, Self

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ._base import AbstractRows, Block
from .tables import ArrayRows, SparseRows
from .turned import TurnedRows


class BlockRows(AbstractRows):
    """Blocks of any number of rows, all dense or all sparse, that are not copied as a whole."""

    _mask: Array | None = None

    @abstractmethod
    def _chosen(self, index: Array) -> Iterator[tuple[slice, Block]]:
        """Chosen rows in parts, as chunks show them, each with its place among the chosen ones."""

    def _finish(self, raw: Block) -> Block:
        part = raw if self._mask is None else raw[:, self._mask]
        if self.is_sparse or self.origin is None:
            return part.astype(self.dtype, copy=False)
        return np.subtract(part, self.origin.astype(self.dtype), dtype=self.dtype)

    def take(self, index: Array) -> FloatArray:
        out = np.empty((len(index), self.n_features))
        for inside, part in self._chosen(index):
            out[inside] = part.toarray() if self.is_sparse else part
        return out if not self.is_sparse or self.origin is None else out - self.origin

    def subset(self, index: Array) -> AbstractRows:
        if not self.is_sparse:
            return ArrayRows(self.take(index).astype(self.dtype, copy=False))
        return SparseRows(sparse.vstack([part for _, part in self._chosen(index)]), self.origin)

    def centered(self, origin: FloatArray) -> Self:
        return self._with(origin=origin)

    def keep_columns(self, mask: Array) -> Self:
        kept = np.flatnonzero(mask)
        return self._with(
            _mask=kept if self._mask is None else self._mask[kept], n_features=kept.size
        )

    def turned(self, B: FloatArray) -> TurnedRows:
        return TurnedRows(self, B)

    def _with(self, **changes: Any) -> Self:
        """A twin that need not count the rows again."""
        twin = copy(self)
        vars(twin).update(changes)
        return twin
