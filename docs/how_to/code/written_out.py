"""An engine that writes every sum out: the example of docs/how_to/add_an_engine.md."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hsiclearn._arrays import FloatArray
from hsiclearn._engines import ExactEngine
from hsiclearn.gamma import AbstractGamma
from hsiclearn.kernels import AbstractKernel, Pair

__all__ = ["WrittenOutEngine"]


class WrittenOutEngine(ExactEngine):
    """All pairs as n x n arrays, computed anew for every question: short, slow and exact."""

    name = "written-out"

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        super().__init__(X, gamma, kernel)
        self._X, self._gamma = X, gamma.to_dense()
        scales = [term.row_scales(X) for _, term in kernel.terms]
        ones = np.ones(X.shape[0])
        self._terms = [
            (weight, term, np.outer(*2 * [ones if s is None else s]))
            for (weight, term), s in zip(kernel.terms, scales, strict=True)
        ]

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        values = (
            weight * term.f(s * _beta(term.pair, self._X @ W)) for weight, term, s in self._terms
        )
        return float(sum(np.vdot(self._gamma, value) for value in values))

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``."""
        return self.total(W), self._X.T @ self.apply(W, self._X)

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        out = np.zeros(V.shape)
        for pair, S in self._weights(W, Z):
            out += pair.contraction(S @ V, S.sum(axis=1), V)
        return out

    def bend(self, W: FloatArray) -> FloatArray:
        """One unit direction Z at a time."""
        d, q = W.shape
        M = np.zeros((q, q, d, d))
        for b in range(q):
            for k in range(d):
                Z = np.zeros((d, q))
                Z[k, b] = 1.0
                M[:, b, :, k] = self.multiply_dot(W, Z).T
        return M

    def _weights(self, W: FloatArray, Z: FloatArray | None) -> Iterator[tuple[Pair, FloatArray]]:
        """``S = Gamma o f'`` of each term, or ``Gamma o f'' o betadot`` along Z."""
        w = self._X @ W
        for weight, term, s in self._terms:
            beta = s * _beta(term.pair, w)
            if Z is None:
                yield term.pair, weight * self._gamma * s * term.df(beta)
            else:
                left, right = term.pair.beta_dot_factors(w, self._X @ Z)
                yield term.pair, weight * self._gamma * s**2 * term.d2f(beta) * (left @ right.T)


def _beta(pair: Pair, w: FloatArray) -> FloatArray:
    """Beta of all pairs."""
    return pair.beta(*pair.beta_factors(w))
