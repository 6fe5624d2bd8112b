"""A folder of Parquet files as rows of a fit: some are looked at, all are fitted where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .chunks import Chunks
from .console import Console
from .data import maybe_names
from .fit_options import FitOptions
from .labels import Labels, labels_asked_for
from .sources import AbstractSource
from .tables import Table, TableEncoder, TableError
from .tables._dask import array_of, folded, mean_and_deviation
from .tables.checks import rows_from
from .tables.facts import Facts, draw, most_drawn
from .tables.folder import Folder

_VARIES = 0.5  # the deviation of a standardised column is 1, or 0 where it is constant


class FolderSource(AbstractSource):
    """Rows that stay in their files, and are read whenever a pass over them is made."""

    def __init__(self, folder: Folder, options: FitOptions) -> None:
        self._folder = folder
        _, labelled = labels_asked_for(options)
        folder.read(0, 0, labelled)  # an unknown name is an error before the work
        self._complete = tuple(labelled) if options.drop_missing_target else ()
        self._keep = np.ones(len(folder), dtype=bool)
        for name in self._complete:
            self._keep &= ~folder.read(0, len(folder), [name]).column(name).missing
        facts = self._facts(options)
        drawn = draw(len(folder), most_drawn(len(folder.names)), options.seed)
        self._places = np.union1d(drawn[self._keep[drawn]], facts.rows)
        self._seen = facts.seen
        self.table = folder.take(self._places)
        self.counters = [name for name in folder.names if name in (facts.counters or ())]

    def _facts(self, options: FitOptions) -> Facts:
        """Of columns that may be features or labels."""
        aside = {*maybe_names(options.drop), options.id, options.groups}
        names = [name for name in self._folder.names if name not in aside]
        chunks = self._chunks(len(names))
        return folded(partial(chunks.facts, names), len(chunks.starts) - 1, or_)

    def _chunks(self, n_columns: int) -> Chunks:
        return Chunks(self._folder, self._folder.starts(n_columns), self._complete)

    def _array(
        self, make: Callable[[int], Array], chunks: Chunks, width: int | None, dtype: Any
    ) -> Any:
        lengths = np.add.reduceat(self._keep, chunks.starts[:-1], dtype=np.int64).tolist()
        return array_of(make, lengths, width, dtype)

    @property
    def n_rows(self) -> int:
        return int(np.count_nonzero(self._keep))

    def complete(self, names: Sequence[str], console: Console) -> FolderSource:
        if n_missing := self._keep.size - self.n_rows:
            console.note(f"rows without a label are left out: {n_missing}")
        return self

    def columns(self, names: Sequence[str]) -> Table:
        table = self._folder.read(0, len(self._folder), names)
        return table if self._keep.all() else table.take(self._keep)

    def names_of_rows(self, name: str | None) -> list[str] | None:
        return None  # rows of a folder are counted

    def groups(self, name: str | None) -> Array | None:
        """Numbers instead of names, in the order of these: folds are those of a file."""
        if name is None:
            return None
        column = self.columns([name]).column(name).as_categories()
        order = np.argsort(np.array(column.categories, dtype=str))
        return np.append(np.argsort(order), -1)[column.codes]

    def weighted(self, name: str, console: Console) -> tuple[FolderSource, FloatArray]:
        raise TableError(
            f"A folder that stays in its files takes no --weights: {self.n_rows} rows are too many "
            "to be read here.",
            "Read it in Python as an array of Dask, and pass sample_weight to fit.",
        )

    def places(self) -> AbstractContextManager[None]:
        return rows_from(self._places)

    def learn(
        self, encoder: TableEncoder, features: Table, weights: FloatArray | None = None
    ) -> None:
        with self.places():
            encoder.fit(features)
        for counts in (encoder.imputed_, encoder.blank_):
            counts.update((name, self._seen[name].n_missing) for name in counts)

    def matrix(self, encoder: TableEncoder, looked_at: FloatArray) -> Any:
        """Lazily. What is standardised is so over all rows: the encoder is corrected."""
        chunks = self._chunks(encoder.n_features_out_)
        X = self._array(
            partial(chunks.encoded, encoder), chunks, encoder.n_features_out_, np.float64
        )
        varies = ~np.isnan(encoder.mean_) & (looked_at.std(axis=0) > _VARIES)
        if varies.any():  # chunks that are made from here on are made by the corrected one
            mean, deviation = mean_and_deviation(X)
            encoder.mean_ = np.where(varies, encoder.mean_ + encoder.scale_ * mean, encoder.mean_)
            encoder.scale_ = np.where(varies, encoder.scale_ * deviation, encoder.scale_)
        return X

    def target(self, labels: Mapping[str, Labels]) -> Any:
        if not labels:
            return None
        chunks = self._chunks(len(labels))
        readings = {name: (label.kind, label.classes) for name, label in labels.items()}
        if len(labels) > 1:
            make = partial(chunks.codes, readings)
            return self._array(make, chunks, len(labels), np.int64)
        dtype = next(iter(labels.values())).dtype
        return self._array(partial(chunks.labels, readings, dtype), chunks, None, dtype)

    def title(self, path: Path) -> str:
        return f"{path.name}, {len(self.table)} of {self.n_rows} rows"

    def shown(self, labels: Mapping[str, Labels]) -> Mapping[str, Labels]:
        return {n: replace(label, column=self.table.column(n)) for n, label in labels.items()}
