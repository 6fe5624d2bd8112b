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

from .._arrays import Array, FloatArray, array_namespace
from .._devices import in_dtype, is_foreign, to_host
from .._rows import AbstractRows, Block, sums_of_squares
from ..gamma import AbstractGamma, FactorPart
from ..kernels import AbstractKernel

_ALL = slice(None)
_UNITS = 4.0  # of the last digit: beta, f', the product with X and the sum round once each


def rounding_of_phi(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, W: FloatArray
) -> float:
    """A bound on ``|dPhi|`` at W: one pass over the rows, O(n d)."""
    terms, n = kernel.terms, rows.n_samples

    def squares(_: slice, block: Block) -> FloatArray:
        lengths = _lengths(rows, block, W)
        return np.array([float(array_namespace(v).sum(v * v)) for v in lengths])

    sizes = np.maximum(np.sqrt(rows.fold(squares, name="rounding") / n), np.finfo(float).tiny)
    is_here = rows.elsewhere is None and rows.on_device is None
    if is_here or (rows.elsewhere is None and gamma.row_factor() is None):
        g: FloatArray = np.empty((len(terms), n))

        def write(place: slice, block: Block) -> float:
            x, w = _lengths(rows, block, W)
            g[:, place] = [to_host(_shares(term, x, w, sizes)) for _, term in terms]
            return 0.0

        rows.fold(write)
        forms = [gamma.absolute_form(some) for some in g]
    else:
        forms = _forms_there(rows, gamma, kernel, W, sizes)
    total = sum(abs(weight) * form for (weight, _), form in zip(terms, forms, strict=True))
    return _UNITS * float(np.finfo(float).eps) * total


def _forms_there(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, W: FloatArray, s: FloatArray
) -> list[float]:
    """``(sum_i a_i g_i)^2`` for every term, ``|Gamma_ij| <= a_i a_j``.

    Summed up where the rows are: no number for each comes from there.
    """
    factor, terms = gamma.row_factor(), kernel.terms
    if factor is None:
        return [np.inf] * len(terms)

    def task(place: slice, block: Block) -> FloatArray:
        is_there = is_foreign(block)
        part: FactorPart = factor.part_beside(place, block) if is_there else factor.part(place)
        x, w = _lengths(rows, block, W)
        if part.order is not None:
            xp = array_namespace(x)
            x, w = (xp.take(v, part.order, axis=0) for v in (x, w))
        sizes = part.sizes(_ALL)
        return np.array([float(sizes @ _shares(term, x, w, s)) for _, term in terms])

    return [float(v) ** 2 for v in rows.fold(task, name="rounding")]


def _lengths(rows: AbstractRows, block: Block, W: FloatArray) -> tuple[Array, Array]:
    """``|x_i|`` and ``|w_i|`` of the rows of a chunk."""
    if is_foreign(block):
        xp = array_namespace(block)
        both = (in_dtype(v, np.float64) for v in (rows.whole(block), rows.project(block, W)))
        x, w = (xp.sqrt(xp.sum(v * v, axis=1)) for v in both)
        return x, w
    w = np.asarray(rows.project(block, W), dtype=np.float64)
    if isinstance(block, np.ndarray):
        return np.sqrt(sums_of_squares(block, axis=1)), np.linalg.norm(w, axis=1)
    squares = np.asarray(block.multiply(block).sum(axis=1), dtype=np.float64)
    return np.sqrt(squares.ravel()), np.linalg.norm(w, axis=1)


def _shares(term: AbstractKernel, x: Array, w: Array, sizes: FloatArray) -> Array:
    """``g``, one number per row, whose products bound what a pair adds."""
    xp = array_namespace(x)
    if not term.pair.is_difference:
        return x * xp.sqrt(_steepest(term, w**2))
    zero = np.zeros(1)
    slope, bend = (abs(float(np.asarray(g(zero))[0])) for g in (term.df, term.d2f))
    r, s = map(float, sizes)
    return (x + r) ** 2 / r * xp.sqrt(slope + bend * ((w + s) ** 2 / s) ** 2)


def _steepest(term: AbstractKernel, beta: Array) -> Array:
    """``h(beta)``; of a kernel without coefficients ``|f'|``, taken to be largest at i = j."""
    xp = array_namespace(beta)
    if term.coefficients is None:
        return xp.abs(term.df(beta))
    total = xp.zeros_like(beta)
    for size in np.abs(Polynomial(term.coefficients).deriv().coef).tolist()[::-1]:
        total = total * beta + size
    return total
