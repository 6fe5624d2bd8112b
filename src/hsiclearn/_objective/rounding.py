r"""How far rounding moves Phi where the rows cannot be centred.

A sum is exact to the rounding unit times the sum of what it adds up, without signs. For inner
products that is, with h the derivative f' with the signs of its coefficients dropped, ::

    sum_ij |Gamma_ij| |f'(beta_ij)| |x_i| |x_j|  <=  sum_ij |Gamma_ij| g_i g_j
    g_i = |x_i| h(|w_i|^2)^1/2                       as |h(w_i.w_j)|^2 <= h(|w_i|^2) h(|w_j|^2)

and for differences, whose beta is itself a sum that cancels, it has ::

    (|f'(0)| + |f''(0)| (|w_i| + |w_j|)^2) (|x_i| + |x_j|)^2    in the place of  |f'| |x_i| |x_j|

split between i and j by ``|x_i| + |x_j| <= (|x_i| + r)(|x_j| + r) / r``, r the typical size of a
row. Beside ``|Phi|`` this is small while the rows lie near 0, and beyond 1 where a Gamma with zero
row sums takes all of a large common part away.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial

from .._arrays import FloatArray
from .._rows import AbstractRows, Block
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel

_UNITS = 4.0  # of the last digit: beta, f', the product with X and the sum round once each


def rounding_of_phi(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, W: FloatArray
) -> float:
    """A bound on ``|dPhi|`` at W: one pass over the rows, O(n d)."""
    x, w = _lengths(rows, W)
    total = 0.0
    for weight, term in kernel.terms:
        total += abs(weight) * gamma.absolute_form(_shares(term, x, w))
    return _UNITS * float(np.finfo(float).eps) * total


def _lengths(rows: AbstractRows, W: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``|x_i|`` and ``|w_i|`` of all rows, in units of their place in the table."""
    x, w = np.empty(rows.n_samples), np.empty(rows.n_samples)

    def task(place: slice, block: Block) -> None:
        squares = block * block if isinstance(block, np.ndarray) else block.multiply(block)
        x[place] = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
        w[place] = np.linalg.norm(rows.project(block, W), axis=1)

    for _ in rows.map(task):
        pass
    return x, w


def _shares(term: AbstractKernel, x: FloatArray, w: FloatArray) -> FloatArray:
    """``g``, one number per row, whose products bound what a pair adds."""
    if not term.pair.is_difference:
        return x * np.sqrt(_steepest(term, w**2))
    zero = np.zeros(1)
    slope, bend = (abs(float(np.asarray(g(zero))[0])) for g in (term.df, term.d2f))
    r, s = (max(float(np.sqrt(np.mean(v**2))), np.finfo(float).tiny) for v in (x, w))
    return (x + r) ** 2 / r * np.sqrt(slope + bend * ((w + s) ** 2 / s) ** 2)


def _steepest(term: AbstractKernel, beta: FloatArray) -> FloatArray:
    """``h(beta)``; of a kernel without coefficients ``|f'|``, taken to be largest at i = j."""
    if term.coefficients is None:
        return np.abs(np.asarray(term.df(beta)))
    slope = Polynomial(term.coefficients).deriv()
    return np.asarray(Polynomial(np.abs(slope.coef))(beta))
