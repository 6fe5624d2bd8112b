"""Tell tables from row sources, and make rows of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse

from ._base import AbstractRows
from .array import ArrayRows
from .sparse import SparseRows
from .stream import StreamRows

__all__ = ["as_rows", "is_row_source"]


def is_row_source(X: Any) -> bool:
    """Whether X yields blocks of rows: a callable, or an iterable that is no table.

    Lists stay array-likes, whatever they hold.
    """
    if isinstance(X, AbstractRows):
        return True
    if isinstance(X, np.ndarray | list | tuple | str | bytes) or sparse.issparse(X):
        return False
    if hasattr(X, "__array__") or hasattr(X, "shape") or hasattr(X, "__dataframe__"):
        return False
    return callable(X) or isinstance(X, Iterable)


def as_rows(X: Any) -> AbstractRows:
    """Rows of an array, a sparse matrix or a row source; nothing is copied."""
    if isinstance(X, AbstractRows):
        return X
    if sparse.issparse(X):
        return SparseRows(X)
    if is_row_source(X):
        return StreamRows(X)
    return ArrayRows(X if isinstance(X, np.ndarray) else np.asarray(X))
