r"""The covariance of rows, shrunk towards a multiple of the identity (Ledoit and Wolf, 2004).

::

    S = (1 - a) C + a m I      C = sum_i x_i x_i' / n of centred rows,  m = tr C / d
    a = min(b, e) / e          b = (sum_i |x_i|^4 / n - |C|_F^2) / n,   e = |C - m I|_F^2

``a`` is what brings S nearest to the covariance the rows were drawn from, as far as they tell: near
0 with many rows for each column, near 1 with few. Where rows have weights v, the sums are
``sum_i v_i ... / V``, and b is divided by the number of rows they are worth, which of counts is V.
"""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray, array_namespace
from .._columns import Column
from .._devices import beside, in_dtype, is_foreign
from .._weights import total_weight, worth
from ._base import AbstractRows, Block

_LEAST = 1e-10  # of the largest eigenvalue: columns that depend on others count as that


def shrunk_covariance(rows: AbstractRows, weights: Column | None = None) -> FloatArray:
    """S, (d, d): two passes over the rows."""
    total, d = float(rows.n_samples), rows.n_features
    n = total
    if weights is None:
        centred = rows.from_mean()
    else:
        total, n = total_weight(weights), worth(weights)
        centred = rows.moved(rows.mean(weights))
    C = centred.gram(weights) / total
    mean = float(np.trace(C)) / d
    distance = float(np.sum(C * C)) - d * mean**2
    fourth = _fourth_moment(centred, weights) / total
    noise = max(fourth - float(np.sum(C * C)), 0.0) / n
    share = min(noise, distance) / distance if distance > 0.0 else 1.0
    return (1.0 - share) * C + share * mean * np.eye(d)


def _fourth_moment(rows: AbstractRows, weights: Column | None) -> float:
    """``sum_i |x_i|^4``, seen from the origin; or ``sum_i v_i |x_i|^4``."""

    def task(place: slice, block: Block) -> float:
        v = None if weights is None else weights[place]
        if is_foreign(block):
            xp = array_namespace(block)
            squares = xp.sum(in_dtype(block, np.float64) ** 2, axis=1)
            return float(xp.sum(squares**2 if v is None else squares**2 * beside(v, squares)))
        squares = _of_sparse(block) if rows.is_sparse else _of_dense(block)
        return float(squares @ (squares if v is None else v * squares))

    def _of_dense(block: Block) -> FloatArray:
        return np.einsum("ij,ij->i", block, block, dtype=np.float64)

    def _of_sparse(block: Block) -> FloatArray:
        squares = np.asarray(block.multiply(block).sum(axis=1), dtype=np.float64).ravel()
        if rows.origin is not None:
            squares = squares - 2.0 * (block @ rows.origin) + rows.origin @ rows.origin
        return squares

    return rows.fold(task, name="moments")


def inverse_root(S: FloatArray) -> FloatArray:
    """``S^-1/2``, symmetric."""
    values, vectors = np.linalg.eigh(S)
    values = np.maximum(values, _LEAST * values[-1])
    return (vectors / np.sqrt(values)) @ vectors.T
