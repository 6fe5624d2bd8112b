r"""Units of rows: a power of two in which neither squares nor fourth powers leave the doubles.

Where a kernel scales with its rows, ``k(aX) = a^r k(X)``, rows very large or very small are
measured in a power of two, which costs no digit, and what is found is turned back:
``HSIC = 2^(e_x + e_y)`` times the one in units. CKA and p-values have no unit.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from .._columns import AbstractColumn
from .._rows import Summary
from ..kernels import AbstractKernel

_MODERATE = 50  # powers of two: rows within need no unit
_LARGEST = 1e60  # kernel value; the variance of the null multiplies four of them, n^2 times over


def unit_of(size: float) -> int:
    """The exponent of the unit for numbers of this size; 0 for ordinary ones."""
    exponent = math.frexp(size)[1] if size > 0.0 else 0
    return exponent if abs(exponent) > _MODERATE else 0


def in_unit(numbers: Any, exponent: int) -> Any:
    """``2^-exponent`` times an array, dense or sparse, here or not, or a column, exactly."""
    if exponent == 0:
        return numbers
    if isinstance(numbers, AbstractColumn):
        return numbers.map(partial(in_unit, exponent=exponent), is_kept=False).kept()
    half = -exponent // 2  # for the smallest numbers 2^-exponent is none
    return numbers * 2.0**half * 2.0 ** (-exponent - half)


def seen_in_unit(seen: Summary, exponent: int) -> Summary:
    """What was seen of the rows, in the same unit."""
    return Summary(*(in_unit(part, exponent) for part in (seen.mean, seen.lowest, seen.highest)))


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


def widest(seen: Summary) -> float:
    """The range of the column that has the largest."""
    return float((seen.highest - seen.lowest).max())
