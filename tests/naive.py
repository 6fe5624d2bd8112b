"""The mathematics written out over n x n x d arrays: slow, obvious, and shared by no engine.

Rows i and j meet in ``A_ij``, with ``beta_ij = Tr(W' A_ij W)``: ``x_i x_j'`` for inner products,
``(x_i - x_j)(x_i - x_j)'`` for differences. Everything below is a sum over i and j of that.
"""

from __future__ import annotations

import numpy as np


def pairs(X, kernel, W, Z):
    """Per term: weight, kernel, s_i s_j, beta and its derivative along Z."""
    difference = X[:, None, :] - X[None, :, :]  # (n, n, d)
    for weight, term in kernel.terms:
        scales = term.row_scales(X)
        s = np.ones((len(X), len(X))) if scales is None else np.outer(scales, scales)
        if term.pair.is_difference:
            w, z = difference @ W, difference @ Z
            yield weight, term, s, np.sum(w * w, axis=2), 2.0 * np.sum(w * z, axis=2)
        else:
            w, z = X @ W, X @ Z
            yield weight, term, s, w @ w.T, w @ z.T + z @ w.T


def total(X, gamma, kernel, W):
    """``sum_ij Gamma_ij f(s_ij beta_ij)``."""
    return sum(
        weight * np.sum(gamma * term.f(s * beta))
        for weight, term, s, beta, _ in pairs(X, kernel, W, W)
    )


def size_of_total(X, gamma, kernel, W):
    """``sum_ij |Gamma_ij f|``: what the rounding of the total is relative to."""
    return sum(
        abs(weight) * np.sum(np.abs(gamma * term.f(s * beta)))
        for weight, term, s, beta, _ in pairs(X, kernel, W, W)
    )


def laplacian(term, S, V):
    """``c L(S) V``: rows ``sum_j S_ij V_j`` or ``2 sum_j S_ij (V_i - V_j)``."""
    if not term.pair.is_difference:
        return np.einsum("ij,jk->ik", S, V)
    return 2.0 * np.einsum("ij,ijk->ik", S, V[:, None, :] - V[None, :, :])


def apply(X, gamma, kernel, W, V, Z=None):
    """``c L(S) V`` with ``S = Gamma o f'``, or ``Gamma o f'' o betadot`` along Z."""
    out = np.zeros(V.shape)
    for weight, term, s, beta, dot in pairs(X, kernel, W, W if Z is None else Z):
        slope = s * term.df(s * beta) if Z is None else s**2 * term.d2f(s * beta) * dot
        out += laplacian(term, weight * gamma * slope, V)
    return out


def contract(X, gamma, kernel, W, Z=None):
    """``sum_ij S_ij A_ij`` (symmetric part), d x d."""
    difference = X[:, None, :] - X[None, :, :]
    out = np.zeros((X.shape[1], X.shape[1]))
    for weight, term, s, beta, dot in pairs(X, kernel, W, W if Z is None else Z):
        slope = s * term.df(s * beta) if Z is None else s**2 * term.d2f(s * beta) * dot
        S = weight * gamma * slope
        if term.pair.is_difference:
            out += np.einsum("ij,ija,ijb->ab", S, difference, difference)
        else:
            out += np.einsum("ij,ia,jb->ab", S, X, X)
    return out


def hessian_blocks(X, gamma, kernel, W):
    """M of ``-Phidot[Z] W = sum_b M[:, b] Z_b``, one unit direction Z at a time."""
    d, q = W.shape
    M = np.zeros((q, q, d, d))
    for b in range(q):
        for k in range(d):
            Z = np.zeros((d, q))
            Z[k, b] = 1.0
            M[:, b, :, k] = (contract(X, gamma, kernel, W, Z) @ W).T
    return M


def derivative(function, h=2e-4):
    """The derivative at 0 of a function of one number, from four values: error O(h^4)."""
    near = function(h) - function(-h)
    far = function(2 * h) - function(-2 * h)
    return (8.0 * near - far) / (12.0 * h)


def assert_close(actual, expected, rtol, scale=None):
    """Equal up to ``rtol`` times the largest entry expected."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    scale = np.max(np.abs(expected)) if scale is None else scale
    worst = np.max(np.abs(actual - expected))
    assert worst <= rtol * scale, f"differs by {worst:.3g}, {worst / (scale or 1.0):.3g} relative"


def assert_proportional(actual, expected, rtol=1e-12):
    """Equal up to a positive factor."""
    factor = np.sum(actual * expected) / np.sum(expected * expected)
    assert factor > 0
    assert_close(actual, factor * expected, rtol)


def everything(X, gamma, kernel, W, V, Z):
    """What an engine should return to every question, by name, and the size of the total."""
    arguments = X, gamma, kernel, W
    return {
        "total": total(*arguments),
        "size": size_of_total(*arguments),
        "contract": contract(*arguments),
        "apply": apply(*arguments, V),
        "apply along Z": apply(*arguments, V, Z),
        "multiply": X.T @ apply(*arguments, X @ Z),
        "multiply along Z": X.T @ apply(*arguments, X @ W, Z),
        "gradient": X.T @ apply(*arguments, X @ W),
        "hessian_blocks": hessian_blocks(*arguments),
    }
