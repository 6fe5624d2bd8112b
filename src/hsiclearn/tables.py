"""Deprecated: tables belong to the command ``hsiclearn`` and leave the public names.

Models that the command saved are loaded by :func:`hsiclearn.load` as ever. In a program
scikit-learn's ``ColumnTransformer`` makes numbers of the columns of a data frame.
"""

from __future__ import annotations

import warnings
from typing import Any


def __getattr__(name: str) -> Any:
    from ._cli import tables

    if name == "__all__":
        return tables.__all__
    if name not in tables.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"hsiclearn.tables.{name} belongs to the command hsiclearn and leaves the public names in "
        "a later version. Use scikit-learn's ColumnTransformer for data frames.",
        FutureWarning,
        stacklevel=2,
    )
    return getattr(tables, name)
