"""Clustering objectives written out over n x n matrices: slow, obvious, and shared by no engine."""

from __future__ import annotations

import numpy as np


def neighbour_scales(rows, n_neighbors, floor):
    """``sigma_i`` from the sorted distances to all rows."""
    distances = np.sort(np.linalg.norm(rows[:, None, :] - rows[None, :, :], axis=2), axis=1)
    d = distances[:, min(n_neighbors, len(rows) - 1)]  # column 0 is the row itself
    ordered = np.sort(d)
    reference = ordered[len(d) // 2]
    if reference == 0.0:
        reference = ordered[int(np.ceil(0.9 * (len(d) - 1)))]
    return np.maximum(d, floor * reference)


def sigmas(kernel, rows):
    """The scales of each term at projected rows; None where a term has none."""
    return [
        neighbour_scales(rows, term.n_neighbors, term.floor)
        if hasattr(term, "n_neighbors")
        else None
        for _, term in kernel.terms
    ]


def kernel_matrix(kernel, rows, scales=None, others=None):
    """``K_ij = sum_t weight_t f_t(beta_ij / (sigma_i sigma_j))``, rows against themselves."""
    scales = sigmas(kernel, rows) if scales is None else scales
    others = rows if others is None else others
    K = np.zeros((len(rows), len(others)))
    for (weight, term), sigma in zip(kernel.terms, scales, strict=True):
        beta = (
            np.sum((rows[:, None, :] - others[None, :, :]) ** 2, axis=2)
            if term.pair.is_difference
            else rows @ others.T
        )
        K += weight * term.f(beta if sigma is None else beta / np.outer(sigma, sigma))
    return K


def assortativity(K, U):
    """``(n / Tr Psi) T / S`` over the pairs i != j."""
    off = K - np.diag(np.diag(K))
    Psi = U @ U.T
    return len(K) / np.trace(Psi) * np.sum(Psi * off) / np.sum(off)


def spectral_matrix(K, normalize):
    """``D^-1/2 K D^-1/2`` or ``H K H``."""
    if normalize == "degree":
        root = np.sqrt(K.sum(axis=1))
        return K / np.outer(root, root)
    H = np.eye(len(K)) - 1.0 / len(K)
    return H @ K @ H


def cost_of_matrix(K, k, guidance, normalize):
    """F as a function of K alone: section 4 of the design."""
    cost = -np.linalg.eigvalsh(spectral_matrix(K, normalize))[-k:].sum()
    unit = 1.0 if normalize == "degree" else len(K) / k
    for term in guidance:
        p = assortativity(K, term.U)
        cost += unit * term.weight * (-p if term.follow else p**2)
    return cost


def cost(X, W, kernel, k, guidance, normalize):
    """F(W), the scales taken from the projected rows."""
    return cost_of_matrix(kernel_matrix(kernel, X @ W), k, guidance, normalize)
