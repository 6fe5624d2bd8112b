"""What a kernel is: f, f', f'' and a pair type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from ..exceptions import InvalidKernelError
from ._pairs import Pair

if TYPE_CHECKING:
    from .combination import Combination
    from .relative_gaussian import NeighbourScales

SMALLEST, LARGEST = 1e-70, 1e70  # lengths: a Hessian multiplies four of them

Scaled = tuple[float, Array]
"""A number times an array, kept apart so that several can share the array."""


class Power(NamedTuple):
    """``f(b) = size (1 + b / unit)^exponent``."""

    size: float
    unit: float
    exponent: float

    def slope(self, order: int) -> Power:
        """The derivative of that order."""
        size, unit, p = self
        for _ in range(order):
            size, p = size * p / unit, p - 1.0
        return Power(size, unit, p)


class AbstractKernel(ABC):
    """``K_ij = f(beta_ij)``: three scalar functions and the pair type of beta.

    A subclass is final. It sets ``pair`` and writes ``f``, ``df`` and ``d2f`` for an array of
    any shape, in the array's own namespace. ``f'(0)`` must be finite.
    """

    pair: Pair
    grows_with_distance: bool = False
    """True where f increases with distance: maximising HSIC with it *flees* dependence."""

    definite: tuple[int, int, int] = (0, 0, 0)
    """Signs that make ``f``, ``f'`` and ``f''`` positive definite kernels; 0 where none does."""
    rate: float | None = None
    """The number r with ``f' = r f``, where there is one: then one set of features serves all."""
    coefficients: tuple[float, ...] | None = None
    """Of f as a polynomial in beta, lowest power first, where it is one."""

    @property
    def power(self) -> Power | None:
        """Of f as a power of ``1 + b / unit``, where it is one."""
        return None

    @abstractmethod
    def f(self, beta: Array) -> Array:
        """The kernel's value."""

    @abstractmethod
    def df(self, beta: Array) -> Array:
        """The first derivative of ``f``."""

    @abstractmethod
    def d2f(self, beta: Array) -> Array:
        """The second derivative of ``f``."""

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """``(f, f', f'')`` up to ``order``, each as a factor and an array.

        Override it where the three share work. They may share an array and may be written over
        ``beta``, which the caller gives up; in turn the caller may write over them.
        """
        xp = array_namespace(beta)
        functions = (self.f, self.df, self.d2f)[: order + 1]
        # Copies, since the caller may write to them: a user's function may return any array.
        return tuple((1.0, xp.asarray(g(beta), copy=True)) for g in functions)

    def ignores_shifts(self, *, centered: bool) -> bool:
        """Whether no sum over pairs changes when one vector m is added to every row.

        Differences never see m. Where Gamma is ``centered`` (zero row sums) neither do inner
        products to the first power: ``sum_j Gamma_ij (x_i + m)'WW'(x_j + m)`` has m only in terms
        that a row sum of Gamma multiplies.
        """
        return all(
            term.pair.is_difference
            or (centered and term.coefficients is not None and len(term.coefficients) <= 2)
            for _, term in self.terms
        )

    @property
    def scale(self) -> float | None:
        """Its ``bandwidth`` or ``c``, in the unit of distances; None where it has none."""
        return getattr(self, "bandwidth", getattr(self, "c", None))

    has_row_scales: bool = False
    """Whether rows have scales of their own; they come from neighbours among all rows."""

    def row_scales(self, X: FloatArray, weights: FloatArray | None = None) -> FloatArray | None:
        """Per-row factors s, for ``K_ij = f(s_i s_j beta_ij)``; None means none."""
        scales = self.scales_of(X, weights)
        return None if scales is None else scales.inverse

    def scales_of(
        self, rows: FloatArray, weights: FloatArray | None = None
    ) -> NeighbourScales | None:
        """The scales of these rows, which may have weights, with their derivatives; None: none."""
        return None

    @property
    def terms(self) -> tuple[tuple[float, AbstractKernel], ...]:
        """The kernel as a weighted sum of kernels with one pair type each."""
        return ((1.0, self),)

    def __add__(self, other: AbstractKernel) -> Combination:
        from .combination import Combination

        if not isinstance(other, AbstractKernel):
            return NotImplemented
        return Combination(self.terms + other.terms)

    def __mul__(self, factor: float) -> Combination:
        from .combination import Combination

        if isinstance(factor, bool) or not isinstance(factor, int | float):
            return NotImplemented
        return Combination(tuple((factor * weight, kernel) for weight, kernel in self.terms))

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Combination:
        return self * (1.0 / divisor)

    def __sub__(self, other: AbstractKernel) -> Combination:
        if not isinstance(other, AbstractKernel):
            return NotImplemented
        return self + (-other)

    def __radd__(self, other: int) -> AbstractKernel:
        return self if other == 0 else NotImplemented  # so that sum([...]) works

    def __neg__(self) -> Combination:
        return -1.0 * self


def check_positive(
    kernel: str, name: str, value: float, within: tuple[float, float] = (SMALLEST, LARGEST)
) -> None:
    """Raise unless a kernel's parameter is positive and finite, and its powers are, too."""
    is_number = isinstance(value, int | float | np.integer | np.floating)
    # As a float: single precision knows no number as large as the bound.
    size = float(value) if is_number and not isinstance(value, bool) else np.nan
    if not within[0] < size < within[1]:
        remedy = "For a scale that suits the data use bandwidth='median'."
        if 0.0 < size < np.inf:  # it may be the one that suits the data
            remedy = "Squares of such numbers are lost: scale the columns, e.g. by StandardScaler."
        bounds = f"{within[0]:g} to {within[1]:g}".replace("+", "")
        raise InvalidKernelError(
            f"{kernel} needs `{name}` > 0 and finite ({bounds}). Got {name}={value!r}. {remedy}"
        )
