r"""A square root of a Gaussian kernel between points of a line, without its spectrum.

A Gaussian is the convolution of two narrower ones; the integral by the trapezoidal rule is ::

    exp(-(a - b)^2 / 2s^2)  =  sum_t F(a, t) F(b, t)      F(a, t) = c exp(-(a - t)^2 / s^2)
    t = ..., -h, 0, h, ...      c^2 = (h / s) sqrt(2 / pi)

with an error of ``2 exp(-pi^2 s^2 / 2h^2)``, 3e-14 at ``h = 0.4 s``. So n points along a line of
length L need a matrix of n by ``L / h``, written down in no time, where a spectrum takes n^3.
Points between which there is nothing within the reach of the kernel are parts of their own; a few
points along a long line are fewer than their t, and have the root of their own small table.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag

from .._arrays import Array, FloatArray

_STEP = 0.4  # h, in bandwidths
_REACH = 5.7  # bandwidths: beyond, F is below 1e-14
_APART = 8.4  # bandwidths: beyond, the kernel is below 1e-15
_FEW = 300  # t, so many that their spectrum takes no time
_LEAST = 1e-15  # of the largest eigenvalue


def gaussian_root(points: FloatArray, bandwidth: float) -> FloatArray:
    """F with ``F F' = K``, (points, t); the row of a point at infinity is 0."""
    order = np.argsort(points, kind="stable")
    order = order[np.isfinite(points[order])]
    z = points[order] / bandwidth
    parts = np.split(z, np.flatnonzero(np.diff(z) > _APART) + 1) if z.size else []
    roots = block_diag(*map(_root, parts)) if parts else np.zeros((0, 0))
    F: FloatArray = np.zeros((points.size, roots.shape[1]))
    F[order] = roots
    return F


def _root(z: FloatArray) -> Array:
    count = int(np.ceil((z[-1] - z[0] + 2.0 * _REACH) / _STEP)) + 1
    if count < z.size:
        t = z[0] - _REACH + _STEP * np.arange(count)
        F = np.sqrt(_STEP * np.sqrt(2.0 / np.pi)) * np.exp(-(np.subtract.outer(z, t) ** 2))
        return _compressed(F) if count <= _FEW else F
    values, vectors = np.linalg.eigh(np.exp(-0.5 * np.subtract.outer(z, z) ** 2))
    keep = values > _LEAST * values[-1]
    return vectors[:, keep] * np.sqrt(values[keep])


def _compressed(F: Array) -> Array:
    """As many columns as the kernel has rank: at its ends a line has more t than it needs."""
    values, vectors = np.linalg.eigh(F.T @ F)
    return F @ vectors[:, values > _LEAST * values[-1]]
