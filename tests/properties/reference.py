"""The mathematics once more, in extended precision: what an answer is held against.

Numbers of 80 bits have a range of 1e-4900 to 1e4900 and 19 digits, so that no product of columns
of any units overflows here. Where the machine has no such numbers, range and digits are those of
the library itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LONG = np.longdouble


@dataclass(frozen=True)
class Terms:
    """The sums over pairs at W: the total, Phi, and the size of what was added up for each."""

    total: LONG
    phi: np.ndarray
    size_of_total: LONG
    size_of_phi: LONG


def rows_for(X, gamma, kernel):
    """The rows in extended precision; around their mean where no sum over pairs sees it."""
    long = X.astype(LONG)
    ignores_shifts = kernel.ignores_shifts(centered=gamma.is_centered)
    return long - long.mean(axis=0) if ignores_shifts else long


def _pairs(X, kernel, W):
    """Per term its weight, itself, ``s_i s_j``, the sides of a pair and beta."""
    W = W.astype(LONG)
    for weight, term in kernel.terms:
        scales = term.row_scales(np.asarray(X, dtype=np.float64))
        s = np.ones((len(X), 1), LONG) if scales is None else scales.astype(LONG)[:, None]
        w = X @ W
        if term.pair.is_difference:
            sides = X[:, None, :] - X[None, :, :]
            beta = np.sum((w[:, None, :] - w[None, :, :]) ** 2, axis=2)
        else:
            sides, beta = None, w @ w.T
        yield LONG(weight), term, s * s.T, sides, beta, w


def _outer(X, sides, S):
    """``sum_ij S_ij A_ij``."""
    if sides is None:
        return X.T @ S @ X
    flat = sides.reshape(-1, X.shape[1])
    return flat.T @ (S.reshape(-1, 1) * flat)


def at(X, gamma, kernel, W):
    """The sums at W."""
    gamma = gamma.astype(LONG)
    total = size = np.zeros((), LONG)
    phi, size_of_phi = np.zeros((X.shape[1],) * 2, LONG), np.zeros((), LONG)
    for weight, term, s, sides, beta, _ in _pairs(X, kernel, W):
        values, S = gamma * term.f(s * beta), weight * gamma * s * term.df(s * beta)
        total, size = total + weight * values.sum(), size + abs(weight) * np.abs(values).sum()
        phi = phi - _outer(X, sides, S)
        size_of_phi = size_of_phi + np.sum(np.abs(S) * _lengths(X, sides))
    return Terms(total, phi, size, size_of_phi)


@dataclass(frozen=True)
class Bent:
    """The Riemannian Hessian over horizontal directions, halved, the part of Phidot in it.

    And the size of what was added up.
    """

    hessian: np.ndarray
    part: np.ndarray
    size: LONG


def hessian(X, gamma, kernel, W, phi):
    """All of the Hessian at W, one unit direction at a time."""
    d, q = W.shape
    Q = np.linalg.qr(W, mode="complete")[0][:, q:].astype(LONG)
    gamma, W = gamma.astype(LONG), W.astype(LONG)
    m = Q.shape[1] * q
    H, part, size = np.zeros((m, m), LONG), np.zeros((m, m), LONG), np.zeros((), LONG)
    terms = [
        (weight * gamma * s**2 * term.d2f(s * beta), sides, w)
        for weight, term, s, sides, beta, w in _pairs(X, kernel, W)
    ]
    inner = W.T @ phi @ W
    for k, (a, b) in enumerate(np.ndindex(Q.shape[1], q)):
        Z = np.zeros((d, q), LONG)
        Z[:, b] = Q[:, a]
        dot, z = np.zeros((d, d), LONG), X @ Z
        for S, sides, w in terms:
            beta = _beta_dot(sides, w, z)
            dot -= _outer(X, sides, S * beta)
            size += np.sum(np.abs(S * beta) * _lengths(X, sides))
        dotted = Q.T @ dot @ W
        part[:, k] = dotted.ravel()
        H[:, k] = (Q.T @ (phi @ Z) + dotted - Q.T @ (Z @ inner)).ravel()
    return Bent(0.5 * (H + H.T), part, size)


def _beta_dot(sides, w, z):
    """The derivative of beta along Z."""
    if sides is None:
        return w @ z.T + z @ w.T
    return 2.0 * np.sum((w[:, None] - w[None]) * (z[:, None] - z[None]), axis=2)


def _lengths(X, sides):
    """What sums that multiply rows add up: of rows far from their mean differences cancel."""
    long = np.sqrt(np.sum(X * X, axis=1))
    return long[:, None] * long if sides is None else (long[:, None] + long) ** 2
