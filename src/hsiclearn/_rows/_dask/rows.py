"""Rows of a table on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._columns import AbstractColumn
from .._base import Block, Elsewhere, batches
from ..blocks import BlockRows
from .column import DaskColumn
from .graph import check_workers
from .reading import is_frame, read_column, read_table


class DaskRows(BlockRows):
    """Rows of a Dask collection: sums over them are made where they are, chunk by chunk."""

    def __init__(self, X: Any) -> None:
        check_workers()
        table = read_table(X)
        self.names = _names(X)
        self._X: AbstractColumn = table
        self.n_samples, self.n_features = table.shape
        self.is_sparse = table.is_sparse
        self.dtype = np.dtype(np.float32 if table.dtype == np.float32 else np.float64)

    @property
    def elsewhere(self) -> Elsewhere | None:
        return self._X if isinstance(self._X, DaskColumn) else None

    def beside(self, values: Any, name: str) -> DaskColumn:
        assert isinstance(self._X, DaskColumn)
        return read_column(values, self._X, name)

    def rowwise(self, make: Callable[[slice, FloatArray], Array], empty: Array) -> DaskColumn:
        assert isinstance(self._X, DaskColumn)

        def task() -> Array:
            return np.concatenate(list(self._made(make)))

        return self._X.lazily(task, empty, "rowwise")

    def _raw(self, size: int) -> Iterator[tuple[slice, Block]]:
        """Of the parts that are here, in a task that was sent to them."""
        for place, values in self._X.parts:  # type: ignore[attr-defined]
            for rows in batches(values.shape[0], size):
                yield slice(place.start + rows.start, place.start + rows.stop), values[rows]

    def _chosen(self, index: Array) -> Iterator[tuple[slice, Block]]:
        """All at once: they are few, or they would not be asked for."""
        yield slice(0, len(index)), self._finish(self._X[index])


def _names(X: Any) -> list[str] | None:
    """As scikit-learn has it: names that are strings."""
    names = list(X.columns) if is_frame(X) else []
    return names if names and all(isinstance(name, str) for name in names) else None
