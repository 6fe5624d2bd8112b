"""Rows of a table, wherever they live: an array, a file that is mapped, a sparse matrix, a stream.

Whoever needs only sums over rows asks for chunks of them, so that no table has to fit in memory.
"""

from __future__ import annotations

from ._base import AbstractRows, Block, batches, weighted_gram
from ._dask import chunkwise, columns_together, fold_parts, is_dask
from .covariance import inverse_root, shrunk_covariance
from .device import DeviceRows
from .foreign import check_table, check_takes_no_gradients, in_words, name_of_dtype, place_of
from .stream import StreamRows, as_rows, is_row_source
from .summary import (
    Spread,
    Summary,
    check_directions,
    check_magnitude,
    check_single,
    column_deviations,
    hardly_vary,
    is_far_from_zero,
    projected_covariance,
    rows_stand_out,
    spread_along,
    summarise,
    sums_of_squares,
    varying_columns,
)
from .tables import ArrayRows, CenteredProducts, DenseChunks, SparseRows
from .turned import TurnedRows, UnturnedRows

__all__ = [
    "AbstractRows",
    "ArrayRows",
    "Block",
    "CenteredProducts",
    "DenseChunks",
    "DeviceRows",
    "SparseRows",
    "Spread",
    "StreamRows",
    "Summary",
    "TurnedRows",
    "UnturnedRows",
    "as_rows",
    "batches",
    "check_directions",
    "check_magnitude",
    "check_single",
    "check_table",
    "check_takes_no_gradients",
    "chunkwise",
    "column_deviations",
    "columns_together",
    "fold_parts",
    "hardly_vary",
    "in_words",
    "inverse_root",
    "is_dask",
    "is_far_from_zero",
    "is_row_source",
    "name_of_dtype",
    "place_of",
    "projected_covariance",
    "rows_stand_out",
    "shrunk_covariance",
    "spread_along",
    "summarise",
    "sums_of_squares",
    "varying_columns",
    "weighted_gram",
]
