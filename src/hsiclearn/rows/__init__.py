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
from .stream import StreamRows
from .summary import Summary, check_magnitude, summarise, varying_columns

__all__ = [
    "AbstractRows",
    "ArrayRows",
    "Block",
    "CenteredProducts",
    "DenseChunks",
    "SparseRows",
    "StreamRows",
    "Summary",
    "as_rows",
    "check_magnitude",
    "is_far_from_zero",
    "is_row_source",
    "summarise",
    "varying_columns",
    "weighted_gram",
]
