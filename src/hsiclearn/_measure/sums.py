r"""Nine numbers from which every estimator and every null distribution follows.

With ``Kc = HKH`` and ``Lc = HLH``, the centred kernel matrices of the two sides::

    xy, xx, yy      Tr(Kc Lc), Tr(Kc Kc), Tr(Lc Lc)
    trace           Tr(Kc), Tr(Lc)
    diagonal        sum_i Kc_ii Lc_ii, and the same of each side with itself

The biased estimator is ``xy / (n - 1)^2``. The unbiased one (Song et al., 2012) needs no other
sums: it is the biased one with L replaced by ``L - D``, D such that ``H(L - D)H`` has a zero
diagonal, ::

    n (n - 3) HSIC_u = xy - n/(n - 2) [ sum_i Kc_ii Lc_ii - Tr(Kc) Tr(Lc) / n(n - 1) ]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._arrays import FloatArray

_ROUNDING = 1e-12  # share of the sum with the diagonals

__all__ = ["CenteredSums", "centre_in_place", "dense_sums"]


@dataclass(frozen=True)
class CenteredSums:
    """Sums over all pairs of the centred kernel matrices, and over their diagonals."""

    n: int
    xy: float
    xx: float
    yy: float
    trace_x: float
    trace_y: float
    diagonal_xy: float
    diagonal_xx: float
    diagonal_yy: float

    def hsic(self, estimator: str) -> float:
        """HSIC of the two sides."""
        return self.product(estimator) / self.divisor(estimator)

    def divisor(self, estimator: str) -> float:
        """What turns a sum over pairs into an estimate."""
        n = float(self.n)
        return (n - 1.0) ** 2 if estimator == "biased" else n * (n - 3.0)

    def product(self, estimator: str) -> float:
        """``Tr(Kc Lc)``, without the part of the diagonals where the estimator is unbiased."""
        if estimator == "biased":
            return self.xy
        n = float(self.n)
        chance = self.trace_x * self.trace_y / (n * (n - 1.0))
        return self.xy - n / (n - 2.0) * (self.diagonal_xy - chance)

    def is_flat(self, estimator: str) -> bool:
        """Whether a side does not vary, as the estimator sees it, but for rounding.

        Without diagonals that may be: of rows that are equal but one, say, every entry that is left
        can be had from a number per row and one per column.
        """
        norms = (self.of_x.product(estimator), self.xx), (self.of_y.product(estimator), self.yy)
        return any(norm <= _ROUNDING * whole for norm, whole in norms)

    def cka(self, estimator: str) -> float:
        """``HSIC(X, Y) / sqrt(HSIC(X, X) HSIC(Y, Y))``; 0 where a side does not vary.

        Both estimators are inner products of matrices, so it is at most 1 in size.
        """
        if self.is_flat(estimator):
            return 0.0
        xx, yy = self.of_x.product(estimator), self.of_y.product(estimator)
        return float(np.clip(self.product(estimator) / (np.sqrt(xx) * np.sqrt(yy)), -1.0, 1.0))

    @property
    def of_x(self) -> CenteredSums:
        """The same of the first side with itself."""
        return replace(
            self,
            xy=self.xx,
            yy=self.xx,
            trace_y=self.trace_x,
            diagonal_xy=self.diagonal_xx,
            diagonal_yy=self.diagonal_xx,
        )

    @property
    def of_y(self) -> CenteredSums:
        """The same of the second side with itself."""
        return replace(
            self,
            xy=self.yy,
            xx=self.yy,
            trace_x=self.trace_y,
            diagonal_xy=self.diagonal_yy,
            diagonal_xx=self.diagonal_yy,
        )


def dense_sums(K: FloatArray, L: FloatArray) -> CenteredSums:
    """From two centred matrices."""
    k, ell = K.diagonal(), L.diagonal()
    return CenteredSums(
        n=K.shape[0],
        xy=float(np.vdot(K, L)),
        xx=float(np.vdot(K, K)),
        yy=float(np.vdot(L, L)),
        trace_x=float(k.sum()),
        trace_y=float(ell.sum()),
        diagonal_xy=float(k @ ell),
        diagonal_xx=float(k @ k),
        diagonal_yy=float(ell @ ell),
    )


def centre_in_place(K: FloatArray) -> FloatArray:
    """``HKH`` of a symmetric matrix, written over it."""
    means = K.mean(axis=0)
    K -= means
    K -= (means - means.mean())[:, None]
    return K
