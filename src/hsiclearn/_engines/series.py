r"""Sums over all pairs from a series of the kernel, where that ends below rounding.

With ``v = (W'x - m) / s``, m a centre, a Gaussian of bandwidth s is a sum over monomials::

    exp(-|v_i - v_j|^2 / 2) = sum_a c_a(v_i) c_a(v_j) / a!
    c_a(v)                  = exp(-|v|^2 / 2) prod_k v_k^a_k

Cut off after degree p, it leaves out a positive definite kernel whose value at (v, v) is the chance
that a Poisson variable of mean ``|v|^2`` exceeds p. The degree is such that this is no more than
the rounding unit at the farthest row, so no kernel value is off by more: that is what the
exponential rounds to. (Where rows that are near each other lie far from m, terms of Phi nearly
cancel, and it keeps a digit or two less than the sum over pairs does.) With few directions and a
bandwidth as wide as the rows, some hundred monomials do. Gamma is a table T of classes; with
``A_k = sum_{i in k} c(v_i) [x_i, 1]'`` ::

    X'(Gamma o f)X = sum_kl T_kl A_k' diag(1/a!) A_l                  on the columns of X
    degree_i       = c(v_i)' diag(1/a!) sum_l T_{y_i l} A_l           on the column of ones

The Hessian has ``v_a x`` and ``v_a v_b x`` for x. A monomial times v_a is one of a higher degree,
so two degrees more in the same A are all it takes. Time and memory are n D instead of n^2 / 2, D
the number of monomials; f' and f'' are multiples of f.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple, final

import numpy as np
from scipy.special import gammainc

from .._arrays import Array, FloatArray
from ..gamma import AbstractGamma, ClassTable
from ..gamma.row_factor import runs_of
from ..kernels import AbstractKernel
from .features import Powers
from .hessian_blocks import Moments, assemble, column_pairs, degree_grams

_FEWEST_ROWS = 400  # with fewer, all pairs take no longer than the calls of a series
_ROWS_PER_MONOMIAL = 2.5  # with fewer, pairs are as fast: measured
_PRODUCTS_PER_ROW = 0.25  # c (c + d): with more, products of classes and columns cost more
_BENDS_PER_ROW = 0.5  # c q^2 d, of the Hessian
_HIGHEST = 40  # degree; monomials up to it stay in the range of numbers
_UNIT = float(np.finfo(np.float64).eps)


@final
class GaussianSeries:
    """Sums for rows sorted by class; ``at(W)`` says whether the series is short enough there."""

    def __init__(
        self, X: FloatArray, gamma: ClassTable, kernel: AbstractKernel, memory_budget: int
    ) -> None:
        self._most_values = memory_budget // 16  # of monomials: half of the budget
        [(self._weight, term)] = kernel.terms
        assert term.rate is not None
        self._X, self._pair, self._rate = X, term.pair, term.rate
        self._table, self._runs = gamma.table, runs_of(gamma.codes)
        self._X1 = np.concatenate([X, np.ones((X.shape[0], 1))], axis=1)
        self._W: FloatArray | None = None
        self._v = X[:, :0].T
        self._terms: _Terms | None = None
        self._C = self._A = np.empty((0, 0))

    @staticmethod
    def of(
        X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel, memory_budget: int
    ) -> GaussianSeries | None:
        """For one kernel that is its own derivative, of differences, and a few classes."""
        terms, n = kernel.terms, X.shape[0]
        if len(terms) != 1 or n <= _FEWEST_ROWS or not isinstance(gamma, ClassTable):
            return None
        term = terms[0][1]
        if term.rate is None or not term.pair.is_difference or kernel.has_row_scales:
            return None
        c, d = gamma.table.shape[0], X.shape[1]
        few = c * (c + d) <= _PRODUCTS_PER_ROW * n
        return GaussianSeries(X, gamma, kernel, memory_budget) if few else None

    def at(self, W: FloatArray) -> bool:
        """Move to W; False where the series is too long there, and nothing can be asked."""
        if self._W is None or not np.array_equal(self._W, W):
            self._W, w = None, self._X @ W  # until all that belongs to W is there
            v = (w - 0.5 * (w.max(axis=0) + w.min(axis=0))).T
            self._v = np.ascontiguousarray(np.sqrt(-2.0 * self._rate) * v)
            squares = np.einsum("ij,ij->j", self._v, self._v)
            self._terms = _terms_for(float(squares.max()), *v.shape)
            if self._terms is not None and self._terms.powers.size * v.shape[1] > self._most_values:
                self._terms = None
            if self._terms is not None:
                self._gather(self._terms.powers, squares)
            self._W = W.copy()
        return self._terms is not None

    @property
    def has_hessian(self) -> bool:
        """Whether its products of directions, classes and columns are few beside the pairs."""
        c, d, q = self._table.shape[0], self._X.shape[1], self._v.shape[0]
        return c * q**2 * d <= _BENDS_PER_ROW * self._X.shape[0]

    def _gather(self, powers: Powers, squares: FloatArray) -> None:
        """``c_a(v_i)``, one row per monomial, and ``A_k``, (classes, monomials, d + 1)."""
        C = self._C = np.empty((powers.size, squares.size))
        np.exp(-0.5 * squares, out=C[0])
        powers.fill(C, self._v)
        self._A = np.zeros((self._table.shape[0], powers.size, self._X1.shape[1]))
        for k, run in self._runs:
            np.matmul(C[:, run], self._X1[run], out=self._A[k])

    def _spread(self, T: FloatArray) -> FloatArray:
        """``c(v_i)' T_k`` of every row, k its class."""
        _, size, width = T.shape
        out = np.empty((self._C.shape[1], width))
        for k, run in self._runs:
            np.matmul(self._C[:size, run].T, np.ascontiguousarray(T[k]), out=out[run])
        return out

    def contract(self) -> tuple[float, FloatArray]:
        """``sum_ij Gamma_ij f(beta_ij)`` and ``X' c L(S) X``."""
        assert self._terms is not None
        inverse, d = self._terms.inverse, self._X.shape[1]
        A = self._A[:, : inverse.size]
        T = inverse[:, None] * np.tensordot(self._table, A, (1, 0))
        total = self._weight * float(np.vdot(A[:, :, d], T[:, :, d]))
        degree = self._spread(T[:, :, d:])[:, 0]
        matrix = self._pair.contracted(_form(A[:, :, :d], T[:, :, :d]), degree, self._X)
        return total, self._weight * self._rate * matrix

    def hessian_blocks(self) -> FloatArray:
        """M of :meth:`AbstractEngine.hessian_blocks`, from the moments of ``Gamma o f''``."""
        assert self._terms is not None
        inverse, X, (d, q) = self._terms.inverse, self._X, (self._X.shape[1], self._v.shape[0])
        A = self._A[:, self._terms.raised]  # of [1, v_a, v_a v_b] times [x, 1]
        T = inverse[:, None, None] * np.tensordot(self._table, A, (1, 0))
        singles, rest = slice(1, 1 + q), slice(1 + q, None)
        first = _form(A[:, :, singles, :d], T[:, :, singles, :d])
        second = _form(A[:, :, 0, :d], T[:, :, rest, :d])
        grams = degree_grams(self._pair, X, self._v.T, self._spread(T[:, :, :, d]))
        factor = -0.5 * self._weight * self._rate  # rate^2, and s^2 for v in the place of w
        return factor * assemble(self._pair, Moments(first, second), grams, q)


def _form(A: FloatArray, T: FloatArray) -> FloatArray:
    """``sum_k A_k' T_k``; what follows the monomials are columns."""
    c, size = A.shape[:2]
    return A.reshape(c * size, -1).T @ T.reshape(c * size, -1)


class _Terms(NamedTuple):
    """Monomials up to degree p + 2, and of those up to p ``1 / a!`` and where they rise to.

    ``raised`` are the places of a monomial times ``[1, v_a, v_a v_b]``.
    """

    powers: Powers
    inverse: FloatArray
    raised: Array


def _terms_for(farthest: float, q: int, n: int) -> _Terms | None:
    """Of the lowest degree that leaves out a rounding unit; None where rows do not pay for it.

    ``farthest`` is the largest ``|v|^2``.
    """
    enough = np.flatnonzero(gammainc(np.arange(1.0, _HIGHEST + 2.0), farthest) <= _UNIT)
    if enough.size == 0 or _ROWS_PER_MONOMIAL * comb(q + int(enough[0]) + 2, q) > n:
        return None
    return _terms(q, int(enough[0]))


@cache
def _terms(q: int, degree: int) -> _Terms:
    powers, size = Powers(q, degree + 2), comb(q + degree, q)
    place = {axes: i for i, axes in enumerate(powers.axes)}
    more = [(), *((a,) for a in range(q)), *column_pairs(q)]
    raised = [[place[tuple(sorted((*axes, *by)))] for by in more] for axes in powers.axes[:size]]
    return _Terms(powers, 1.0 / powers.factorials[:size], np.array(raised))
