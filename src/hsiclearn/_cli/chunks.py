"""Chunks of a folder: read where they are wanted, and what is made of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .labels import values_of
from .tables import Table, TableEncoder
from .tables.checks import rows_from
from .tables.facts import Facts, counters_of, facts_of
from .tables.folder import Folder

Readings = Mapping[str, tuple[str, Array]]
"""Of columns of labels, by name: what they are taken for, and their classes."""


@dataclass(frozen=True)
class Chunks:
    """Rows from each start to the next, without those that lack a value of ``complete``."""

    folder: Folder
    starts: Array
    complete: tuple[str, ...]

    def facts(self, names: Sequence[str], number: int) -> Facts:
        """What is seen in these columns; rows that are left out count where rows are numbered."""
        start, stop = self.starts[number : number + 2].tolist()
        counters = counters_of(self.folder.read(start, stop, names))
        return facts_of(*self._rows(number, names), counters)

    def encoded(self, encoder: TableEncoder, number: int) -> FloatArray:
        """As columns of numbers."""
        table, places = self._rows(number, encoder.columns_)
        with rows_from(places):
            return encoder.transform(table)

    def labels(self, readings: Readings, dtype: Any, number: int) -> Array:
        """One column of labels."""
        ((name, (kind, _)),) = readings.items()
        table, _ = self._rows(number, [name])
        return values_of(table.column(name), kind).astype(dtype, copy=False)

    def codes(self, readings: Readings, number: int) -> Array:
        """Several columns of labels, by the number of the class."""
        table, _ = self._rows(number, list(readings))
        return np.column_stack(
            [
                np.searchsorted(classes, values_of(table.column(name), kind))
                for name, (kind, classes) in readings.items()
            ]
        )

    def _rows(self, number: int, names: Sequence[str]) -> tuple[Table, Array]:
        """Some columns of a chunk, and where its rows are in the whole."""
        start, stop = self.starts[number : number + 2].tolist()
        table = self.folder.read(start, stop, list(dict.fromkeys([*names, *self.complete])))
        places = np.arange(start, stop)
        if self.complete:
            keep = ~np.any([table.column(name).missing for name in self.complete], axis=0)
            table, places = table.take(keep), places[keep]
        return table.select(names), places
