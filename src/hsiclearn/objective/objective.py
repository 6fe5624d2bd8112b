"""One objective for every paradigm: ``cost(W) = -Tr(Gamma K_XW)``, ``W'W = I``."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .._arrays import Array, FloatArray
from ..engines import EngineLike, build_engine
from ..exceptions import InvalidKernelError
from ..gamma import AbstractGamma, as_gamma
from ..kernels import AbstractKernel, check_derivatives, is_built_in, kernel_from_name
from ._base import AbstractObjective
from .point import CurvedPoint

__all__ = ["Objective", "as_data"]

_LARGEST = 1e70  # a Hessian multiplies four entries


class Objective(AbstractObjective):
    r"""Cost and derivatives of Eq. (1) of the paper.

    ::

        cost(W)              = -sum_ij Gamma_ij f(beta_ij)
        phi(W)               = -c X' L(Gamma o f'(beta)) X               (d x d, symmetric)
        gradient(W)          = 2 Phi W                                   (Euclidean)
        hessian_vector(W, Z) = 2 (Phi Z + Phidot[Z] W)                   (Euclidean)

    with beta, c and L as the kernel's pair type says: inner products, ``L(S) = S, c = 1``;
    squared differences, ``L(S) = D_S - S, c = 2``. A fixed point of the paper's Algorithm 1 is
    a W of eigenvectors of ``phi(W)``.

    An objective keeps what it computed at the last W: use one per thread.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite and real.
    gamma : AbstractGamma or array-like of shape (n_samples, n_samples)
        Symmetric.
    kernel : AbstractKernel or str
        A name stands for the kernel at its default parameters.
    engine : {"auto", "dense", "tiled"} or callable, default="auto"
        Who computes the sums over pairs; the choice made is in ``engine``.

    Attributes
    ----------
    n_samples, n_features : int
    engine : str
        The engine at work.
    """

    def __init__(
        self,
        X: Array,
        gamma: AbstractGamma | Array,
        kernel: AbstractKernel | str = "gaussian",
        engine: EngineLike = "auto",
    ) -> None:
        self.X = as_data(X)
        self.gamma = as_gamma(gamma)
        self.kernel = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
        self.n_samples, self.n_features = self.X.shape
        if self.gamma.n_samples != self.n_samples:
            raise ValueError(
                f"`gamma` must have one row per row of X, {self.n_samples}. "
                f"Got {self.gamma.n_samples}."
            )
        _check_user_kernels(self.kernel, self.X)
        if all(term.pair.is_difference for _, term in self.kernel.terms):
            # Differences do not see the mean, but rounding does: x'x of far-away rows cancels.
            self.X = self.X - self.X.mean(axis=0)
        else:
            self.X = self.X.copy()  # what the caller does with X later is no matter of ours
        self._engine_like = engine
        self._engine = build_engine(engine, self.X, self.gamma, self.kernel)
        self.engine = self._engine.name

    def cost(self, W: Array) -> float:
        """``-Tr(Gamma K_XW)``."""
        return -self._engine.total(self._as_frame(W, "W"))

    def phi(self, W: Array) -> FloatArray:
        """``-c X' L(Gamma o f'(beta)) X``."""
        return self.point(W).phi

    def gradient(self, W: Array) -> FloatArray:
        """The Euclidean gradient, ``2 Phi W``."""
        W = self._as_frame(W, "W")
        return -2.0 * (self.X.T @ self._engine.apply(W, self.X @ W))

    def hessian_vector(self, W: Array, Z: Array) -> FloatArray:
        """The Euclidean Hessian along Z, ``2 (Phi Z + Phidot[Z] W)``; no d x d matrix formed."""
        W, Z = self._as_frame(W, "W"), self._as_frame(Z, "Z")
        if W.shape != Z.shape:
            raise ValueError(f"`Z` must have the shape of `W`, {W.shape}. Got {Z.shape}.")
        X, engine = self.X, self._engine
        phi_z = engine.apply(W, X @ Z)
        return -2.0 * (X.T @ (phi_z + engine.apply(W, X @ W, Z)))

    def phi_dot(self, W: FloatArray, Z: FloatArray) -> FloatArray:
        """``Phidot[Z] W``, the part of the Hessian that Phi does not hold; O(n^2 q)."""
        return -(self.X.T @ self._engine.apply(W, self.X @ W, Z))

    def bend(self, W: FloatArray) -> FloatArray:
        """M with ``Phidot[Z] W = sum_b M[:, b] Z_b``, shape (q, q, d, d), from one pass."""
        return -self._engine.bend(W)

    @cached_property
    def phi_at_zero(self) -> FloatArray:
        """``Phi(0)``: the paper's Phi_0 up to a positive factor, from Gamma's structure in O(n d).

        There f' is the constant f'(0), so ``Phi(0) = -c f'(0) X' L(Gamma) X``. Where f'(0) = 0
        (a polynomial without offset) it vanishes and ``-X' Gamma X`` stands in, as in the paper.
        """
        phi = np.zeros((self.n_features, self.n_features))
        for weight, kernel in self.kernel.terms:
            slope = weight * float(np.asarray(kernel.df(np.zeros(1)))[0])
            scales = kernel.row_scales(self.X)
            s = np.ones((self.n_samples, 1)) if scales is None else scales[:, None]
            SX = s * self.gamma.apply(s * self.X)
            degree = (s * self.gamma.apply(s))[:, 0]
            phi -= slope * (self.X.T @ kernel.pair.contraction(SX, degree, self.X))
        if not np.any(phi):
            phi = -np.sign(self.kernel.terms[0][0]) * (self.X.T @ self.gamma.apply(self.X))
        return 0.5 * (phi + phi.T)

    def point(self, W: Array) -> CurvedPoint:
        """Cost and Phi at W from one pass over the pairs."""
        W = self._as_frame(W, "W")
        total, matrix = self._engine.contract(W)
        return CurvedPoint(self, W, -total, -0.5 * (matrix + matrix.T))

    def subset(self, index: Array) -> Objective:
        """The same objective on chosen rows."""
        return Objective(self.X[index], self.gamma.take(index), self.kernel, self._engine_like)

    def _as_frame(self, W: Array, name: str) -> FloatArray:
        frame = np.asarray(W)
        if frame.ndim != 2 or frame.shape[0] != self.n_features or frame.dtype.kind not in "fiub":
            raise ValueError(
                f"`{name}` must be real with one row per feature, shape ({self.n_features}, q). "
                f"Got dtype {frame.dtype}, shape {frame.shape}."
            )
        return frame.astype(np.float64, copy=False)


def as_data(X: Array) -> FloatArray:
    """X as a finite float64 matrix, or an error that says what was seen."""
    data = np.asarray(X)
    if data.dtype.kind not in "fiub" or data.ndim != 2 or data.size == 0:
        raise ValueError(
            "X must be a real matrix with at least one row and one column. "
            f"Got dtype {data.dtype}, shape {data.shape}."
        )
    data = data.astype(np.float64, copy=False)
    if not np.all(np.isfinite(data)):
        bad = int(np.count_nonzero(~np.isfinite(data)))
        raise ValueError(f"X must be finite. {bad} entries are NaN or infinite: impute or drop.")
    if data.max() > _LARGEST or data.min() < -_LARGEST:
        raise ValueError(
            f"The squares of X must be finite: |X| <= {_LARGEST:g}. The largest entry seen is "
            f"{np.abs(data).max():g}. Scale the columns."
        )
    return data


def _check_user_kernels(kernel: AbstractKernel, X: FloatArray) -> None:
    """Compare derivatives with finite differences, once, for kernels written elsewhere."""
    some = X[:20] - X[:20].mean(axis=0)
    for _, term in kernel.terms:
        if not is_built_in(term):
            w = some if term.pair.is_difference else X[:20]
            beta = np.unique(term.pair.beta(*term.pair.beta_factors(w)))
            check_derivatives(term, beta)
            if not np.all(np.isfinite(term.df(np.zeros(1)))):
                raise InvalidKernelError(
                    f"f'(0) must be finite, but `df` of {term!r} returns {term.df(np.zeros(1))[0]} "
                    "there. Smooth the kernel at 0, e.g. f(sqrt(b + c^2))."
                )
