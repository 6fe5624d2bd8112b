"""Tables to files; the suffix says what a file becomes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import numpy as np

from ..._arrays import Array
from ..._files import replacing
from .errors import TableError, listed, shown
from .reading import suffix_of

WRITTEN = (".csv", ".tsv", ".parquet", ".npy")
"""Suffixes of the files that can be written."""


def write_table(
    columns: Mapping[str, Array], path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write columns to a file, whole or not at all.

    Its name ends with ``.csv``, ``.tsv``, ``.parquet`` or ``.npy``; the last holds numbers alone.
    """
    path = Path(path)
    suffix = suffix_of(path, WRITTEN)
    if suffix == ".npy":
        matrix = _as_matrix(columns)
        with replacing(path, overwrite=overwrite) as file:
            np.save(file, matrix, allow_pickle=False)
        return path
    from ._polars import require_polars, write_frame

    require_polars(f"Writing {path.name}")
    separator = {".csv": ",", ".tsv": "\t"}.get(suffix)
    with replacing(path, overwrite=overwrite) as file:
        write_frame(columns, file, separator)
    return path


def write_csv(columns: Mapping[str, Array], file: IO[bytes]) -> None:
    """Write columns as CSV into an open file."""
    from ._polars import write_frame

    write_frame(columns, file, ",")


def _as_matrix(columns: Mapping[str, Array]) -> Array:
    texts = [
        name for name, values in columns.items() if np.asarray(values).dtype.kind not in "biuf"
    ]
    if texts:
        raise TableError(
            f"An NPY file holds numbers alone, but {listed(map(shown, texts))} holds text.",
            "Write .csv or .parquet instead.",
        )
    return np.column_stack(list(columns.values()))
