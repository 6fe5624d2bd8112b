"""The tail of a Poisson variable, in any array namespace."""

from __future__ import annotations

from math import factorial

from ..._arrays import Array, array_namespace

_TERMS = 80  # of a series whose terms fall like 1 / k!


def poisson_tail(m: int, x: Array) -> Array:
    """The chance that a Poisson variable of mean x is at least m, for m up to some 20.

    ::

        exp(-x) sum_{k >= m} x^k / k!          a positive series, of few terms up to x = m
        1 - exp(-x) sum_{k < m} x^k / k!       above, where it is of the order of 1
    """
    xp = array_namespace(x)
    near = xp.clip(x, max=m + 2.0)
    term = total = near**m / float(factorial(m))
    for k in range(m + 1, m + _TERMS):
        term = term * near / float(k)
        total = total + term
    rest = below = xp.ones_like(x)
    for k in range(1, m):
        rest = rest * x / float(k)
        below = below + rest
    return xp.where(x <= m + 2.0, xp.exp(-near) * total, 1.0 - xp.exp(-x) * below)
