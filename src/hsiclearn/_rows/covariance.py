r"""The covariance of rows, shrunk towards a multiple of the identity (Ledoit and Wolf, 2004).

::

    S = (1 - a) C + a m I      C = sum_i x_i x_i' / n of centred rows,  m = tr C / d
    a = min(b, e) / e          b = (sum_i |x_i|^4 / n - |C|_F^2) / n,   e = |C - m I|_F^2

``a`` is what brings S nearest to the covariance the rows were drawn from, as far as they tell: near
0 with many rows for each column, near 1 with few.
"""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray, array_namespace
from .._devices import in_dtype, is_foreign
from ._base import AbstractRows, Block

_LEAST = 1e-10  # of the largest eigenvalue: columns that depend on others count as that


def shrunk_covariance(rows: AbstractRows) -> FloatArray:
    """S, (d, d): two passes over the rows."""
    n, d = rows.shape
    centred = rows.from_mean()
    C = centred.gram() / n
    mean = float(np.trace(C)) / d
    distance = float(np.sum(C * C)) - d * mean**2
    noise = max(_fourth_moment(centred) - float(np.sum(C * C)), 0.0) / n
    share = min(noise, distance) / distance if distance > 0.0 else 1.0
    return (1.0 - share) * C + share * mean * np.eye(d)


def _fourth_moment(rows: AbstractRows) -> float:
    """``sum_i |x_i|^4 / n``, seen from the origin."""

    def task(_: slice, block: Block) -> float:
        if rows.is_sparse:
            return _of_sparse(block)
        if is_foreign(block):
            xp = array_namespace(block)
            return float(xp.sum(xp.sum(in_dtype(block, np.float64) ** 2, axis=1) ** 2))
        squares = np.einsum("ij,ij->i", block, block, dtype=np.float64)
        return float(squares @ squares)

    def _of_sparse(block: Block) -> float:
        squares = np.asarray(block.multiply(block).sum(axis=1), dtype=np.float64).ravel()
        if rows.origin is not None:
            squares = squares - 2.0 * (block @ rows.origin) + rows.origin @ rows.origin
        return float(squares @ squares)

    return rows.fold(task, name="moments") / rows.n_samples


def inverse_root(S: FloatArray) -> FloatArray:
    """``S^-1/2``, symmetric."""
    values, vectors = np.linalg.eigh(S)
    values = np.maximum(values, _LEAST * values[-1])
    return (vectors / np.sqrt(values)) @ vectors.T
