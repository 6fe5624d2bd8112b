r"""The largest eigenpairs of an operator that has moved a little: start from those it had.

A descent asks for the same few eigenvectors of one graph after another. In the span of those of the
last graph and of their images, ``[V, AV, A^2 V, ...]``, a handful of products with *blocks* of
columns finds what Lanczos' method, from a single vector, takes dozens for; and a product with four
columns reads the matrix once, as one with a single column does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .krylov import Product, Spectrum, kept_off

_BLOCKS = 8  # of the space, before it is cut back: the small eigenproblem stays small
_ROUNDING = 1e-8  # whose square is nothing to a length of one
_FEWEST = 3  # products, in which a random column shows an eigenvector that the others hide
_FIRST = 4  # blocks after each of which the eigenproblem is looked at, then every other one


def moved_top(
    apply: Product, start: FloatArray, k: int, atol: float, max_products: int
) -> Spectrum | None:
    r"""The k largest eigenpairs and one more, *descending*, from a block near them.

    Rayleigh-Ritz on a block Krylov space. With B its basis, Q the block added last and
    ``R = (I - BB')AQ``, the residual of a Ritz vector ``B s`` is ``R s_Q``, at no further product.
    Those of the k are below ``atol``; that of the one more below ``sqrt(atol |A|)``, so that its
    value, which is off by a square, is about as exact. Never before the third product: the
    eigenvectors of the last graph may be eigenvectors of this one, but no longer the largest, and
    only columns of ``start`` beside them can tell. None if it takes more than ``max_products``.
    """
    n, b = start.shape
    room = _BLOCKS * b
    B, T, m = np.empty((n, room)), np.zeros((room, room)), 0
    Q = np.linalg.qr(start)[0]
    for j in range(max_products):
        AQ = apply(Q)
        here, m = slice(m, m + b), m + b
        B[:, here] = Q
        T[:m, here] = B[:, :m].T @ AQ
        T[here, :m] = T[:m, here].T
        Q, root = _factored(AQ - B[:, :m] @ T[:m, here])
        if j >= _FEWEST - 1 and (j < _FIRST or j % 2 or m == room):
            values, S = (part[..., ::-1] for part in np.linalg.eigh(T[:m, :m]))
            residuals = np.linalg.norm(root @ S[here, : k + 1], axis=0)
            one_more = np.sqrt(atol * max(abs(float(values[0])), atol))
            if residuals[:k].max(initial=0.0) <= atol and residuals[k] <= one_more:
                return Spectrum(values[: k + 1].copy(), B[:, :m] @ S[:, : k + 1])
        if m == room:  # keep the upper part: its images are in its span and that of Q
            m = _BLOCKS // 2 * b
            B[:, :m] = B @ S[:, :m]
            T[:m, :m] = np.diag(values[:m])
        Q = _off(B[:, :m], Q)
    return None


def _off(B: FloatArray, Q: FloatArray) -> FloatArray:
    """Orthonormal columns off B, once more: of columns that have converged little was left."""
    lost = B.T @ Q
    Q = Q - B @ lost
    return Q if np.abs(lost).max() <= _ROUNDING else kept_off(B, _factored(Q).Q)


class _Factored(NamedTuple):
    """``Q root``, Q orthonormal: a block, and a small matrix with its lengths."""

    Q: FloatArray
    root: FloatArray


def _factored(R: FloatArray) -> _Factored:
    """By Cholesky, three times faster than QR; by QR where columns have all but converged."""
    try:
        L = np.linalg.cholesky(R.T @ R)
    except np.linalg.LinAlgError:
        return _Factored(*np.linalg.qr(R))
    sizes = L.diagonal()
    if sizes.min() <= 1e-6 * sizes.max():
        return _Factored(*np.linalg.qr(R))
    return _Factored(R @ np.linalg.inv(L).T, np.asarray(L.T))
