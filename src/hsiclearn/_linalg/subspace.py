"""Subspaces: angles, bases, signs, norms and units of columns."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column, fold, mapped

_ROUNDING = 1e-12  # of the largest: a singular value of what is 0


def sine_of_largest_angle(W: Array, V: Array) -> float:
    """Sine of the largest principal angle between two spans, ``|(I - WW')V|_2``.

    The cosine, ``min svd(W'V)``, cannot resolve angles below 1e-8; the sine can.
    """
    xp = array_namespace(W)
    residual = V - W @ (W.T @ V)
    return min(1.0, float(xp.linalg.svdvals(residual)[0]))


def sines_of_angles(W: Array, V: Array) -> Array:
    """Sines of all principal angles between two spans, ascending; V has as many as W or fewer."""
    xp = array_namespace(W)
    sines = xp.linalg.svdvals(V - W @ (W.T @ V))
    return xp.flip(xp.minimum(sines, xp.ones_like(sines)))


def orthonormal_basis(A: Array) -> Array:
    """An orthonormal basis of the span of the columns, by QR."""
    return array_namespace(A).linalg.qr(A)[0]


def independent_columns(W: FloatArray) -> FloatArray:
    """An orthonormal basis of what W spans, as many columns as its rank."""
    U, sizes, _ = np.linalg.svd(W, full_matrices=False)
    found: FloatArray = U[:, sizes > _ROUNDING * sizes.max(initial=0.0)]
    return found


def completed(W: FloatArray) -> FloatArray:
    """W, if its columns are independent; else what it spans with random directions beside it.

    Always the same ones: a start that has hardly a part in some columns is still one there.
    """
    known, q = independent_columns(W), W.shape[1]
    if known.shape[1] == q:
        return W
    more = np.random.default_rng(0).standard_normal((W.shape[0], q - known.shape[1]))
    found: FloatArray = np.linalg.qr(np.concatenate([known, more], axis=1))[0]
    return found


def nearest_basis(A: Array) -> Array:
    """The orthonormal basis nearest to A, its polar factor: columns keep their places and signs."""
    U, _, Vh = array_namespace(A).linalg.svd(A, full_matrices=False)
    return U @ Vh


def fix_signs(W: Array) -> Array:
    """Make the entry of largest size in each column positive.

    Entries that tie within rounding are resolved in favour of the first, so that rounding
    cannot flip a column whose two largest entries are equal and opposite.
    """
    xp = array_namespace(W)
    size = xp.abs(W)
    first = xp.argmax(xp.astype(size >= xp.max(size, axis=0) * (1 - 1e-8), xp.int8), axis=0)
    is_first = xp.arange(W.shape[0])[:, None] == first
    leading = xp.sum(xp.where(is_first, W, xp.zeros_like(W)), axis=0)
    return W * xp.where(leading < 0, -xp.ones_like(leading), xp.ones_like(leading))


def safe_norm(A: Array) -> float:
    """``|A|_F``, also where the squares of the entries under- or overflow."""
    xp = array_namespace(A)
    with np.errstate(over="ignore"):
        square = float(xp.sum(A * A))
    if 1e-280 < square < 1e280:
        return math.sqrt(square)
    largest = float(xp.max(xp.abs(A)))
    return largest * math.sqrt(float(xp.sum((A / largest) ** 2))) if largest > 0.0 else largest


def in_units_near_one(A: Column) -> Column:
    """Each column times the power of two that brings its largest entry to between 1/2 and 1.

    Powers of two change no digit: what does not depend on the unit comes out the same, bit by
    bit, and squares neither overflow nor vanish.
    """
    return mapped(A, units_near_one(A))


def units_near_one(*tables: Column) -> Callable[[FloatArray], FloatArray]:
    """What brings rows of several tables to units that are near one in all of them."""
    largest = np.max(
        [
            fold(A, lambda _, part: np.max(np.abs(part), axis=0), np.maximum, "largest")
            for A in tables
        ],
        axis=0,
    )
    _, exponent = np.frexp(largest)
    # Twice, since the power itself may be out of range.
    half = -exponent // 2
    return lambda part: np.ldexp(np.ldexp(part, half), -exponent - half)
