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
    terms, n = kernel.terms, rows.n_samples

    def squares(_: slice, block: Block) -> FloatArray:
        return np.array([np.square(v).sum() for v in _lengths(rows, block, W)])

    sizes = np.maximum(np.sqrt(rows.fold(squares, name="rounding") / n), np.finfo(float).tiny)
    if rows.elsewhere is None:
        g: FloatArray = np.empty((len(terms), n))

        def write(place: slice, block: Block) -> float:
            x, w = _lengths(rows, block, W)
            g[:, place] = [_shares(term, x, w, sizes) for _, term in terms]
            return 0.0

        rows.fold(write)
        forms = [gamma.absolute_form(some) for some in g]
    else:
        forms = _forms_elsewhere(rows, gamma, kernel, W, sizes)
    total = sum(abs(weight) * form for (weight, _), form in zip(terms, forms, strict=True))
    return _UNITS * float(np.finfo(float).eps) * total


def _forms_elsewhere(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, W: FloatArray, s: FloatArray
) -> list[float]:
    """``(sum_i a_i g_i)^2`` for every term, ``|Gamma_ij| <= a_i a_j``: no number for each row."""
    factor, terms = gamma.row_factor(), kernel.terms
    if factor is None:
        return [np.inf] * len(terms)

    def task(place: slice, block: Block) -> FloatArray:
        part = factor.part(place)
        order = slice(None) if part.order is None else part.order
        x, w = (v[order] for v in _lengths(rows, block, W))
        return np.array([part.sizes(slice(None)) @ _shares(term, x, w, s) for _, term in terms])

    return [float(v) ** 2 for v in rows.fold(task, name="rounding")]


def _lengths(rows: AbstractRows, block: Block, W: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``|x_i|`` and ``|w_i|`` of the rows of a chunk."""
    squares = block * block if isinstance(block, np.ndarray) else block.multiply(block)
    x = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
    return x, np.linalg.norm(rows.project(block, W), axis=1)


def _shares(term: AbstractKernel, x: FloatArray, w: FloatArray, sizes: FloatArray) -> FloatArray:
    """``g``, one number per row, whose products bound what a pair adds."""
    if not term.pair.is_difference:
        return x * np.sqrt(_steepest(term, w**2))
    zero = np.zeros(1)
    slope, bend = (abs(float(np.asarray(g(zero))[0])) for g in (term.df, term.d2f))
    r, s = sizes
    return (x + r) ** 2 / r * np.sqrt(slope + bend * ((w + s) ** 2 / s) ** 2)


def _steepest(term: AbstractKernel, beta: FloatArray) -> FloatArray:
    """``h(beta)``; of a kernel without coefficients ``|f'|``, taken to be largest at i = j."""
    if term.coefficients is None:
        return np.abs(np.asarray(term.df(beta)))
    slope = Polynomial(term.coefficients).deriv()
    return np.asarray(Polynomial(np.abs(slope.coef))(beta))
