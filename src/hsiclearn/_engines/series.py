r"""Sums over all pairs from a series of the kernel, where that ends below rounding.

Seen from a centre m, with ``v = W'x - m``, a Gaussian is a sum over monomials::

    exp(-|v_i - v_j|^2 / 2s^2) = sum_a c_a(v_i) c_a(v_j) / a!
    c_a(v)                     = exp(-|v|^2 / 2s^2) prod_k (v_k / s)^a_k

Cut off after degree p, it leaves out a positive definite kernel whose value at (v, v) is the chance
that a Poisson variable of mean ``|v|^2 / s^2`` exceeds p. The degree is such that this is no more
than the rounding unit at the farthest row, so no kernel value is off by more: that is what the
exponential rounds to. With few directions and a bandwidth as wide as the rows, some hundred
monomials do. Gamma is a table T of classes; with ``A_k = sum_{i in k} c(v_i) [x_i, 1]'`` ::

    X'(Gamma o f)X = sum_kl T_kl A_k' diag(1/a!) A_l                  on the columns of X
    degree_i       = c(v_i)' diag(1/a!) sum_l T_{y_i l} A_l           on the column of ones

Time and memory are n D instead of n^2 / 2, D the number of monomials; f' and f'' are multiples
of f.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import final

import numpy as np
from scipy.special import gammainc

from .._arrays import FloatArray
from ..gamma import AbstractGamma, ClassTable
from ..gamma.row_factor import runs_of
from ..kernels import AbstractKernel
from .features import Powers
from .hessian_blocks import (
    Moments,
    assemble,
    column_pairs,
    degree_grams,
    spread,
    thin_columns,
)

_FEWEST_ROWS = 400  # with fewer, all pairs take no longer than the calls of a series
_ROWS_PER_MONOMIAL = 2.5  # with fewer, pairs are as fast: measured
_ROWS_PER_CLASS = 20  # with fewer, so are the products of classes by classes
_HIGHEST = 40  # degree; monomials up to it stay in the range of numbers
_UNIT = float(np.finfo(np.float64).eps)


@final
class GaussianSeries:
    """Sums for rows sorted by class; ``at(W)`` says whether the series is short enough there."""

    def __init__(self, X: FloatArray, gamma: ClassTable, kernel: AbstractKernel) -> None:
        [(self._weight, term)] = kernel.terms
        assert term.rate is not None
        self._X, self._pair, self._rate = X, term.pair, term.rate
        self._table, self._runs = gamma.table, runs_of(gamma.codes)
        self._X1 = np.concatenate([X, np.ones((X.shape[0], 1))], axis=1)
        self._W: FloatArray | None = None
        self._w = X[:, :0]
        self._C = self._inverse = np.empty((0, 0))

    @staticmethod
    def of(X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> GaussianSeries | None:
        """For one kernel that is its own derivative, of differences, and a few classes."""
        terms, n = kernel.terms, X.shape[0]
        if len(terms) != 1 or n <= _FEWEST_ROWS or not isinstance(gamma, ClassTable):
            return None
        term = terms[0][1]
        if term.rate is None or not term.pair.is_difference or kernel.has_row_scales:
            return None
        few = _ROWS_PER_CLASS * gamma.table.shape[0] <= n
        return GaussianSeries(X, gamma, kernel) if few else None

    def at(self, W: FloatArray) -> bool:
        """Move to W; False where the series is too long there, and nothing can be asked."""
        if self._W is None or not np.array_equal(self._W, W):
            self._W, self._w = W.copy(), self._X @ W
            self._C = self._monomials(self._w)
        return self._C.size > 0

    def _monomials(self, w: FloatArray) -> FloatArray:
        """``c_a(v_i)``, one row per monomial; nothing where there would be too many."""
        v = np.ascontiguousarray((w - 0.5 * (w.max(axis=0) + w.min(axis=0))).T)
        v *= np.sqrt(-2.0 * self._rate)
        squares = np.einsum("ij,ij->j", v, v)
        degree = _degree(float(squares.max()), *v.shape)
        if degree is None:
            return np.empty((0, 0))
        powers, self._inverse = _powers(v.shape[0], degree)
        C = np.empty((powers.size, v.shape[1]))
        np.exp(-0.5 * squares, out=C[0])
        powers.fill(C, v)
        return C

    def _sums(self, V: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``A_k`` for columns V, and ``diag(1/a!) sum_l T_kl A_l``, both (classes, D, columns)."""
        A = np.zeros((self._table.shape[0], self._C.shape[0], V.shape[1]))
        for k, run in self._runs:
            np.matmul(self._C[:, run], V[run], out=A[k])
        return A, self._inverse * np.tensordot(self._table, A, (1, 0))

    def _spread(self, T: FloatArray) -> FloatArray:
        """``c(v_i)' T_k`` of every row, k its class."""
        out = np.empty((self._C.shape[1], T.shape[2]))
        for k, run in self._runs:
            np.matmul(self._C[:, run].T, T[k], out=out[run])
        return out

    def contract(self) -> tuple[float, FloatArray]:
        """``sum_ij Gamma_ij f(beta_ij)`` and ``X' c L(S) X``."""
        A, T = self._sums(self._X1)
        d, factor = self._X.shape[1], self._weight * self._rate
        total = self._weight * float(np.vdot(A[:, :, d], T[:, :, d]))
        XSX = _form(A[:, :, :d], T[:, :, :d])
        degree = self._spread(np.ascontiguousarray(T[:, :, d:]))[:, 0]
        return total, factor * self._pair.contracted(XSX, degree, self._X)

    def hessian_blocks(self) -> FloatArray:
        """M of :meth:`AbstractEngine.hessian_blocks`, from the moments of ``Gamma o f''``."""
        X, w, (d, q) = self._X, self._w, (self._X.shape[1], self._w.shape[1])
        thin = thin_columns(w)
        wide = (1 + q + len(column_pairs(q))) * d
        A, T = self._sums(np.concatenate([spread(X, thin), thin], axis=1))
        singles, rest = slice(d, (q + 1) * d), slice((q + 1) * d, wide)
        first = _form(A[:, :, singles], T[:, :, singles])
        second = _form(A[:, :, :d], T[:, :, rest])
        grams = degree_grams(self._pair, X, w, self._spread(np.ascontiguousarray(T[:, :, wide:])))
        factor = self._weight * self._rate**2
        return factor * assemble(self._pair, Moments(first, second), grams, q)


def _form(A: FloatArray, T: FloatArray) -> FloatArray:
    """``sum_k A_k' T_k``."""
    return A.reshape(-1, A.shape[2]).T @ T.reshape(-1, T.shape[2])


def _degree(farthest: float, q: int, n: int) -> int | None:
    """The lowest degree that leaves out a rounding unit; None where rows do not pay for it.

    ``farthest`` is the largest ``|v|^2 / s^2``.
    """
    enough = np.flatnonzero(gammainc(np.arange(1.0, _HIGHEST + 2.0), farthest) <= _UNIT)
    degree = int(enough[0]) if enough.size else None
    is_long = degree is None or _ROWS_PER_MONOMIAL * comb(q + degree, degree) > n
    return None if is_long else degree


@cache
def _powers(q: int, degree: int) -> tuple[Powers, FloatArray]:
    """The monomials, and ``1 / a!`` of each as a column."""
    powers = Powers(q, degree)
    return powers, 1.0 / powers.factorials[:, None]
