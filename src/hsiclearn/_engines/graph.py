r"""The kernel matrix of the projected rows as an operator: what clustering objectives need.

They are functions of K itself, not of one fixed Gamma. Where ``K_ij = sum_t weight_t f_t(s_i s_j
beta_ij)``, a graph offers ::

    multiply(V)         K V
    contract(U, g, V)   c L(S) V of each term,  S = (U diag(g) U') o dK/dbeta

at one place, that is one W and its scales. The scales are folded into the factors of beta and
into U, so that scaled kernels cost no more than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np

from .._arrays import FloatArray, matmul_into, thin_product
from .._threads import with_single_threaded_blas
from ..kernels import AbstractKernel, Gaussian, RelativeGaussian, Scaled
from ._schedule import Block, Schedule, Sums
from ._tile import Memo, Workspace
from .policy import CLUSTERING

_KEEP_BYTES = 512 * 2**20  # kernel values kept between products: some 11,000 rows


@final
class KernelGraph:
    """K_XW at a place that can be changed.

    Up to some 11,000 rows the kernel values are kept, so that an eigenproblem evaluates them
    once; beyond, every product evaluates them anew, in bounded memory.
    The engine ``"dense"`` works on all pairs at once, ``"tiled"`` on blocks of the symmetric half,
    in threads; ``"auto"`` is dense up to 3000 rows.
    """

    def __init__(self, kernel: AbstractKernel, n_samples: int, engine: str = "auto") -> None:
        self.terms = kernel.terms
        if engine == "auto":
            engine = "dense" if n_samples <= CLUSTERING.dense else "tiled"
        self.engine = engine
        self._schedule = Schedule(n_samples, n_samples if engine == "dense" else None)
        # Gaussians share one array between f and f'; other kernels may need three a term.
        arrays = sum(1 if isinstance(k, Gaussian | RelativeGaussian) else 3 for _, k in self.terms)
        kept = 8 * n_samples**2 / (1 if engine == "dense" else 2) * arrays
        self._memo = Memo() if kept <= _KEEP_BYTES else None
        self._factors: list[tuple[FloatArray, FloatArray]] = []
        self._scales: Sequence[FloatArray | None] = ()
        self.n_samples = n_samples

    def place(self, w: FloatArray, scales: Sequence[FloatArray | None]) -> None:
        """Go to the projected rows ``w`` with one set of scales s (or None) per term."""
        self._factors = []
        for (_, kernel), s in zip(self.terms, scales, strict=True):
            left, right = kernel.pair.beta_factors(w)
            if s is not None:
                left, right = s[:, None] * left, s[:, None] * right
            self._factors.append((left, right))
        self._scales = scales
        if self._memo is not None:
            self._memo.clear()

    def multiply(self, V: FloatArray) -> FloatArray:
        """``K V``."""
        if self.engine == "dense" and self._memo is not None:
            # An eigenproblem asks for dozens of these: no schedule in between.
            everything, unused = slice(0, self.n_samples), Workspace()
            KV = np.zeros(V.shape)
            for t, (weight, _) in enumerate(self.terms):
                factor, f = self._jet(t, everything, everything, unused)[0]
                KV += (weight * factor) * thin_product(f, V)
            return KV
        return self._multiply_by_blocks(V)

    def matrix(self) -> FloatArray:
        """``K``, written out."""
        if self.engine != "dense":
            return self.multiply(np.eye(self.n_samples))
        everything, unused = slice(0, self.n_samples), Workspace()
        K = np.zeros((self.n_samples, self.n_samples))
        for t, (weight, _) in enumerate(self.terms):
            factor, f = self._jet(t, everything, everything, unused)[0]
            K += (weight * factor) * f
        return K

    @with_single_threaded_blas
    def _multiply_by_blocks(self, V: FloatArray) -> FloatArray:

        def task(blocks: Iterable[Block], workspace: Workspace) -> Sums:
            out = np.zeros(V.shape)
            for rows, cols in blocks:
                for t, (weight, _) in enumerate(self.terms):
                    factor, f = self._jet(t, rows, cols, workspace)[0]
                    out[rows] += (weight * factor) * thin_product(f, V[cols])
                    if rows != cols:
                        out[cols] += (weight * factor) * thin_product(f.T, V[rows])
            return (out,)

        return self._schedule.sum_over(task)[0]

    @with_single_threaded_blas
    def contract(self, U: FloatArray, g: FloatArray, V: FloatArray) -> list[FloatArray]:
        """``c L(S) V`` of each term, ``S = (U diag(g) U') o weight dK/dbeta``."""
        return [self._contract_term(t, U, g, V) for t in range(len(self.terms))]

    def _contract_term(self, t: int, U: FloatArray, g: FloatArray, V: FloatArray) -> FloatArray:
        weight, kernel = self.terms[t]
        s = self._scales[t]
        left = U if s is None else s[:, None] * U
        right = weight * g * left

        def task(blocks: Iterable[Block], workspace: Workspace) -> Sums:
            SV, degree = np.zeros(V.shape), np.zeros(V.shape[0])
            for rows, cols in blocks:
                factor, slope = self._jet(t, rows, cols, workspace)[1]
                S = matmul_into(workspace[1], left[rows], right[cols].T)
                S *= slope
                SV[rows] += factor * (S @ V[cols])
                degree[rows] += factor * S.sum(axis=1)
                if rows != cols:
                    SV[cols] += factor * (S.T @ V[rows])
                    degree[cols] += factor * S.sum(axis=0)
            return SV, degree

        SV, degree = self._schedule.sum_over(task)
        return kernel.pair.contraction(SV, degree, V)

    def _jet(self, t: int, rows: slice, cols: slice, workspace: Workspace) -> tuple[Scaled, ...]:
        """``f, f'`` of one term on one block, found or computed."""
        if self._memo is None:
            return self._evaluate(t, rows, cols, workspace[0])
        size = (rows.stop - rows.start) * (cols.stop - cols.start)
        jet: tuple[Scaled, ...] = self._memo.found(
            (t, rows.start, cols.start), size, lambda m: self._evaluate(t, rows, cols, m)
        )
        return jet

    def _evaluate(
        self, t: int, rows: slice, cols: slice, memory: FloatArray | None
    ) -> tuple[Scaled, ...]:
        kernel, (left, right) = self.terms[t][1], self._factors[t]
        beta = kernel.pair.beta(left[rows], right[cols], memory)
        if rows == cols and kernel.pair.is_difference:
            # A row is at no distance from itself. Where scales are as small as rounding, it would
            # be far from all rows, itself included.
            np.fill_diagonal(beta, 0.0)
        return kernel.jet(beta, 1)
