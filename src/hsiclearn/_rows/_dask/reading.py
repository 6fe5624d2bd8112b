"""From a collection of Dask to columns: what it must be, how long its chunks are, who has them."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from scipy import sparse

from ..._arrays import Array
from . import is_dask
from .column import DaskColumn
from .graph import Graph, active_client, may_be_large
from .keeping import kept


def is_frame(X: Any) -> bool:
    """Whether X is a dataframe or a series of Dask."""
    return hasattr(type(X), "to_dask_array") and not isinstance(X, da.Array)


def read_table(X: Any) -> DaskColumn:
    """A table, whose rows are kept in memory where there is room; else each pass reads them."""
    X = X.array if isinstance(X, DaskColumn) else X
    array = table_of_frame(X) if is_frame(X) else X
    if not isinstance(array, da.Array):
        raise TypeError(
            f"X must be an array or a dataframe of Dask. Got {type(X).__name__}: turn it into one, "
            "for instance by to_dataframe()."
        )
    if array.ndim != 2 or np.isnan(array.shape[1]):
        seen = "an unknown number of columns" if array.ndim == 2 else f"{array.ndim} dimensions"
        raise ValueError(
            f"X must be a table of a known number of columns. Got {seen}: name its shape, for "
            "instance by map_blocks(..., chunks=...)."
        )
    if array.dtype.kind not in "fiub":
        raise ValueError(
            f"X must hold real numbers. Got dtype {array.dtype}: choose the columns that are "
            "numbers, or encode the others, and use astype('float64')."
        )
    if array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    array = with_lengths(array)
    if array.shape[0] < 2 or array.shape[1] < 1:
        raise ValueError(f"X must have at least 2 rows and 1 column. Got shape {array.shape}.")
    array, is_kept = kept(array)
    return DaskColumn(array, is_kept=is_kept)


def read_column(values: Any, like: DaskColumn, name: str) -> DaskColumn:
    """Values beside the rows of a table, in the chunks of these, and in memory there."""
    array = array_of_values(values) if is_frame(values) else values
    if is_dask(array) and not isinstance(array, da.Array):
        raise TypeError(
            f"`{name}` must be an array, a dataframe or a series of Dask, or in memory. Got "
            f"{type(values).__name__}."
        )
    if not isinstance(array, da.Array):
        array = np.asarray(array)
        if array.ndim == 0:
            raise ValueError(f"`{name}` must have one entry for each row. Got {array!r}.")
        array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    else:
        array = with_lengths(in_one_width(array))
    check_length(array.shape[0], like.shape[0], "X", name)
    chunks = in_chunks(array, like.array.chunks[0])
    with may_be_large(active_client()):
        return DaskColumn(chunks.persist(), is_categorical=is_categorical(values))


def is_categorical(values: Any) -> bool:
    """Whether a series is of categories."""
    return "categor" in str(getattr(values, "dtype", "")).lower()


def in_one_width(array: da.Array) -> da.Array:
    """In one chunk of columns; a dense table of one column as a vector."""
    if array.ndim == 2 and array.shape[1] == 1 and not sparse.issparse(array._meta):
        return array[:, 0]
    return array.rechunk({1: -1}) if array.ndim == 2 and array.numblocks[1] > 1 else array


def in_chunks(array: Any, lengths: tuple[int, ...]) -> da.Array:
    """Cut at these rows; one in memory goes to where the others are."""
    if not isinstance(array, da.Array):
        chunks = (lengths, *array.shape[1:])
        return da.from_array(array, chunks=chunks, asarray=not sparse.issparse(array))
    if array.chunks[0] == lengths:
        return array
    return array.rechunk((lengths, *array.chunks[1:]))


def check_length(found: Any, expected: int, like: str, name: str) -> None:
    """Raise unless two collections have the same number of rows."""
    if found != expected:
        raise ValueError(
            f"{like} and `{name}` must have the same number of rows. Got {expected} and {found}."
        )


def with_lengths(array: da.Array) -> da.Array:
    """The same with chunks of known lengths: they are counted where they are not.

    To count them takes all that it takes to make them. Workers, which spill what they have no room
    for, keep them at once.
    """
    if not any(np.isnan(n) for n in array.chunks[0]):
        return array
    if active_client() is not None:
        array = array.persist()
    graph = Graph("count", active_client(), array)
    rest = (0,) * (array.ndim - 1)
    keys = [graph.add(_length, (array.name, i, *rest)) for i in range(array.numblocks[0])]
    lengths = tuple(int(n) for n in graph.compute(keys))
    known = da.Array(
        array.dask, array.name, (lengths, *array.chunks[1:]), dtype=array.dtype, meta=array._meta
    )
    return known


def _length(block: Any) -> int:
    return int(block.shape[0])


def table_of_frame(X: Any, name: str = "X") -> da.Array:
    """Its columns as numbers; ``name`` is for an error."""
    dtypes = dict(X.dtypes)
    bad = [str(column) for column, dtype in dtypes.items() if not _is_number(dtype)]
    if bad:
        shown = ", ".join(bad[:5]) + (", ..." if len(bad) > 5 else "")
        raise ValueError(
            f"{name} must hold numbers. {len(bad)} of its columns do not, {shown}: encode them "
            "(dask_ml's Categorizer, or map_partitions), or drop them."
        )
    single = all(np.dtype(getattr(t, "numpy_dtype", t)) == np.float32 for t in dtypes.values())
    dtype = np.dtype(np.float32 if single else np.float64)
    meta = np.empty((0, len(dtypes)), dtype=dtype)
    parts = X.map_partitions(_as_numbers, dtype, meta=meta, enforce_metadata=False)
    return array_of_parts(parts, meta)


def array_of_values(frame: Any) -> da.Array:
    """What a dataframe or a series holds, as it is: text is of objects."""
    empty = np.asarray(frame._meta)
    return array_of_parts(frame.map_partitions(np.asarray, meta=empty), empty)


def array_of_parts(parts: Any, meta: Array) -> da.Array:
    """What was made of the partitions of a dataframe, of unknown numbers of rows."""
    array = parts if isinstance(parts, da.Array) else parts.to_dask_array()
    chunks = ((np.nan,) * array.numblocks[0], *((n,) for n in meta.shape[1:]))
    return da.Array(array.dask, array.name, chunks, dtype=meta.dtype, meta=meta)


def _as_numbers(frame: Any, dtype: Any) -> Array:
    """Missing values of nullable columns are NaN, which is refused later, by the chunk's number."""
    return np.asarray(frame.to_numpy(dtype=dtype, na_value=np.nan))


def _is_number(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "fiub" and not str(dtype).startswith("complex")
