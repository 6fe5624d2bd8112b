"""Checks shared by the structured matrices."""

from __future__ import annotations

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["as_matrix", "check_symmetric", "psd_up_to_rounding", "zero_up_to_rounding"]


def as_matrix(array: object, name: str) -> FloatArray:
    """A finite float64 matrix, or an error that says what was seen."""
    matrix = np.asarray(array)
    if matrix.dtype.kind not in "fiub" or matrix.ndim != 2:
        raise ValueError(
            f"`{name}` must be a real matrix. Got dtype {matrix.dtype}, shape {matrix.shape}."
        )
    matrix = matrix.astype(np.float64)
    if not np.all(np.isfinite(matrix)):
        bad = int(np.count_nonzero(~np.isfinite(matrix)))
        raise ValueError(f"`{name}` must be finite. {bad} entries are NaN or infinite.")
    return matrix


def check_symmetric(matrix: FloatArray, name: str, rtol: float = 1e-10) -> None:
    """Raise unless ``matrix`` is square and symmetric up to rounding."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`{name}` must be square. Got shape {matrix.shape}.")
    difference = np.abs(matrix - matrix.T)
    allowed = rtol * max(float(np.max(np.abs(matrix), initial=0.0)), np.finfo(float).tiny)
    if difference.size and float(difference.max()) > allowed:
        i, j = np.unravel_index(int(np.argmax(difference)), difference.shape)
        raise ValueError(
            f"`{name}` must be symmetric. Entry ({i}, {j}) is {matrix[i, j]:.6g} but entry "
            f"({j}, {i}) is {matrix[j, i]:.6g}. If both halves mean the same, pass "
            f"({name} + {name}.T) / 2."
        )


def zero_up_to_rounding(values: FloatArray, scale: float) -> bool:
    """Whether ``values`` vanish beside numbers of size ``scale``."""
    return bool(np.max(np.abs(values), initial=0.0) <= 1e-10 * max(scale, np.finfo(float).tiny))


def psd_up_to_rounding(eigenvalues: Array) -> bool:
    """Whether no eigenvalue is negative beside the largest."""
    scale = float(np.max(np.abs(eigenvalues), initial=0.0))
    return bool(np.min(eigenvalues, initial=0.0) >= -1e-10 * scale)
