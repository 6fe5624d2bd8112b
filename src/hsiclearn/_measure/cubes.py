r"""The third moment of the statistic over all orders of the rows, where both sides are classes.

With U-centred matrices A and B (zero diagonal, zero row sums), n rows, ``t = Tr A^3`` and
``u = sum_ij A_ij^3``, and t', u' of B (Kazi-Aoual et al., 1995, where all diagonals vanish)::

    E Tr(AB)^3 = [4 (n^4 - 8n^3 + 19n^2 - 4n - 16) u u' + 8 (n^3 - 9n^2 + 26n - 22) t t'
                  - 8 (3n^2 - 15n + 16) (t u' + u t')] / n (n-1) (n-2) (n-3) (n-4) (n-5)

Two labellings of many classes agree on few pairs of rows, and the statistic is far more skewed than
a Gamma distribution of its mean and variance would have it. Of classes t and u need their sizes
alone: ``A_ij = B_kl`` for rows of the classes k and l, ``B = I - v 1' - 1 v' + s 11'``, but 0 at
``i = j``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray

__all__ = ["ClassCubes", "coincidences", "third_moment"]


@dataclass(frozen=True)
class ClassCubes:
    """``Tr A^3`` and ``sum A^3`` of the U-centred delta kernel of n rows."""

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
    equal_x, equal_y = (float(N @ (N - 1.0)) / 2.0 for N in (x, y))
    return equal_x * equal_y / (0.5 * n * (n - 1.0))
