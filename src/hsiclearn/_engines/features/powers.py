"""All monomials of the columns of w up to a degree, by a few products of blocks."""

from __future__ import annotations

from math import factorial, prod

import numpy as np

from ..._arrays import Array, FloatArray

__all__ = ["Powers"]


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
