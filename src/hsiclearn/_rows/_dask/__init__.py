"""Rows on a Dask cluster. Dask is an extra: nothing here imports it but for its own collections."""

from __future__ import annotations

from typing import Any


def is_dask(X: Any) -> bool:
    """Whether X is a collection of Dask, without importing it."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(X, "dask")
