r"""Units in which a side is measured, so that no sum leaves the range of numbers.

HSIC multiplies two kernel matrices, its null distribution four. Where a kernel scales with its
rows, ``k(aX) = a^r k(X)``, rows very large or very small are measured in a power of two, which
costs no digit, and what is found is turned back: ``HSIC = 2^(e_x + e_y)`` times the one in units.
CKA and p-values have no unit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernels import AbstractKernel

_MODERATE = 50  # powers of two: rows within need no unit
_LARGEST = 1e60  # kernel value; the variance of the null multiplies four of them, n^2 times over


def unit_of(size: float) -> int:
    """The exponent of the unit for numbers of this size; 0 for ordinary ones."""
    exponent = math.frexp(size)[1] if size > 0.0 else 0
    return exponent if abs(exponent) > _MODERATE else 0


def in_unit(numbers: Any, exponent: int) -> Any:
    """``2^-exponent`` times an array, dense or sparse, exactly."""
    if exponent == 0:
        return numbers
    half = -exponent // 2  # for the smallest numbers 2^-exponent is none
    return numbers * 2.0**half * 2.0 ** (-exponent - half)


def homogeneity(kernel: AbstractKernel) -> int | None:
    """The power r with ``k(aX) = a^r k(X)``; None where there is none."""
    powers = set()
    for _, term in kernel.terms:
        found = np.flatnonzero(term.coefficients if term.coefficients is not None else (1.0, 1.0))
        powers |= set(found.tolist())
    return 2 * powers.pop() if len(powers) == 1 and 0 not in powers else None


def check_range(kernel: AbstractKernel, longest: float, name: str) -> None:
    """Raise unless the kernel of inner products is moderate at the longest of the rows."""
    with np.errstate(over="ignore"):
        largest = sum(
            abs(weight * float(np.asarray(term.f(np.array([longest**2])))[0]))
            for weight, term in kernel.terms
            if not term.pair.is_difference
        )
    if not largest <= _LARGEST:
        raise ValueError(
            f"The kernel of {name}, {kernel!r}, is as large as {largest:.1g} on these rows: more "
            f"than {_LARGEST:g}, of which products overflow. Scale {name} (StandardScaler)."
        )


def back_from_units(value: float, exponent: int) -> float:
    """``2^exponent value``, or an error where a double cannot hold it."""
    if exponent == 0 or value == 0.0:
        return value
    try:
        turned = math.ldexp(value, exponent)
    except OverflowError:
        turned = math.inf
    if not np.finfo(float).tiny <= abs(turned) <= np.finfo(float).max:
        power = math.log10(abs(value)) + exponent * math.log10(2.0)
        raise ValueError(
            f"HSIC of these data is about 1e{power:+.0f}, which is no double. Scale X or Y: cka "
            "and the p-value of hsic_test do not change."
        )
    return turned
