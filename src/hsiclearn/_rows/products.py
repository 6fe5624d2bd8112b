"""Inner products of sparse rows seen from an origin, block by block, with no zero lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["CenteredProducts"]


class CenteredProducts:
    r"""``(x_i - m)'(x_j - m)`` of a CSR matrix.

    A column without zeros loses nothing when its part of m is subtracted entry by entry. What is
    left of m is within the range of its columns, and goes into the product instead, where it costs
    no digits::

        x_i'x_j - x_i'm - m'x_j + m'm
    """

    def __init__(self, X: Any, origin: FloatArray | None) -> None:
        n, d = X.shape
        X = X.astype(np.float64)  # a copy
        X.sum_duplicates()
        origin = np.zeros(d) if origin is None else origin
        is_full = np.bincount(X.indices, minlength=d) == n
        X.data -= np.where(is_full, origin, 0.0)[X.indices]
        rest = np.where(is_full, 0.0, origin)
        self._X, self._shift, self._square = X, X @ rest, float(rest @ rest)

    def block(self, rows: slice | Array, cols: slice | Array) -> FloatArray:
        """Some rows against others, dense."""
        product: FloatArray = (self._X[rows] @ self._X[cols].T).toarray()
        product -= self._shift[cols]
        product -= self._shift[rows][:, None] - self._square
        return product

    def squares(self) -> FloatArray:
        """``|x_i - m|^2``."""
        own = np.asarray(self._X.multiply(self._X).sum(axis=1), dtype=np.float64).ravel()
        return own - 2.0 * self._shift + self._square
