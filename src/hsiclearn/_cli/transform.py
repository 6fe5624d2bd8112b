"""``hsiclearn transform``: rows on the directions of a model."""

from __future__ import annotations

import sys

import numpy as np

from .._arrays import Array
from .console import Console
from .data import open_table
from .models import open_model, projected, rows_for, text_columns
from .options import TransformOptions
from .outputs import check_outputs, write_together
from .tables import Column, TableError, write_table
from .tables._polars import write_frame
from .tables.checks import is_float
from .tables.errors import shown
from .tables.files import WRITTEN, suffix_of
from .tables.table import as_text
from .transform_folder import transform_folder
from .wording import plain

_EXACT = 2.0**53  # whole numbers below are themselves as floats


def run_transform(options: TransformOptions) -> None:
    """Load, read, project, write."""
    if options.data.is_dir():
        transform_folder(options)
        return
    if options.output is not None:
        suffix_of(options.output, WRITTEN)
        check_outputs({"--output": options.output}, options.force, [options.model, options.data])
    console = Console(options.quiet, "transform")
    model, record = open_model(options.model)
    name_column = options.id or (None if record is None else record.id)
    table = open_table(options.data, console, text=text_columns(model, name_column))
    if options.id is not None:
        table.column(options.id)  # there must be one
    elif name_column not in table:
        name_column = None
    with console.status("Projecting the rows"), console.python_warnings_as_lines():
        columns = projected(model, rows_for(model, table))
    if name_column is not None:
        if name_column in columns:
            raise TableError(f"The output has a column {shown(name_column)} already: rename --id.")
        columns = {name_column: _as_it_was(table.column(name_column)), **columns}
    _write(columns, options)


def _as_it_was(column: Column) -> Array:
    """Numbers if that is what they look like again as text: 007 and long ones stay text."""
    if not column.is_number and all(map(_is_plain_number, column.categories)):
        numbers = np.array([*map(float, column.categories), np.nan])[column.codes]
        is_whole = all(float(text).is_integer() for text in column.categories)
        column = Column.of_numbers(column.name, numbers, "integer" if is_whole else "real")
    if column.kind == "integer" and not column.missing.any():
        return column.numbers.astype(np.int64)
    return column.values


def _is_plain_number(text: str) -> bool:
    return is_float(text) and abs(float(text)) < _EXACT and as_text(float(text)) == text


def _write(columns: dict[str, Array], options: TransformOptions) -> None:
    if options.output is not None:
        write_together({options.output: lambda path: write_table(columns, path)}, options.force)
        if not options.quiet:
            print(plain(str(options.output)))
        return
    binary = getattr(sys.stdout, "buffer", None)
    assert binary is not None
    sys.stdout.flush()
    write_frame(columns, binary, ",")
