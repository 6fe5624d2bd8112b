r"""How the statistic is distributed where X and Y are independent.

Permuting the rows of Y gives every pairing of the two sides the same chance. Under that
distribution the mean and the variance of ``T = Tr(Kc Lc)`` are known exactly (Kazi-Aoual et al.,
1995), from three sums of each side, ``a1 = Tr Kc``, ``a2 = Tr Kc^2``, ``a3 = sum_i Kc_ii^2``, and
b1, b2, b3 of Lc::

    mean = a1 b1 / (n - 1)
    var  = 2 ((n-1) a2 - a1^2) ((n-1) b2 - b1^2) / (n-1)^2 (n+1) (n-2)
           + u v / (n+1) n (n-1) (n-2) (n-3)
    u    = n (n+1) a3 - (n-1) (a1^2 + 2 a2),     v the same of b

A Gamma distribution with that mean and variance stands for the null. Where the skewness is known
too (:mod:`.cubes`), one moved so that it has all three.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaincc
from scipy.stats import gamma

from .cubes import ClassCubes, third_moment
from .sums import CenteredSums

__all__ = ["GammaNull", "class_null", "gamma_null", "permutation_moments"]


class GammaNull(NamedTuple):
    """A Gamma distribution, moved by ``loc``: the parameters are those of ``scipy.stats.gamma``.

    Freezing that one takes longer than a test of a hundred rows, so it waits until asked for.
    """

    a: float
    loc: float
    scale: float

    def sf(self, statistic: float) -> float:
        """The chance of more than this."""
        return float(gammaincc(self.a, max(statistic - self.loc, 0.0) / self.scale))

    def mean(self) -> float:
        """``a scale + loc``."""
        return self.a * self.scale + self.loc

    def var(self) -> float:
        """``a scale^2``."""
        return self.a * self.scale**2

    def std(self) -> float:
        """``sqrt(a) scale``."""
        return float(np.sqrt(self.a)) * self.scale

    def frozen(self) -> Any:
        """The same as a frozen distribution of ``scipy.stats``."""
        return gamma(*self)


def permutation_moments(sums: CenteredSums) -> tuple[float, float]:
    """Mean and variance of ``Tr(Kc Lc)`` over all n! pairings of the rows (n >= 4)."""
    x = sums.trace_x, sums.xx, sums.diagonal_xx
    y = sums.trace_y, sums.yy, sums.diagonal_yy
    return x[0] * y[0] / (sums.n - 1.0), _variance(float(sums.n), x, y)


def _variance(n: float, x: tuple[float, float, float], y: tuple[float, float, float]) -> float:
    def spread(a1: float, a2: float, _: float) -> float:
        return (n - 1.0) * a2 - a1**2

    def peaks(a1: float, a2: float, a3: float) -> float:
        return n * (n + 1.0) * a3 - (n - 1.0) * (a1**2 + 2.0 * a2)

    first = 2.0 * spread(*x) * spread(*y) / ((n - 1.0) ** 2 * (n + 1.0) * (n - 2.0))
    second = peaks(*x) * peaks(*y) / ((n + 1.0) * n * (n - 1.0) * (n - 2.0) * (n - 3.0))
    return first + second


def class_null(
    sums: CenteredSums, estimator: str, x: ClassCubes, y: ClassCubes
) -> GammaNull | None:
    """The same for two sides of classes, with the skewness of the unbiased estimate."""
    null = gamma_null(sums, estimator)
    variance = _unbiased_variance(sums)
    if null is None or not variance > 0.0:
        return None
    skewness = third_moment(x, y) / variance**1.5
    if skewness <= 2.0 / np.sqrt(null.a):  # never seen below; the Gamma is on the safe side
        return null
    spread, centre = null.std(), null.mean()
    return GammaNull(4.0 / skewness**2, centre - 2.0 * spread / skewness, 0.5 * spread * skewness)


def _unbiased_variance(sums: CenteredSums) -> float:
    x, y = sums.of_x.product("unbiased"), sums.of_y.product("unbiased")
    return _variance(float(sums.n), (0.0, x, 0.0), (0.0, y, 0.0))


def gamma_null(sums: CenteredSums, estimator: str) -> GammaNull | None:
    """The Gamma distribution of the estimate, biased or unbiased; None where it cannot vary.

    The unbiased one has mean 0 under permutations. Its shape is that of the biased one, moved by
    the mean, at the variance of its own matrices, whose diagonals are zero.
    """
    mean, variance = permutation_moments(sums)
    if estimator == "unbiased":
        variance = _unbiased_variance(sums)
    scale = sums.divisor(estimator)
    mean, variance = mean / scale, variance / scale**2
    if mean <= 0.0 or variance <= 1e-20 * mean**2:
        return None
    loc = -mean if estimator == "unbiased" else 0.0
    return GammaNull(mean**2 / variance, loc, variance / mean)
