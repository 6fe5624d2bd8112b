"""What the exact engines share: X in memory, and products with it."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine

__all__ = ["ExactEngine"]


class ExactEngine(AbstractEngine):
    """Sums over all pairs, up to rounding, of rows held in memory."""

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        self._data, self._structure, self._kernel_terms = X, gamma, kernel.terms

    def multiply(self, W: FloatArray, V: FloatArray) -> FloatArray:
        """``X' c L(S) X V``."""
        return self._data.T @ self.apply(W, self._data @ V)

    def multiply_dot(self, W: FloatArray, Z: FloatArray) -> FloatArray:
        """``X' c L(Sdot) X W``."""
        return self._data.T @ self.apply(W, self._data @ W, Z)

    def constant_forms(self, t: int) -> tuple[FloatArray, FloatArray]:
        """``X'SX`` and ``X'DX`` for ``S = Gamma`` times the scales of term t."""
        X = self._data
        s, degree = self._scales_and_degree(t)
        return X.T @ (s * self._structure.apply(s * X)), X.T @ (degree * X)

    def constant_multiply(self, t: int, V: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``X'SX V`` and ``X'DX V``."""
        X, XV = self._data, self._data @ V
        s, degree = self._scales_and_degree(t)
        return X.T @ (s * self._structure.apply(s * XV)), X.T @ (degree * XV)

    def _scales_and_degree(self, t: int) -> tuple[FloatArray, FloatArray]:
        """The row scales of term t and the row sums of S, as columns."""
        X = self._data
        scales = self._kernel_terms[t][1].row_scales(X)
        s = np.ones((X.shape[0], 1)) if scales is None else scales[:, None]
        return s, s * self._structure.apply(s)
