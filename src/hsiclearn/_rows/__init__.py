"""Rows of a table, wherever they live: an array, a file that is mapped, a sparse matrix, a stream.

Whoever needs only sums over rows asks for chunks of them, so that no table has to fit in memory.
"""

from __future__ import annotations

from ._base import AbstractRows, Block, weighted_gram
from .array import ArrayRows
from .convert import as_rows, is_row_source
from .dense_chunks import DenseChunks, is_far_from_zero
from .products import CenteredProducts
from .sparse import SparseRows
from .spread import FLAT, Spread, hardly_vary, spread_along
from .stream import StreamRows
from .summary import Summary, check_magnitude, summarise, varying_columns

__all__ = [
    "FLAT",
    "AbstractRows",
    "ArrayRows",
    "Block",
    "CenteredProducts",
    "DenseChunks",
    "SparseRows",
    "Spread",
    "StreamRows",
    "Summary",
    "as_rows",
    "check_magnitude",
    "hardly_vary",
    "is_far_from_zero",
    "is_row_source",
    "spread_along",
    "summarise",
    "varying_columns",
    "weighted_gram",
]
