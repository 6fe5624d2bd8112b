"""All pairs at once, in memory: the fastest schedule for a few hundred rows."""

from __future__ import annotations

import numpy as np

from .._arrays import Array, FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from ._tile import Factors, group_by_pair

__all__ = ["DenseEngine"]


class DenseEngine(AbstractEngine):
    """One tile of n x n pairs; what it computed at the last W is kept for Hessian products."""

    name = "dense"

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        self._X = X
        self._groups = group_by_pair(kernel, X)
        self._gamma = gamma.to_dense()
        self._all = slice(0, X.shape[0])
        self._W: FloatArray | None = None
        self._first: list[Array] = []
        self._second: list[Array] = []
        self._total = 0.0

    def _at(self, W: FloatArray) -> FloatArray:
        """Fill the cache for W and return ``XW``."""
        w = self._X @ W
        if self._W is not None and np.array_equal(self._W, W):
            return w
        self._first, self._second, self._total = [], [], 0.0
        for group in self._groups:
            beta = group.pair.beta(*Factors.of(group.pair, w).beta)
            f, df, d2f = group.jet(beta, 2, self._all, self._all)
            self._total += float(np.vdot(self._gamma, f))
            self._first.append(np.multiply(self._gamma, df, out=df))
            self._second.append(d2f)
        self._W = W.copy()
        return w

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        self._at(W)
        return self._total

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``."""
        return self.total(W), self._X.T @ self.apply(W, self._X)

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        w = self._at(W)
        out = np.zeros((V.shape[0], V.shape[1]))
        for group, df, d2f in zip(self._groups, self._first, self._second, strict=True):
            if Z is None:
                S = df
            else:
                left, right = group.pair.beta_dot_factors(w, self._X @ Z)
                S = left @ right.T
                S *= d2f
                S *= self._gamma
            out += group.pair.contraction(S @ V, S.sum(axis=1), V)
        return out
