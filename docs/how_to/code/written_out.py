"""An engine that writes every sum out: the example of docs/how_to/add_an_engine.md."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hsiclearn._arrays import FloatArray
from hsiclearn._engines import AbstractEngine
from hsiclearn.gamma import AbstractGamma
from hsiclearn.kernels import AbstractKernel, Pair

__all__ = ["WrittenOutEngine"]


class WrittenOutEngine(AbstractEngine):
    """All pairs as n x n arrays, computed anew for every question: short, slow and exact."""

    name = "written-out"

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        super().__init__(X, gamma, kernel)
        self._dense_gamma = gamma.to_dense()
        scales = [term.row_scales(X) for _, term in kernel.terms]
        ones = np.ones(X.shape[0])
        self._terms = [
            (weight, term, np.outer(*2 * [ones if s is None else s]))
            for (weight, term), s in zip(kernel.terms, scales, strict=True)
        ]

    def total(self, W: FloatArray) -> float:
        """``sum Gamma o f``."""
        values = (
            weight * term.f(s * _beta(term.pair, self.X @ W)) for weight, term, s in self._terms
        )
        return float(sum(np.vdot(self._dense_gamma, value) for value in values))

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z."""
        out = np.zeros(V.shape)
        for pair, S in self._weights(W, Z):
            out += pair.contraction(S @ V, S.sum(axis=1), V)
        return out

    def _weights(self, W: FloatArray, Z: FloatArray | None) -> Iterator[tuple[Pair, FloatArray]]:
        """``S = Gamma o f'`` of each term, or ``Gamma o f'' o betadot`` along Z."""
        w = self.X @ W
        for weight, term, s in self._terms:
            beta = s * _beta(term.pair, w)
            if Z is None:
                yield term.pair, weight * self._dense_gamma * s * term.df(beta)
            else:
                left, right = term.pair.beta_dot_factors(w, self.X @ Z)
                yield (
                    term.pair,
                    weight * self._dense_gamma * s**2 * term.d2f(beta) * (left @ right.T),
                )


def _beta(pair: Pair, w: FloatArray) -> FloatArray:
    """Beta of all pairs."""
    return pair.beta(*pair.beta_factors(w))
