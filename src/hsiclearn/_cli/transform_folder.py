"""``hsiclearn transform`` of a folder of Parquet files: chunk by chunk, none of which is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from .._files import replacing
from .console import Console
from .models import open_model, projected, rows_for, text_columns
from .options import TransformOptions
from .outputs import check_outputs, new_folder
from .tables import TableError
from .tables._polars import write_frame
from .tables.checks import rows_from
from .tables.errors import shown
from .tables.folder import Folder
from .wording import plain

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
Part = dict[str, Any]
"""Columns of the answer for some rows."""


def transform_folder(options: TransformOptions) -> None:
    """Load, read, project, write: a folder of Parquet, or text."""
    write = _writer(options)
    console = Console(options.quiet, "transform")
    model, record = open_model(options.model)
    folder = Folder(options.data, text_columns(model, None))
    name = options.id or (None if record is None else record.id)
    if options.id is None and name not in folder.names:
        name = None
    with console.status("Projecting the rows"), console.python_warnings_as_lines():
        write(_parts(model, folder, name))
    if options.output is not None and not options.quiet:
        print(plain(str(options.output)))


def _parts(model: Any, folder: Folder, name: str | None) -> Iterator[Part]:
    """One for each chunk."""
    starts = folder.starts(len(folder.names))
    if len(folder) == 0:
        raise TableError(f"{shown(folder.root)} has names of columns but no rows.")
    for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        with rows_from(np.arange(start, stop)):
            columns = projected(model, rows_for(model, folder.read(start, stop)))
        if name in columns:
            raise TableError(f"The output has a column {shown(name)} already: rename --id.")
        names = {} if name is None else {name: folder.series(start, stop, name)}
        yield {**names, **columns}


def _writer(options: TransformOptions) -> Callable[[Iterator[Part]], None]:
    """What writes all parts; an output that cannot be is an error before the work."""
    path = options.output
    if path is None:
        sys.stdout.flush()
        return lambda parts: _write_text(parts, sys.stdout.buffer, ",")
    if not path.suffix:
        return lambda parts: _write_folder(parts, path)
    if path.suffix.lower() not in _SEPARATORS:
        raise TableError(
            "Rows of a folder are written to a folder of Parquet, whose name has no suffix, or to "
            f".csv or .tsv. Got {shown(path.name)}."
        )
    check_outputs({"--output": path}, options.force, [options.model, options.data])
    separator = _SEPARATORS[path.suffix.lower()]

    def write(parts: Iterator[Part]) -> None:
        with replacing(path, overwrite=options.force) as file:
            _write_text(parts, file, separator)

    return write


def _write_text(parts: Iterator[Part], file: IO[bytes], separator: str) -> None:
    for number, columns in enumerate(parts):
        write_frame(columns, file, separator, header=number == 0)


def _write_folder(parts: Iterator[Part], path: Path) -> None:
    with new_folder("--output", path) as folder:
        for number, columns in enumerate(parts):
            with open(folder / f"part-{number:05d}.parquet", "xb") as file:
                write_frame(columns, file, None)
