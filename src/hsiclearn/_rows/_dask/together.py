"""Several collections of the same rows, cut at the same places: what a sum over all of them needs.

A collection in memory beside one of Dask goes to where that is. What is moved is the narrower ones,
from worker to worker: the widest keeps its chunks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dask.array as da
import numpy as np
from scipy import sparse

from . import is_dask
from .column import DaskColumn
from .graph import check_workers
from .reading import (
    array_of_values,
    check_length,
    in_chunks,
    in_one_width,
    is_categorical,
    is_frame,
    table_of_frame,
    with_lengths,
)


def columns_together(collections: Mapping[str, Any]) -> list[DaskColumn]:
    """A column of each, by the name that errors have for it; at least one is of Dask."""
    check_workers()
    arrays = {name: _array_of(values, name) for name, values in collections.items()}
    widest = max(arrays, key=lambda name: _width_if_far(arrays[name]))
    n, lengths = arrays[widest].shape[0], arrays[widest].chunks[0]
    for name, array in arrays.items():
        check_length(array.shape[0], n, widest, name)
    if n == 0:
        raise ValueError(f"{widest} must have rows. Got a collection of none.")
    return [
        DaskColumn(in_chunks(arrays[name], lengths), is_categorical=is_categorical(values))
        for name, values in collections.items()
    ]


def _width_if_far(array: Any) -> int:
    return int(np.prod(array.shape[1:])) if isinstance(array, da.Array) else -1


def _array_of(values: Any, name: str) -> Any:
    """One value for each row, or several in one chunk of columns; one of Dask's, or in memory."""
    if not is_dask(values):
        values = sparse.csr_array(values) if sparse.issparse(values) else np.asarray(values)
    elif is_frame(values) and hasattr(values, "ndim"):
        values = _array_of_frame(values, name)
    elif not isinstance(values, da.Array):
        raise TypeError(
            f"{name} must be an array, a dataframe or a series of Dask. Got "
            f"{type(values).__name__}: turn it into one, for instance by to_dataframe()."
        )
    if values.ndim not in (1, 2) or 0 in values.shape or np.isnan(values.shape[1:]).any():
        raise ValueError(
            f"{name} must be a vector or a table of rows, not empty, of a known number of "
            f"columns. Got shape {values.shape}."
        )
    if isinstance(values, da.Array):
        return with_lengths(in_one_width(values))
    is_column = values.ndim == 2 and values.shape[1] == 1 and not sparse.issparse(values)
    return values[:, 0] if is_column else values


def _array_of_frame(values: Any, name: str) -> Any:
    """Numbers of several columns, or whatever one column holds."""
    if values.ndim == 2 and len(values.columns) != 1:
        return table_of_frame(values, name)
    return array_of_values(values[values.columns[0]] if values.ndim == 2 else values)
