"""All pairs at once, in memory: the fastest schedule for a few hundred rows."""

from __future__ import annotations

from typing import final

import numpy as np

from .._arrays import FloatArray, matmul_into
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, Scaled
from ._base import AbstractEngine
from ._tile import Workspace, group_by_pair, weighed
from .hessian_blocks import (
    assemble,
    degree_grams,
    moments_of,
    spread,
    thin_columns,
)


@final
class DenseEngine(AbstractEngine):
    """One tile of n x n pairs; what it computed at the last W is kept for Hessian products."""

    name = "dense"

    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        super().__init__(X, gamma, kernel)
        self._groups = group_by_pair(kernel, X)
        self._weights_of_pairs = gamma.to_dense()
        self._workspaces = [Workspace(X.shape[0] ** 2) for _ in self._groups]
        self._W: FloatArray | None = None
        self._w = X[:, :0]
        self._weights: list[tuple[Scaled, Scaled]] = []  # Gamma o f', Gamma o f'', per group
        self._total = 0.0

    def _weigh(self, array: FloatArray) -> Scaled:
        array *= self._weights_of_pairs
        return 1.0, array

    def _move_to(self, W: FloatArray) -> None:
        """Compute all that Phi and Hessian products at W share."""
        if self._W is not None and np.array_equal(self._W, W):
            return
        self._W, self._w = None, self.X @ W
        self._weights, self._total = [], 0.0
        everything = slice(0, self.X.shape[0])
        for group, workspace in zip(self._groups, self._workspaces, strict=True):
            beta = group.pair.beta(*group.pair.beta_factors(self._w), workspace[0])
            jet = group.jet(beta, 2, everything, everything)
            (factor, value), slope, curvature = weighed(jet, self._weigh)
            self._total += factor * float(value.sum())
            self._weights.append((slope, curvature))
        self._W = W.copy()

    def total(self, W: FloatArray) -> float:
        self._move_to(W)
        return self._total

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        self._move_to(W)
        out = np.zeros(V.shape)
        z = None if Z is None else self.X @ Z
        parts = zip(self._groups, self._workspaces, self._weights, strict=True)
        for group, workspace, ((slope, S), (curvature, T)) in parts:
            factor, weights = slope, S
            if z is not None:
                left, right = group.pair.beta_dot_factors(self._w, z)
                factor, weights = curvature, matmul_into(workspace[1], left, right.T)
                weights *= T
            out += factor * group.pair.contraction(weights @ V, weights.sum(axis=1), V)
        return out

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        self._move_to(W)
        X, w, (d, q) = self.X, self._w, W.shape
        thin = thin_columns(w)
        V = spread(X, thin)
        M = np.zeros((q, q, d, d))
        for group, (_, (factor, T)) in zip(self._groups, self._weights, strict=True):
            moments = moments_of(V, T @ V, q, d)
            grams = degree_grams(group.pair, X, w, T @ thin)
            M += factor * assemble(group.pair, moments, grams, q)
        return M
