"""What a method makes of a collection chunk by chunk, when it is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
from scipy import sparse

from ..._arrays import Array
from .reading import array_of_parts, is_frame


def mapped_chunks(X: Any, method: Callable[[Array], Array], n_features: int) -> da.Array:
    """An array of Dask with a row for each; an error of a chunk is raised when it is computed."""
    if is_frame(X):
        meta = method(_row_of(X, n_features))[:0]
        parts = X.map_partitions(
            partial(_of_block, method, meta), meta=meta, enforce_metadata=False
        )
        return array_of_parts(parts, meta)
    if X.ndim != 2 or X.shape[1] != n_features:
        raise ValueError(
            f"X must have {n_features} columns, as in fit. Got an array of shape {X.shape}."
        )
    X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
    meta = method(np.zeros((1, n_features), dtype=X.dtype))[:0]
    return X.map_blocks(
        partial(_of_block, method, meta),
        dtype=meta.dtype,
        chunks=(X.chunks[0], *((n,) for n in meta.shape[1:])),
        drop_axis=1 if meta.ndim == 1 else None,
        meta=meta,
    )


def _row_of(X: Any, n_features: int) -> Any:
    """One row with the names of the columns, which a fit may have seen."""
    if len(X.columns) != n_features:
        raise ValueError(f"X must have {n_features} columns, as in fit. Got {len(X.columns)}.")
    row = pd.DataFrame(np.zeros((1, n_features)), columns=X.columns)
    with suppress(TypeError, ValueError):  # text: of that a chunk is an error, when it is computed
        row = row.astype(X._meta.dtypes.to_dict())
    return row


def _of_block(method: Callable[[Array], Array], meta: Array, block: Any) -> Array:
    """Of a chunk without rows nothing is asked."""
    is_table = sparse.issparse(block) or hasattr(block, "iloc")
    block = block if is_table else np.asarray(block)
    if not block.shape[0]:
        return meta
    with warnings.catch_warnings():  # said once, of the collection
        warnings.filterwarnings("ignore", message=".*feature names", category=UserWarning)
        return method(block)
