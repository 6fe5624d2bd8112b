r"""How the statistic is distributed where X and Y are independent.

Permuting the rows of Y gives every pairing of the two sides the same chance. Under that
distribution the mean and the variance of ``T = Tr(Kc Lc)`` are known exactly (Kazi-Aoual et al.,
1995), from three sums of each side, ``a1 = Tr Kc``, ``a2 = Tr Kc^2``, ``a3 = sum_i Kc_ii^2``, and
b1, b2, b3 of Lc::

    mean = a1 b1 / (n - 1)
    var  = 2 ((n-1) a2 - a1^2) ((n-1) b2 - b1^2) / (n-1)^2 (n+1) (n-2)
           + u v / (n+1) n (n-1) (n-2) (n-3)
    u    = n (n+1) a3 - (n-1) (a1^2 + 2 a2),     v the same of b

A Gamma distribution with that mean and variance stands for the null. Two labellings of many classes
agree on few pairs of rows, and the statistic is far more skewed than that; so where both sides are
classes the third moment is used, too. With U-centred matrices A and B (zero diagonal, zero row
sums), ``t = Tr A^3`` and ``u = sum_ij A_ij^3``, and t', u' of B (where all diagonals vanish)::

    E Tr(AB)^3 = [4 (n^4 - 8n^3 + 19n^2 - 4n - 16) u u' + 8 (n^3 - 9n^2 + 26n - 22) t t'
                  - 8 (3n^2 - 15n + 16) (t u' + u t')] / n (n-1) (n-2) (n-3) (n-4) (n-5)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaincc
from scipy.stats import gamma

from .._arrays import FloatArray
from .sums import CenteredSums

_ROUNDING = 1e-9


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
    x, y = (
        (float(sums.traces[i]), float(sums.products[i, i]), float(sums.diagonals[i, i]))
        for i in (0, 1)
    )
    return x[0] * y[0] / (sums.n - 1.0), _variance(float(sums.n), x, y)


def check_moments(sums: CenteredSums) -> None:
    """Raise where no table of rows has such sums.

    Of weights below 1 these may leave less than nothing once every row has been taken out of the
    pairs with itself.
    """
    n, squares = float(sums.n), sums.products.diagonal()
    mean, variance = permutation_moments(sums)
    is_below = (
        (n - 1.0) * squares - sums.traces**2 < -_ROUNDING * n * squares,
        sums.without_diagonals("unbiased").diagonal() < -_ROUNDING * squares,
        variance < -_ROUNDING * mean**2,
    )
    if any(np.any(found) for found in is_below):
        raise ValueError(
            "The sum of `sample_weight` is a number of rows, and no table of so few rows varies "
            f"like this one. Got {n:g}: multiply shares by the number of rows that they are of."
        )


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
    x, y = sums.without_diagonals("unbiased").diagonal().tolist()
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


@dataclass(frozen=True)
class ClassCubes:
    """``Tr A^3`` and ``sum A^3`` of the U-centred delta kernel of n rows.

    They need the sizes of the classes alone: ``A_ij = B_kl`` for rows of the classes k and l,
    ``B = I - v 1' - 1 v' + s 11'``, but 0 at ``i = j``.
    """

    n: float
    trace: float
    entries: float

    @classmethod
    def of(cls, counts: FloatArray) -> ClassCubes:
        """From the sizes of the classes, O(c)."""
        N = np.asarray(counts[counts > 0], dtype=np.float64)
        n = float(N.sum())
        v = (N - 1.0) / (n - 2.0)
        s = float(N @ (N - 1.0)) / ((n - 1.0) * (n - 2.0))
        own = 1.0 - 2.0 * v + s  # B_kk
        a = v - s  # B_kl = -(a_k + v_l) off the diagonal
        S1, S2, S3 = (float(N @ v**k) for k in (1, 2, 3))
        other = 2.0 * v - s
        cubes = N**2 @ (own**3 + other**3) - N @ (n * a**3 + 3 * a**2 * S1 + 3 * a * S2 + S3)
        row_squares = N * (own**2 - other**2) + n * a**2 + 2.0 * a * S1 + S2  # (B N B)_kk
        trace = _trace_of_cube(N, v, s) - 3.0 * (N * own) @ row_squares + 2.0 * N @ own**3
        return cls(n, float(trace), float(cubes - N @ own**3))


def _trace_of_cube(N: FloatArray, v: FloatArray, s: float) -> float:
    """``Tr (diag(N) B)^3``, B the identity and a matrix of rank 2."""
    Q = np.stack([np.ones_like(v), v], axis=1)
    P = N[:, None] * (Q @ np.array([[s, -1.0], [-1.0, 0.0]]))
    QP, QNP, QNNP = (Q.T @ (N[:, None] ** k * P) for k in (0, 1, 2))
    mixed = 3.0 * np.trace(QNNP) + 3.0 * np.trace(QNP @ QP) + np.trace(QP @ QP @ QP)
    return float(np.sum(N**3) + mixed)


def third_moment(x: ClassCubes, y: ClassCubes) -> float:
    """``E Tr(AB)^3`` over all orders of the rows of one side (n >= 6)."""
    n, t, u = x.n, x.trace, x.entries
    total = (
        4.0 * (n**4 - 8.0 * n**3 + 19.0 * n**2 - 4.0 * n - 16.0) * u * y.entries
        + 8.0 * (n**3 - 9.0 * n**2 + 26.0 * n - 22.0) * t * y.trace
        - 8.0 * (3.0 * n**2 - 15.0 * n + 16.0) * (t * y.entries + u * y.trace)
    )
    return total / (n * (n - 1.0) * (n - 2.0) * (n - 3.0) * (n - 4.0) * (n - 5.0))


def coincidences(x: FloatArray, y: FloatArray) -> float:
    """Pairs of rows expected to agree on both sides, from the sizes of the classes."""
    n = float(x.sum())
    equal_x, equal_y = (float(N @ np.maximum(N - 1.0, 0.0)) / 2.0 for N in (x, y))
    return equal_x * equal_y / (0.5 * n * (n - 1.0))
