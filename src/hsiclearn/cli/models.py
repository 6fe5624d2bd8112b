"""A model from a file, and a table as that model takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline

from .._arrays import Array
from ..exceptions import ModelFileError
from ..persistence import load_with_notes
from ..tables import SUFFIXES, Table, TableEncoder, TableError
from ..tables.errors import shown

__all__ = ["open_model", "rows_for"]


def open_model(path: Path) -> tuple[Any, dict[str, Any]]:
    """The model and what ``hsiclearn fit`` noted about it; another's model has no notes."""
    if path.is_dir():
        raise IsADirectoryError(f"{shown(path)} is a directory. Name a model.")
    if not path.exists():
        raise FileNotFoundError(f"There is no model {shown(path)}.")
    try:
        return load_with_notes(path)
    except ModelFileError as error:
        if path.name.lower().endswith(SUFFIXES):
            raise ModelFileError(
                f"{shown(path)} is a table. The model comes first, then the table."
            ) from error
        raise


def rows_for(model: Any, table: Table) -> Table | Array:
    """What goes into the model: a table, or a matrix if nothing in it reads tables."""
    first = model[0] if isinstance(model, Pipeline) else model
    if isinstance(first, TableEncoder):
        return table
    names = getattr(first, "feature_names_in_", None)
    if names is not None:
        table = table.select(map(str, names))
    texts = [column.name for column in table.columns if not column.is_number]
    if texts or table.shape[1] != first.n_features_in_:
        seen = f"text in {shown(texts[0])}" if texts else f"{table.shape[1]} columns"
        raise TableError(f"The model takes {first.n_features_in_} columns of numbers. Got {seen}.")
    return TableEncoder().fit_transform(table)
