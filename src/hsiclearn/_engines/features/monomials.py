r"""Features that are monomials of the projected rows.

Kernels that are polynomials in beta have finitely many: sums over pairs are exact. ::

    inner        beta^k = (w_i.w_j)^k = sum_{|a| = k} (k! / a!) w_i^a w_j^a
    difference   beta   = |w_i|^2 + |w_j|^2 - 2 w_i.w_j

A smooth Gaussian is its Taylor series in the inner product, cut off::

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

from math import comb, factorial, prod
from typing import final

import numpy as np
from numpy.polynomial import Polynomial
from scipy.special import gammainc

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, is_foreign, numpy_dtype, writes_into
from ...kernels import AbstractKernel
from ._base import Features
from .tails import poisson_tail

_MOST_MONOMIALS = 2000  # beyond, landmarks need fewer
_LONGEST_SERIES = 500  # features; beyond, landmarks are always fewer and faster
_HIGHEST = 20  # degree of a series; beyond, powers overflow single precision
_TYPICAL = 0.1  # of the tolerance: the mean error stands for all rows here, not the largest


def has_finite_features(kernel: AbstractKernel, q: int, largest: int = _MOST_MONOMIALS) -> bool:
    """Whether the kernel is a polynomial in beta with few enough monomials."""
    coefficients = kernel.coefficients
    if coefficients is None:
        return False
    degree = len(coefficients) - 1
    if kernel.pair.is_difference:
        return degree <= 1
    return comb(q + degree, degree) <= largest


class Powers:
    """Monomials ``prod_j w_j^a_j`` with ``|a| <= degree``, by degree and then by last factor.

    In that order those of degree k whose last factor is ``w_j`` are ``w_j`` times the first few of
    degree k - 1, namely all whose last factor is not beyond j: one product of contiguous blocks.
    """

    def __init__(self, q: int, degree: int) -> None:
        self._q = q
        level: list[tuple[int, ...]] = [()]
        self.axes = list(level)
        self._products: list[tuple[slice, slice, int]] = []  # to, from, factor
        start = 0
        for _ in range(degree):
            below = len(self.axes)
            following: list[tuple[int, ...]] = []
            for j in range(q):
                parents = [axes for axes in level if not axes or axes[-1] <= j]
                to = below + len(following)
                count = len(parents)
                self._products.append((slice(to, to + count), slice(start, start + count), j))
                following += [(*axes, j) for axes in parents]
            self.axes += following
            start, level = below, following
        self.size = len(self.axes)

    @property
    def degrees(self) -> Array:
        """The degree of each monomial."""
        return np.array([len(axes) for axes in self.axes])

    @property
    def factorials(self) -> FloatArray:
        """``a! = prod_j a_j!`` of each monomial."""
        return np.array([float(_factorial(axes)) for axes in self.axes])

    @property
    def multinomials(self) -> FloatArray:
        """``|a|! / a!`` of each monomial: of integers, which no degree overflows."""
        return np.array([float(factorial(len(axes)) // _factorial(axes)) for axes in self.axes])

    def fill(self, columns: Array, v: Array) -> None:
        """Write the monomials of v (q, n) times the first row of ``columns`` (size, n) into it."""
        for to, parents, j in self._products:
            np.multiply(columns[parents], v[j], out=columns[to])

    def times(self, first: Array, v: Array) -> Array:
        """The monomials of v (q, n) times ``first`` (1, n), (size, n), on a device."""
        xp = array_namespace(v)
        if writes_into(v):
            columns = xp.empty((self.size, v.shape[1]), dtype=v.dtype, device=v.device)
            columns[:1, ...] = first
            for to, parents, j in self._products:
                xp.multiply(columns[parents, ...], v[j, ...], out=columns[to, ...])
            return columns
        levels = [first]
        for i in range(0, len(self._products), self._q):  # degree by degree
            below, products = levels[-1], self._products[i : i + self._q]
            blocks = [
                below[: parents.stop - parents.start, ...] * v[j : j + 1, ...]
                for _, parents, j in products
            ]
            levels.append(xp.concat(blocks, axis=0))
        return xp.concat(levels, axis=0)


def _factorial(axes: tuple[int, ...]) -> int:
    return prod(factorial(axes.count(j)) for j in set(axes))


@final
class MonomialFeatures(Features):
    """Monomials of w up to the degree of the ``order``-th derivative of f."""

    is_exact = True
    _root: FloatArray | None = None

    def __init__(self, kernel: AbstractKernel, order: int, q: int) -> None:
        assert kernel.coefficients is not None
        series = Polynomial(kernel.coefficients)
        coefficients = np.asarray((series.deriv(order) if order else series).coef, dtype=float)
        self._norms = kernel.pair.is_difference and len(coefficients) > 1
        if self._norms:
            self._set_difference(coefficients, q)
        else:
            self._set_inner(coefficients, q)
        self.size = self.signs.size

    def _set_inner(self, coefficients: FloatArray, q: int) -> None:
        """One feature per monomial, weighted by ``coefficient k! / a!``."""
        self._powers = Powers(q, len(coefficients) - 1)
        k = self._powers.degrees
        weights = coefficients[k] * self._powers.multinomials
        self._scale = np.sqrt(np.abs(weights))[:, None]
        self.signs = np.sign(weights)

    def _set_difference(self, coefficients: FloatArray, q: int) -> None:
        """``[1, w, |w|^2]`` with ``P = [[c0, 0, c1], [0, -2 c1 I, 0], [c1, 0, 0]]``."""
        c0, c1 = coefficients
        P = np.diag([c0, *[-2.0 * c1] * q, 0.0])
        P[0, -1] = P[-1, 0] = c1
        values, vectors = np.linalg.eigh(P)
        self._powers = Powers(q, 1)
        self._root = np.sqrt(np.abs(values))[:, None] * vectors.T
        self.signs = np.sign(values)

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """Every monomial, and ``|w|^2`` where it is needed."""
        if is_foreign(w):
            xp, v = array_namespace(w), w.T
            columns = self._powers.times(xp.ones_like(v[:1, ...]), v)
            if self._norms:
                columns = xp.concat([columns, xp.sum(v * v, axis=0, keepdims=True)], axis=0)
            return columns.T
        columns = np.empty((self.size, w.shape[0]), dtype=w.dtype)
        columns[0] = 1.0
        self._powers.fill(columns, np.ascontiguousarray(w.T))
        if self._norms:
            np.einsum("ij,ij->i", w, w, out=columns[-1])
        return columns.T

    def whiten(self, A: Array) -> Array:
        """``R A``; R is diagonal but for differences, and never written out."""
        return beside(self._scale, A) * A if self._root is None else beside(self._root, A) @ A

    def unwhiten(self, B: Array) -> Array:
        """``R' B``."""
        return beside(self._scale, B) * B if self._root is None else beside(self._root.T, B) @ B


@final
class TaylorFeatures(Features):
    """All monomials up to a degree, times a Gaussian of rate ``-1 / 2s^2``."""

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
            if comb(q + degree, degree) > _LONGEST_SERIES:
                return None
            root = np.sqrt(gammainc(degree + 1, squares))
            # As in the bound on Phi: far rows count as much as they weigh there.
            if root.mean() * (root @ squares) / squares.size / spread <= _TYPICAL * rtol:
                return cls(kernel.rate, degree, q)
        return None

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """The Gaussian, times every monomial of w/s."""
        if is_foreign(w):
            xp, v = array_namespace(w), (self._scale * w).T
            first = xp.exp(-0.5 * xp.sum(v * v, axis=0, keepdims=True))
            return self._powers.times(first, v).T
        n = w.shape[0]
        memory = np.empty(self.size * n, dtype=w.dtype) if workspace is None else workspace
        columns = memory[: self.size * n].reshape(self.size, n)
        v = np.ascontiguousarray((self._scale * w).T, dtype=w.dtype)
        np.exp(-0.5 * np.einsum("ji,ji->i", v, v), out=columns[0])
        self._powers.fill(columns, v)
        return columns.T

    def whiten(self, A: Array) -> Array:
        """``A / sqrt(a!)``."""
        return beside(self._root, A) * A

    def unwhiten(self, B: Array) -> Array:
        """``B / sqrt(a!)``."""
        return beside(self._root, B) * B

    def missing(self, C: Array, workspace: Array | None = None) -> Array:
        """The closed form; ``|w|^2 / s^2`` is read off the first feature."""
        rounding = 4.0 * self.size * float(np.finfo(numpy_dtype(C)).eps) ** 2
        if is_foreign(C):
            xp, first = array_namespace(C), in_dtype(C[:, 0], np.float64)
            squares = -2.0 * xp.log(xp.clip(first, min=float(np.finfo(float).tiny)))
            tail = poisson_tail(self._degree + 1, xp.clip(squares, min=0.0))
            return xp.clip(tail, min=rounding)
        first = np.maximum(C[:, 0].astype(np.float64), np.finfo(float).tiny)
        tail = gammainc(self._degree + 1, np.maximum(-2.0 * np.log(first), 0.0))
        return np.maximum(tail, rounding)
