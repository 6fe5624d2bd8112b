"""A model from a file, and a table as that model takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from .._arrays import Array
from .._estimators._base import BaseHSIC
from .._persistence import load_with_notes
from ..exceptions import ModelFileError
from .record import FitRecord
from .tables import SUFFIXES, Table, TableEncoder, TableError
from .tables.errors import shown

__all__ = ["open_model", "rows_for", "text_columns"]


def open_model(path: Path) -> tuple[Any, FitRecord | None]:
    """The model, and the record of ``hsiclearn fit``; None if a program saved the model."""
    if path.is_dir():
        raise IsADirectoryError(f"{shown(path)} is a directory. Name a model.")
    if not path.exists():
        raise FileNotFoundError(f"There is no model {shown(path)}.")
    try:
        model, notes = load_with_notes(path)
    except ModelFileError as error:
        if path.name.lower().endswith(SUFFIXES):
            raise ModelFileError(
                f"{shown(path)} is a table. The model comes first, then the table."
            ) from error
        raise
    _check_use(model, path)
    return model, FitRecord.from_notes(notes)


def _check_use(model: Any, path: Path) -> None:
    """Refuse what a program may save, and the verbs cannot use."""
    first, last = (model[0], model[-1]) if isinstance(model, Pipeline) else (model, model)
    if not isinstance(last, BaseHSIC):
        raise ModelFileError(
            f"A model for the command must end with an estimator of hsiclearn. {shown(path)} ends "
            f"with {type(last).__name__}: load it in Python and save its beginning, model[:-1]."
        )
    if isinstance(first, ColumnTransformer):
        raise ModelFileError(
            f"A model for the command must take a table as it is, or columns of numbers. "
            f"{shown(path)} begins with ColumnTransformer, which takes data frames: use it in "
            "Python, with hsiclearn.load."
        )


def text_columns(model: Any, id_column: str | None) -> list[str]:
    """Columns that are text whatever their cells look like: categories, and names of rows."""
    first = _first_step(model)
    if not isinstance(first, TableEncoder):
        return []
    kinds = dict(zip(first.columns_, first.kinds_, strict=True))
    names = [name for name, kind in kinds.items() if kind == "category"]
    return names if id_column is None or id_column in kinds else [*names, id_column]


def _first_step(model: Any) -> Any:
    return model[0] if isinstance(model, Pipeline) else model


def rows_for(model: Any, table: Table) -> Table | Array:
    """What goes into the model and nothing else: a table, or a matrix if it reads no tables."""
    first = _first_step(model)
    if isinstance(first, TableEncoder):
        return table.select(name for name in first.columns_ if name in table)
    names = getattr(first, "feature_names_in_", None)
    if names is not None:
        table = table.select(map(str, names))
    texts = [column.name for column in table.columns if not column.is_number]
    if texts or table.shape[1] != first.n_features_in_:
        seen = f"text in {shown(texts[0])}" if texts else f"{table.shape[1]} columns"
        raise TableError(f"The model takes {first.n_features_in_} columns of numbers. Got {seen}.")
    return TableEncoder().fit_transform(table)
