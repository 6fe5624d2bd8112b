"""Rows of numbers, dense or sparse: checked, and how large they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import FloatArray
from .._rows import check_magnitude
from ..kernels import AbstractKernel

__all__ = ["as_numbers", "as_sparse_numbers", "extremes", "longest_of", "size_of"]


def as_numbers(data: Any, name: str) -> FloatArray:
    """Rows of finite float64 numbers, (n, d)."""
    try:
        numbers = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must hold numbers for this kernel. Got dtype {np.asarray(data).dtype}. For "
            "labels pass one column, and kernel 'delta' or 'auto'."
        ) from error
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    if numbers.ndim != 2 or 0 in numbers.shape:
        raise ValueError(
            f"{name} must be a vector or a table of rows, not empty. Got shape {numbers.shape}."
        )
    _check_finite(numbers, name)
    return numbers


def as_sparse_numbers(data: Any, name: str) -> Any:
    """A CSR array of finite float64 numbers."""
    if data.dtype.kind not in "fiub" or 0 in data.shape:
        raise ValueError(
            f"{name} must be a real matrix with rows and columns. Got dtype {data.dtype}, shape "
            f"{data.shape}."
        )
    numbers = sparse.csr_array(data).astype(np.float64)
    _check_finite(numbers, name)
    return numbers


def _check_finite(numbers: Any, name: str) -> None:
    low, high = extremes(numbers)
    bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high)))
    if bad.size:
        raise ValueError(
            f"{name} must be finite. {bad.size} columns hold NaN or infinite entries, the first of "
            f"them column {bad[0]}: impute or drop."
        )
    check_magnitude(low, high)


def extremes(numbers: Any) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest entry of every column."""
    low, high = numbers.min(axis=0), numbers.max(axis=0)
    if sparse.issparse(numbers):
        low, high = (e.toarray().ravel() for e in (low, high))
    return low, high


def size_of(numbers: Any, kernel: AbstractKernel) -> float:
    """How large entries are, seen from the mean where the kernel does not see that."""
    low, high = extremes(numbers)
    if kernel.ignores_shifts(centered=True):
        return float((high - low).max())
    return float(max(np.abs(low).max(), np.abs(high).max()))


def longest_of(numbers: Any) -> float:
    """The length of the longest row."""
    if sparse.issparse(numbers):
        squares = np.asarray(numbers.multiply(numbers).sum(axis=1), dtype=np.float64)
    else:
        squares = np.einsum("ij,ij->i", numbers, numbers)
    return float(np.sqrt(squares.max()))
