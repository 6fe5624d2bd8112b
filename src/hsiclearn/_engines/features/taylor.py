r"""Features of a smooth Gaussian: its Taylor series in the inner product, cut off.

::

    exp(-|w - z|^2 / 2s^2) = sum_a c_a(w) c_a(z)
    c_a(w)                 = exp(-|w|^2 / 2s^2) prod_j (w_j/s)^a_j / sqrt(a!)

over all powers a. Of degrees up to p there are ``binomial(q + p, p)``. What is left out is again
a positive definite kernel, whose value at (w, w) is known in closed form: the chance that a
Poisson variable of mean ``|w|^2 / s^2`` exceeds p.

Where the rows lie within a bandwidth or two of their mean, as they do at the median of a table
with more columns than directions, a low degree is enough. Then these features cost one product
each instead of an exponential, need no choice of landmarks and no solve, and lose nothing to
conditioning.
"""

from __future__ import annotations

from math import comb
from typing import final

import numpy as np
from scipy.special import gammainc

from ..._arrays import Array, FloatArray
from ...kernels import AbstractKernel
from ._base import Features
from .monomials import Powers

_LARGEST = 500  # features; beyond, landmarks are always fewer and faster
_HIGHEST = 20  # degree; beyond, powers overflow single precision
_TYPICAL = 0.1  # of the tolerance: the mean error stands for all rows here, not the largest


@final
class TaylorFeatures(Features):
    """All monomials up to a degree, times a Gaussian.

    Parameters
    ----------
    rate : float
        ``-1 / 2s^2``.
    degree : int
    q : int
    """

    def __init__(self, rate: float, degree: int, q: int) -> None:
        self._scale, self._degree = float(np.sqrt(-2.0 * rate)), degree  # 1/s
        self._powers = Powers(q, degree)
        self.size = self._powers.size
        self._root = 1.0 / np.sqrt(self._powers.factorials)[:, None]
        self.signs = np.ones(self.size)

    @classmethod
    def fitting(cls, kernel: AbstractKernel, w: FloatArray, rtol: float) -> TaylorFeatures | None:
        """The lowest degree that is exact enough on typical rows; None if it is too high."""
        if kernel.rate is None or not kernel.pair.is_difference:
            return None
        q, squares = w.shape[1], -2.0 * kernel.rate * np.einsum("ij,ij->i", w, w)
        spread = max(float(squares.mean()), np.finfo(float).tiny)
        for degree in range(1, _HIGHEST + 1):
            if comb(q + degree, degree) > _LARGEST:
                return None
            root = np.sqrt(gammainc(degree + 1, squares))
            # As in the bound on Phi: far rows count as much as they weigh there.
            if root.mean() * (root @ squares) / squares.size / spread <= _TYPICAL * rtol:
                return cls(kernel.rate, degree, q)
        return None

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """The Gaussian, times every monomial of w/s."""
        n = w.shape[0]
        memory = np.empty(self.size * n, dtype=w.dtype) if workspace is None else workspace
        columns = memory[: self.size * n].reshape(self.size, n)
        v = np.ascontiguousarray((self._scale * w).T, dtype=w.dtype)
        np.exp(-0.5 * np.einsum("ji,ji->i", v, v), out=columns[0])
        self._powers.fill(columns, v)
        return columns.T

    def whiten(self, A: FloatArray) -> FloatArray:
        """``A / sqrt(a!)``."""
        return self._root * A

    def unwhiten(self, B: FloatArray) -> FloatArray:
        """``B / sqrt(a!)``."""
        return self._root * B

    def missing(self, C: Array) -> FloatArray:
        """The closed form; ``|w|^2 / s^2`` is read off the first feature."""
        first = np.maximum(C[:, 0].astype(np.float64), np.finfo(float).tiny)
        tail = gammainc(self._degree + 1, np.maximum(-2.0 * np.log(first), 0.0))
        return np.maximum(tail, 4.0 * self.size * np.finfo(C.dtype).eps ** 2)
