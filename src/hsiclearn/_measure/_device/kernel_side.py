"""Rows of numbers on a device under a kernel of the package."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array, array_namespace
from ...kernels import AbstractKernel, Pair
from .scales import neighbour_scales
from .sides import DeviceSide, Part


class DeviceKernelSide(DeviceSide):
    """Rows of numbers under a kernel of the package.

    X is seen from its mean where the kernel does not mind. Scales of rows, where terms have some,
    follow X among the arrays.
    """

    def __init__(
        self, X: Array, kernel: AbstractKernel, is_constant: bool, exponent: int = 0
    ) -> None:
        groups: dict[Pair, list[tuple[float, AbstractKernel, int]]] = {}
        arrays = [X]
        for weight, term in kernel.terms:
            if term.has_row_scales:
                arrays.append(neighbour_scales(term, X))
            place = len(arrays) - 1 if term.has_row_scales else 0
            groups.setdefault(term.pair, []).append((weight, term, place))
        super().__init__(tuple(arrays))
        self.kernel, self.name, self.is_constant = kernel, repr(kernel), is_constant
        self.exponent, self._groups = exponent, groups
        self.definite, self.centered_only = _definiteness(kernel)

    def block(self, left: Part, right: Part) -> Array:
        total: Array | None = None
        for pair, terms in self._groups.items():
            a, b = pair.beta_factors(left[0])[0], pair.beta_factors(right[0])[1]
            beta: Array | None = None
            for weight, term, place in terms:
                if term.rate is not None and not place:
                    values = _exponential(term, a, b)
                else:
                    beta = pair.beta(a, b) if beta is None else beta
                    own = beta + 0.0 if len(terms) > 1 else beta
                    if place:
                        own = left[place][:, None] * right[place][None, :] * own
                    factor, values = term.jet(own, 0)[0]
                    values = values if factor == 1.0 else factor * values
                values = values if weight == 1.0 else weight * values
                total = values if total is None else total + values
        assert total is not None
        return total

    def diagonal(self, part: Part) -> Array:
        xp, x = array_namespace(part[0]), part[0]
        squares = xp.sum(x * x, axis=1)
        total = xp.zeros_like(squares)
        for weight, term in self.kernel.terms:
            own = squares - squares if term.pair.is_difference else squares
            total = total + weight * term.f(own)
        return total

    def origin(self) -> Part:
        """The mean."""
        xp = array_namespace(self.like)
        return (xp.zeros_like(self.like[:1, :]),)


def _exponential(term: AbstractKernel, a: Array, b: Array) -> Array:
    """``exp(rate beta)`` with the rate in a thin factor: half as many passes over the block."""
    values = array_namespace(a).exp((term.rate * a) @ b.T)
    at_zero = float(np.asarray(term.f(np.zeros(1)))[0])
    return values if at_zero == 1.0 else at_zero * values


def _definiteness(kernel: AbstractKernel) -> tuple[int, bool]:
    """The sign of a definite kernel, 0 where it is not known, and whether centring is needed."""
    signs, centered_only = set(), False
    for weight, term in kernel.terms:
        sign = term.definite[0]
        if term.has_row_scales:
            sign = 0
        elif term.grows_with_distance:
            sign, centered_only = -1, True
        elif not term.pair.is_difference and term.coefficients is not None:
            sign = 1 if min(term.coefficients) >= 0.0 else 0
        signs.add(int(np.sign(weight)) * sign)
    return (signs.pop() if len(signs) == 1 else 0), centered_only
