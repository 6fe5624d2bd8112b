"""All pairs at once, in memory: the fastest schedule for a few hundred rows."""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import DTypeLike

from .._arrays import FloatArray, matmul_into
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, Scaled
from ._base import AbstractEngine
from ._tile import Workspace, group_by_pair
from .hessian_blocks import (
    assemble,
    degree_grams,
    moments_of,
    spread,
    thin_columns,
)

_BLOCK = (
    256  # rows: a megabyte of 1000 x 256 pairs in single precision; fewer hold up other threads
)
_SINGLE_NOISE = 1e-5  # of the total in single precision: terms of both signs cancel in part


@final
class DenseEngine(AbstractEngine):
    """One tile of n x n pairs; what it computed at the last W is kept for Hessian products.

    In single precision (``dtype``) it takes half the time, for fits that are only compared.
    """

    name = "dense"

    def __init__(
        self,
        X: FloatArray,
        gamma: AbstractGamma,
        kernel: AbstractKernel,
        *,
        dtype: DTypeLike = np.float64,
    ) -> None:
        super().__init__(np.ascontiguousarray(X, dtype=dtype), gamma, kernel)
        self._groups = group_by_pair(kernel, X, gamma.row_weights)
        # In the order of the kernel values: across it, a product takes several times as long.
        self._weights_of_pairs = np.ascontiguousarray(gamma.to_dense(), dtype=dtype)
        self._workspaces = [Workspace(X.shape[0] ** 2, dtype) for _ in self._groups]
        self.noise = _SINGLE_NOISE if self.X.dtype == np.float32 else 0.0
        self._W: FloatArray | None = None
        self._w = self.X[:, :0]
        self._weights: list[tuple[Scaled, Scaled]] = []  # Gamma o f', Gamma o f'', per group
        self._total = 0.0

    def _move_to(self, W: FloatArray) -> None:
        """Compute all that Phi and Hessian products at W share."""
        if self._W is not None and np.array_equal(self._W, W):
            return
        self._W, self._w = None, self._project(W)
        self._weights, self._total = [], 0.0
        everything = slice(0, self.X.shape[0])
        for group, workspace in zip(self._groups, self._workspaces, strict=True):
            beta = group.pair.beta(*group.pair.beta_factors(self._w), workspace[0])
            jet = group.jet(beta, 2, everything, everything)
            for array in {id(array): array for _, array in jet}.values():  # they may share one
                np.multiply(array, self._weights_of_pairs, out=array)
            (factor, value), slope, curvature = jet
            self._total += factor * float(value.sum())
            self._weights.append((slope, curvature))
        self._W = W.copy()

    def total(self, W: FloatArray) -> float:
        self._move_to(W)
        return self._total

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        self._move_to(W)
        return self._applied(V, Z)

    def _applied(self, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """The same at the present W."""
        out, own = np.zeros(V.shape), V.astype(self.X.dtype, copy=False)
        z = None if Z is None else self._project(Z)
        parts = zip(self._groups, self._workspaces, self._weights, strict=True)
        for group, workspace, ((slope, S), (curvature, T)) in parts:
            factor, weights = slope, S
            if z is not None:
                left, right = group.pair.beta_dot_factors(self._w, z)
                factor, weights = curvature, matmul_into(workspace[1], left, right.T)
                weights *= T
            out += factor * group.pair.contraction(weights @ own, weights.sum(axis=1), own)
        return out

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        self._move_to(W)
        return self._total, self.X.T @ self._applied(self.X)

    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        """Block by block of the symmetric half, so that no array leaves the cache; nothing kept."""
        n, dtype = self.X.shape[0], self.X.dtype
        w = self._project(W)
        V = np.concatenate([w, np.ones_like(w[:, :1])], axis=1)
        total, out = 0.0, np.zeros(w.shape)
        for group, workspace in zip(self._groups, self._workspaces, strict=True):
            left, right = group.pair.beta_factors(w)
            SV = np.zeros(V.shape, dtype=dtype)
            for start in range(0, n, _BLOCK):
                rows, cols = slice(start, min(start + _BLOCK, n)), slice(start, n)
                own = rows.stop - start  # the first columns: pairs within the block, both ways
                beta = group.pair.beta(left[rows], right[cols], workspace[2])
                (factor, f), (slope, df) = group.jet(beta, 1, rows, cols)
                weights = self._weights_of_pairs[rows, cols]
                df *= weights
                SV[rows] += df @ V[cols]
                SV[rows.stop :] += df[:, own:].T @ V[rows]
                if f is not df:
                    both = f * weights
                    total += factor * float(2.0 * both.sum() - both[:, :own].sum())
            SV *= slope
            if f is df:
                total += factor / slope * float(SV[:, -1].sum(dtype=np.float64))
            out += group.pair.contraction(SV[:, :-1], SV[:, -1], w)
        gradient: FloatArray = self.X.T @ out.astype(dtype, copy=False)
        return total, gradient.astype(np.float64, copy=False)

    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """In the precision of X, which a product with other numbers would copy."""
        self._move_to(W)
        weighted = self.apply(W, self._w if V is W else self._project(V), Z)
        product: FloatArray = self.X.T @ weighted.astype(self.X.dtype, copy=False)
        return product.astype(np.float64, copy=False)

    def _project(self, V: FloatArray) -> FloatArray:
        projected: FloatArray = self.X @ V.astype(self.X.dtype, copy=False)
        return projected

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        self._move_to(W)
        X, w, (d, q) = self.X, self._w, W.shape
        thin = thin_columns(w)
        V = spread(X, thin)
        M = np.zeros((q, q, d, d))
        for group, (_, (factor, T)) in zip(self._groups, self._weights, strict=True):
            moments = moments_of(V, T @ V[:, : (1 + q) * d], q, d)
            grams = degree_grams(group.pair, X, w, T @ thin)
            M += factor * assemble(group.pair, moments, grams, q)
        return M
