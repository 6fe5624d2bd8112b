r"""Kernels that are polynomials in beta have finitely many features: sums over pairs are exact.

::

    inner        beta^k = (w_i.w_j)^k = sum_{|a| = k} (k! / a!) w_i^a w_j^a
    difference   beta   = |w_i|^2 + |w_j|^2 - 2 w_i.w_j
"""

from __future__ import annotations

from math import comb, factorial, prod
from typing import final

import numpy as np
from numpy.polynomial import Polynomial

from ..._arrays import Array, FloatArray
from ...kernels import AbstractKernel
from ._base import Features

_LARGEST = 2000  # features; beyond, landmarks need fewer


def has_finite_features(kernel: AbstractKernel, q: int, largest: int = _LARGEST) -> bool:
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
        columns = np.empty((self.size, w.shape[0]), dtype=w.dtype)
        columns[0] = 1.0
        self._powers.fill(columns, np.ascontiguousarray(w.T))
        if self._norms:
            np.einsum("ij,ij->i", w, w, out=columns[-1])
        return columns.T

    def whiten(self, A: FloatArray) -> FloatArray:
        """``R A``; R is diagonal but for differences, and never written out."""
        return self._scale * A if self._root is None else self._root @ A

    def unwhiten(self, B: FloatArray) -> FloatArray:
        """``R' B``."""
        return self._scale * B if self._root is None else self._root.T @ B
