"""Where the rows of a fit come from: a table in memory, or one that is looked at and left there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Self

import numpy as np

from .._arrays import Array, FloatArray
from .console import Console
from .data import complete_rows, row_names
from .labels import Labels
from .tables import Table, TableEncoder, row_counters
from .weights import rows_that_count, weights_of


class AbstractSource(ABC):
    """Rows of a fit. ``table`` holds those that are looked at, ``counters`` names of columns."""

    table: Table
    counters: Sequence[str]

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """How many rows are fitted."""

    @abstractmethod
    def complete(self, names: Sequence[str], console: Console) -> Self:
        """The rows that have a value in each of these columns."""

    @abstractmethod
    def columns(self, names: Sequence[str]) -> Table:
        """These columns of all rows."""

    @abstractmethod
    def names_of_rows(self, name: str | None) -> list[str] | None:
        """The column of ``--id``, if rows are told by it."""

    @abstractmethod
    def groups(self, name: str | None) -> Any:
        """The column of ``--groups``, as an estimator takes it."""

    @abstractmethod
    def weighted(self, name: str, console: Console) -> tuple[Self, FloatArray]:
        """The rows that count by the column of ``--weights``, and how much each does."""

    @abstractmethod
    def places(self) -> AbstractContextManager[None]:
        """Messages meanwhile say where rows of ``table`` are in the whole."""

    @abstractmethod
    def learn(
        self, encoder: TableEncoder, features: Table, weights: FloatArray | None = None
    ) -> None:
        """Fit the encoder."""

    @abstractmethod
    def matrix(self, encoder: TableEncoder, looked_at: FloatArray) -> Any:
        """All rows, as the encoder makes them; ``looked_at`` are those of ``table``."""

    @abstractmethod
    def target(self, labels: Mapping[str, Labels]) -> Any:
        """As ``fit`` takes them; several labellings as columns of codes."""

    @abstractmethod
    def title(self, path: Path) -> str:
        """What a page about the rows looked at is called."""

    @abstractmethod
    def shown(self, labels: Mapping[str, Labels]) -> Mapping[str, Labels]:
        """Labels of the rows looked at."""


class TableSource(AbstractSource):
    """A table that is in memory: what is looked at is all there is."""

    def __init__(self, table: Table, counters: Sequence[str] | None = None) -> None:
        self.table = table
        self.counters = row_counters(table) if counters is None else counters

    @property
    def n_rows(self) -> int:
        return len(self.table)

    def complete(self, names: Sequence[str], console: Console) -> TableSource:
        return TableSource(complete_rows(self.table, names, console, "a label"), self.counters)

    def columns(self, names: Sequence[str]) -> Table:
        return self.table.select(names)

    def names_of_rows(self, name: str | None) -> list[str] | None:
        return row_names(self.table, name)

    def groups(self, name: str | None) -> list[str] | None:
        return row_names(self.table, name)

    def weighted(self, name: str, console: Console) -> tuple[TableSource, FloatArray]:
        weights = weights_of(self.table.column(name))
        table, weights = rows_that_count(self.table, weights, console)
        return TableSource(table, self.counters), weights

    def places(self) -> AbstractContextManager[None]:
        return nullcontext()

    def learn(
        self, encoder: TableEncoder, features: Table, weights: FloatArray | None = None
    ) -> None:
        encoder.fit(features, row_weights=weights)

    def matrix(self, encoder: TableEncoder, looked_at: FloatArray) -> FloatArray:
        return looked_at

    def target(self, labels: Mapping[str, Labels]) -> Array | None:
        columns = [label.y for label in labels.values()]
        if len(columns) < 2:
            return columns[0] if columns else None
        return np.column_stack([np.unique(y, return_inverse=True)[1] for y in columns])

    def title(self, path: Path) -> str:
        return path.name

    def shown(self, labels: Mapping[str, Labels]) -> Mapping[str, Labels]:
        return labels
