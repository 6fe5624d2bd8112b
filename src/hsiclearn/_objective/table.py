"""From what a user passes to rows as an engine needs them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._rows import (
    AbstractRows,
    ArrayRows,
    DenseChunks,
    as_rows,
    check_magnitude,
    check_single,
    is_far_from_zero,
    is_row_source,
    summarise,
)


def as_table(X: Any) -> AbstractRows:
    """Rows of a real table with at least one row and one column; entries are not looked at."""
    if isinstance(X, AbstractRows) or is_row_source(X) or sparse.issparse(X):
        return as_rows(X)
    return ArrayRows(_as_matrix(X))


def as_data(X: Array) -> FloatArray:
    """X as a finite float64 matrix, or an error that says what was seen."""
    data = _as_matrix(X).astype(np.float64, copy=False)
    low, high = data.min(), data.max()
    if not (np.isfinite(low) and np.isfinite(high)):  # NaN survives both
        bad = int(np.count_nonzero(~np.isfinite(data)))
        raise ValueError(f"X must be finite. {bad} entries are NaN or infinite: impute or drop.")
    check_magnitude(low, high)
    return data


def _as_matrix(X: Array) -> Array:
    data = np.asarray(X)
    if data.dtype.kind not in "fiub" or data.ndim != 2 or data.size == 0:
        raise ValueError(
            "X must be a real matrix with at least one row and one column. "
            f"Got dtype {data.dtype}, shape {data.shape}."
        )
    return data


def everything(rows: AbstractRows) -> FloatArray:
    """All rows as one dense array."""
    return rows.take(np.arange(rows.n_samples))


def prepared(rows: AbstractRows, is_linear: bool, is_centered: bool) -> AbstractRows:
    """The rows as an engine needs them: centred where no sum over pairs sees the mean.

    Rounding sees it: x'x of far-away rows cancels. Exact engines get a copy: what the caller does
    with X later is no matter of theirs.
    """
    if not is_linear:
        X = as_data(everything(rows))
        return ArrayRows(X - X.mean(axis=0) if is_centered else X.copy())
    summary = summarise(rows)
    check_single(summary)
    if not is_centered:
        # Sparse rows are projected from their origin but multiplied as they are, which only sums
        # that ignore shifts allow.
        return rows.centered(np.zeros(rows.n_features)) if rows.is_sparse else rows
    if rows.is_sparse:
        rows = DenseChunks(rows) if is_far_from_zero(rows, summary) else rows
        return rows.centered(summary.mean)
    # The summary is of rows as chunks show them: seen from the origin they have.
    return rows.moved(summary.mean)
