"""Phi where the kernel is constant, at W = 0: where the paper starts from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray
from .._engines import AbstractEngine
from .._linalg import AbstractSymmetric, symmetric_matrix
from ..kernels import AbstractKernel

__all__ = ["matrix_at_zero"]

Forms = Callable[[int], tuple[FloatArray, FloatArray]]
"""``X'SX`` and ``X'DX`` of term t, or their products with the same columns."""


def matrix_at_zero(engine: AbstractEngine, kernel: AbstractKernel, d: int) -> AbstractSymmetric:
    """``Phi(0) = -c f'(0) X' L(Gamma) X``, or ``-X' Gamma X`` where that vanishes."""

    def of(combine: Callable[[Forms, AbstractKernel], FloatArray]) -> AbstractSymmetric:
        def whole() -> FloatArray:
            A = combine(engine.constant_forms, kernel)
            return 0.5 * (A + A.T)

        def times(V: FloatArray) -> FloatArray:
            return combine(lambda t: engine.constant_multiply(t, V), kernel)

        return symmetric_matrix(d, whole, times)

    matrix = of(_all_terms)
    return matrix if matrix.norm > 0.0 else of(_without_slope)


def _all_terms(forms: Forms, kernel: AbstractKernel) -> FloatArray:
    phi: FloatArray = np.zeros(())
    for t, (weight, term) in enumerate(kernel.terms):
        slope = weight * float(np.asarray(term.df(np.zeros(1)))[0])
        XSX, XDX = forms(t)
        phi = phi - slope * term.pair.combined(XDX, XSX)
    return phi


def _without_slope(forms: Forms, kernel: AbstractKernel) -> FloatArray:
    phi: FloatArray = -np.sign(kernel.terms[0][0]) * forms(0)[0]
    return phi
