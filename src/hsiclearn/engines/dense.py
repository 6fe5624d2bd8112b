"""All pairs at once, in memory: the fastest schedule for a few hundred rows."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, Scaled
from ._base import AbstractEngine, mirrored
from ._tile import Factors, group_by_pair, weigh

__all__ = ["DenseEngine"]


class DenseEngine(AbstractEngine):
    """One tile of n x n pairs; what it computed at the last W is kept for Hessian products."""

    name = "dense"

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        self._X = X
        self._groups = group_by_pair(kernel, X)
        self._gamma = gamma.to_dense()
        self._W: FloatArray | None = None
        self._w = X[:, :0]
        self._weights: list[tuple[Scaled, Scaled]] = []  # Gamma o f', Gamma o f'', per group
        self._total = 0.0

    def _move_to(self, W: FloatArray) -> None:
        """Compute all that Phi and Hessian products at W share."""
        if self._W is not None and np.array_equal(self._W, W):
            return
        self._W, self._w = W.copy(), self._X @ W
        self._weights, self._total = [], 0.0
        everything = slice(0, self._X.shape[0])
        for group in self._groups:
            beta = group.pair.beta(*Factors.of(group.pair, self._w).beta)
            value, slope, bend = group.jet(beta, 2, everything, everything)
            weighted = weigh(self._gamma, value)
            self._total += weighted[0] * float(weighted[1].sum())
            shared = value[1] is slope[1] is bend[1]
            if shared:  # an exponential is its own derivative: one array serves all
                self._weights.append(((slope[0], weighted[1]), (bend[0], weighted[1])))
            else:
                self._weights.append((weigh(self._gamma, slope), weigh(self._gamma, bend)))

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        self._move_to(W)
        return self._total

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``."""
        return self.total(W), self._X.T @ self.apply(W, self._X)

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        self._move_to(W)
        out = np.zeros(V.shape)
        z = None if Z is None else self._X @ Z
        for group, ((slope, S), (bend, T)) in zip(self._groups, self._weights, strict=True):
            factor, weights = slope, S
            if z is not None:
                left, right = group.pair.beta_dot_factors(self._w, z)
                factor, weights = bend, left @ right.T
                weights *= T
            out += group.pair.contraction(weights @ V, weights.sum(axis=1), V) * factor
        return out

    def bend(self, W: FloatArray) -> FloatArray:
        """``M[a, b]`` of ``-Phidot[Z] W = sum_b M[:, b] Z_b``."""
        self._move_to(W)
        X, w, (d, q) = self._X, self._w, W.shape
        M = np.zeros((q, q, d, d))
        for group, (_, (factor, T)) in zip(self._groups, self._weights, strict=True):
            for a in range(q):
                for b in range(a, q):
                    p, r = group.pair.bend_weights(w, w, a, b)
                    S = T * p
                    degree = S.sum(axis=1) if r is p else (T * r).sum(axis=1)
                    M[a, b] += factor * group.pair.bent(X.T @ (S @ X), degree, X)
        return mirrored(M)
