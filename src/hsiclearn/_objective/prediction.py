r"""How badly rows are predicted from the others, in a subspace: a loss with a gradient.

Kernel ridge regression of Y on ``Z = X A``, A (d, q) of any scale, with a Gaussian kernel of unit
bandwidth at m landmarks, which are some of the rows ::

    C_il = exp(-|z_i - z_l|^2 / 2),   Q = C on the landmarks,   M = C'C + n r Q
    fit  Y^ = C M^-1 C'Y,             s_i = c_i' M^-1 c_i
    loss = sum_i |y_i - y^_i|^2 / (1 - s_i)^2  over  sum_i |y_i|^2

which is the sum of squared errors of predicting each row from all others, landmarks kept, in closed
form. With ``G = Cbar o C`` the derivative of the loss by C times C, and P that of Q likewise, ::

    gradient by A = -X'(D_G Z - G Z_l) - X_l'(D_G' Z_l - G'Z) - 2 X_l'(D_P - P) Z_l

the contraction that Phi is. M is never inverted: with ``Q = LL'`` and ``F = C L^-T`` it is
``L (F'F + n r I) L'``, whose middle is as well conditioned as the ridge makes it. An inverse of M
loses so many digits that with a small ridge not even the sign of a gradient is left.

Where rows have weights v, errors count v_i times, the fit is that to repeated rows, and a row is
left out with all its weight: ``M = C' diag(v) C + V r Q``, ``s_i = v_i c_i' M^-1 c_i``. That is the
same with ``v^1/2 C`` and ``v^1/2 Y`` in the place of C and Y.

One evaluation costs some ``8 n m^2 + 4 n m (d + q)`` operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from .._arrays import FloatArray
from .._linalg import gaussian_kernel

_JITTER = 1e-6  # of a landmark's own kernel value: with less, rounding ends the descent
_LIFTS = (0.0, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4)  # as many landmarks as there may be, at most
_OWN = 1e-6  # of a row's prediction that is not its own, at least


class LossAt(NamedTuple):
    """The loss, its gradient by A, and its derivative by the logarithm of the ridge."""

    loss: float
    gradient: FloatArray
    by_ridge: float


@dataclass(frozen=True, eq=False)
class PredictionLoss:
    """The loss of rows X with responses Y, at landmarks X_l.

    Parameters
    ----------
    X : array, shape (n, d)
    Y : array, shape (n, r)
        Centred.
    landmarks : array, shape (m, d)
    weights : array, shape (n,), default=None
        Of the rows; Y is then centred by them.
    """

    X: FloatArray
    Y: FloatArray
    landmarks: FloatArray
    weights: FloatArray | None = None

    def at(self, A: FloatArray, ridge: float) -> LossAt:
        """At a map A, with the ridge r."""
        X, Y, L = self.X, self.Y, self.landmarks
        Z, Zl = X @ A, L @ A
        C, Q = gaussian_kernel(Z, Zl), gaussian_kernel(Zl, Zl)
        Q[np.diag_indices_from(Q)] += _JITTER
        n: float = Y.shape[0]
        if self.weights is not None:
            root, n = np.sqrt(self.weights)[:, None], float(self.weights.sum())
            C, Y = root * C, root * Y
        CH, weights, rest = _fitted(C, Q, Y, n * ridge)
        errors = (Y - C @ weights) / rest[:, None]
        total = max(float(np.vdot(Y, Y)), np.finfo(float).tiny)
        squares = np.einsum("ij,ij->i", errors, errors)
        # Backwards: from the errors and their shares s to C and M, from M to C and Q.
        g = errors * (2.0 / (rest * total))[:, None]
        h = 2.0 * squares / (rest * total)
        back = -(CH.T @ g)
        shared = np.sqrt(h)[:, None] * CH
        M_bar = -(back @ weights.T) - shared.T @ shared
        M_bar = 0.5 * (M_bar + M_bar.T)
        C_bar = Y @ back.T - g @ weights.T + 2.0 * (h[:, None] * CH + C @ M_bar)
        G, P = C_bar * C, (n * ridge) * M_bar * Q
        gradient = X.T @ (G @ Zl - G.sum(axis=1)[:, None] * Z)
        gradient += L.T @ (G.T @ Z - (G.sum(axis=0) + 2.0 * P.sum(axis=1))[:, None] * Zl)
        gradient += L.T @ (2.0 * (P @ Zl))
        return LossAt(float(squares.sum()) / total, gradient, float(P.sum()))


def _fitted(
    C: FloatArray, Q: FloatArray, Y: FloatArray, ridge: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """``C M^-1``, ``M^-1 C'Y`` and ``1 - s``, by ``Q = LL'`` and ``F = C L^-T``."""
    root = _root(Q)
    F = solve_triangular(root, C.T, lower=True, check_finite=False).T
    N = F.T @ F
    N[np.diag_indices_from(N)] += ridge
    # T with T T' = M^-1, from two triangles: products with it are faster than solving for rows.
    T = solve_triangular(
        cholesky(N, lower=True, check_finite=False), np.eye(N.shape[0]), lower=True
    )
    V = F @ T.T
    T = solve_triangular(root, T.T, lower=True, trans=1, check_finite=False)
    rest = np.maximum(1.0 - np.einsum("ij,ij->i", V, V), _OWN)
    return V @ T.T, T @ (V.T @ Y), rest


def _root(Q: FloatArray) -> FloatArray:
    """L of ``Q = LL'``, lifted where it takes that.

    Where one row lies far out, distances of the others are rounded to its square: their kernel is
    no longer definite.
    """
    for lift in _LIFTS:
        try:
            L: FloatArray = cholesky(
                Q + lift * np.eye(Q.shape[0]) if lift else Q, lower=True, check_finite=False
            )
            return L
        except LinAlgError:
            continue
    raise FloatingPointError("the kernel matrix of the landmarks is not finite")
