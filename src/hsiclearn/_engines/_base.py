"""What an engine is: someone who computes sums over all pairs of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .._arrays import FloatArray
from .._result import EngineError
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel


class AbstractEngine(ABC):
    """Sums over pairs for one data set, one Gamma and one kernel.

    With ``S = Gamma o f'(beta)`` and ``c L(S)`` the contraction of the pair type, it writes ::

        total(W)            sum_ij Gamma_ij f(beta_ij)              = -cost
        apply(W, V)         c L(S) V                                          n x k
        apply(W, V, Z)      c L(Sdot) V, Sdot = Gamma o f'' o betadot[Z]      n x k

    From these follow, by products with X in memory, and may be written faster ::

        contract(W)         the total and X' c L(S) X               = -Phi,   d x d
        multiply(W, V)      X' c L(S) X V                           = -Phi V, d x k
        multiply(W, V, Z)   X' c L(Sdot) X V                  = -Phidot[Z] V, d x k
        total_and_gradient(W)   the total and multiply(W, W)
        hessian_blocks(W)   M, with -Phidot[Z] W = sum_b M[:, b] Z_b          q x q x d x d
        at_zero(t, V)       X'SX V and X'DX V where the kernel is constant    d x k

    Row sums, permutations and tiles are an engine's own affair: results are in the order of
    the rows of X. One that is not exact says so by ``noise``, ``error``, ``refined`` and
    ``held_at``.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Of an engine in linear time, :class:`~hsiclearn._rows.AbstractRows`.
    gamma : AbstractGamma
    kernel : AbstractKernel
    """

    name: str
    is_linear: bool = False
    """Whether it takes time linear in the number of rows, which need not be in memory."""
    is_pairwise: bool = False
    """Whether, of rows so many, it visits all pairs all the same: a quarter takes a 16th."""
    column_cost: float = 1.0
    """What a product with one more column costs, beside one with a Gamma of classes."""
    noise: float = 0.0
    """Changes of the total below this share of it are not to be trusted."""
    slack: float = 0.0
    """Below this share of the total, what Phi promises need not come true: it is not quite the
    derivative of what approximates the total."""

    def __init__(self, X: Any, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        self.X, self.gamma, self.kernel = X, gamma, kernel

    @abstractmethod
    def total(self, W: FloatArray) -> float:
        """``sum_ij Gamma_ij f(beta_ij)``."""

    @abstractmethod
    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z, without any d x d matrix."""

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``, if possible from one pass over the pairs."""
        return self.total(W), self.X.T @ self.apply(W, self.X)

    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``X' c L(S) X V`` for V of shape (d, k), or its derivative; no d x d matrix is formed."""
        product: FloatArray = self.X.T @ self.apply(W, self.X @ V, Z)
        return product

    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X W``, if possible from one pass over the pairs."""
        return self.total(W), self.multiply(W, W)

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        """All of ``-Phidot[.] W`` at once: M of shape (q, q, d, d), ``M[b, a] = M[a, b]'``.

        Here one unit direction at a time. From moments it costs products with (q+1)(q+2)/2 d
        columns but one pass of kernel evaluations: see ``hessian_blocks.py``.
        """
        d, q = W.shape
        M = np.empty((q, q, d, d))
        for b, k in np.ndindex(q, d):
            Z = np.zeros((d, q))
            Z[k, b] = 1.0
            M[:, b, :, k] = self.multiply(W, W, Z).T
        return M

    def at_zero(self, t: int, V: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """``X'SX V`` and ``X'DX V`` at W = 0, where the kernel is constant; without V, V = I.

        ``S = Gamma o s s'``, s the row scales of term t, D the row sums of S.
        """
        X = self.X
        scales = self.kernel.terms[t][1].row_scales(X, self.gamma.row_weights)
        s = np.ones((X.shape[0], 1)) if scales is None else scales[:, None]
        degree = s * self.gamma.apply(s)
        XV = X if V is None else X @ V
        return X.T @ (s * self.gamma.apply(s * XV)), X.T @ (degree * XV)

    def error(self, W: FloatArray, norm: float) -> EngineError:
        """How far Phi at W may be from the exact one, relative to ``norm``."""
        return EngineError()

    def refined(self, W: FloatArray, factor: float) -> AbstractEngine | None:
        """An engine ``factor`` times as exact near W; None where there is none."""
        return None

    def sharpened(self, factor: float) -> AbstractEngine:
        """An engine ``factor`` times as exact everywhere, where it has a choice."""
        return self

    def in_single(self) -> AbstractEngine:
        """An engine whose sums are rounded to single precision, where that saves time."""
        return self

    def held_at(self, W: FloatArray) -> AbstractEngine:
        """The engine whose sums are, near W, a smooth function; itself where they are.

        One that chooses at every W how to approximate keeps to what it chose at this one.
        """
        return self
