"""The columns of fit among those of another table."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .convert import as_table, has_names
from .errors import TableError, listed, shown
from .table import Table

__all__ = ["columns_of_fit"]


def columns_of_fit(X: Any, names: Sequence[str]) -> Table:
    """The columns of these names; by place if X has no names."""
    table = as_table(X)
    if not has_names(X):
        return _by_place(table, names)
    absent = [name for name in names if name not in table]
    if absent:
        raise TableError(
            f"The model needs {len(names)} columns, and {len(absent)} of them "
            f"{'is' if len(absent) == 1 else 'are'} not there: {listed(map(shown, absent))}."
        )
    return table.select(names)


def _by_place(table: Table, names: Sequence[str]) -> Table:
    if table.shape[1] != len(names):
        raise TableError(
            f"X has {table.shape[1]} features, but TableEncoder is expecting "
            f"{len(names)} features as input.",
            "Only tables with names may have columns that the model does not need.",
        )
    if table.names != tuple(names):
        warnings.warn(
            "X does not have valid feature names, but TableEncoder was fitted with feature "
            "names: its columns are taken in the order of fit.",
            UserWarning,
            stacklevel=4,
        )
    return Table(
        replace(column, name=name) for column, name in zip(table.columns, names, strict=True)
    )
