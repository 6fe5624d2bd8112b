r"""Weights of columns by their part in the directions found: what hardly counts is to count less.

::

    s_j <- s_j sqrt(p_j / max p)      p_j the importance of column j in W
    W   =  diag(s) V                  V'V = I, fitted again to X diag(s) from there

twice. A column whose part is small becomes short, and the next fit, orthonormal in columns
that are rescaled, can hardly use it: what is noise vanishes, and what is left is found better.
Where all columns have a part, as in a subspace that was rotated, it only takes away: rows held out
must tell. Weights below a thousandth of the largest are 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._engines import rough_engine
from .._linalg import Basis, column_weights, deviations_of, orthonormal_basis, typical_distance
from .._objective import Objective
from .._solvers import rough_fit
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel

ROUNDS = 2
"""Of weighing and fitting; after four, few columns are left whatever the data."""

_VANISHING = 1e-3  # of the largest weight
_GAIN = 1e-4  # of the cost, as in all fits that are compared


class Weighed(NamedTuple):
    """Weights of the columns of X, and a subspace ``W = diag(s) V`` with its cost."""

    weights: FloatArray
    W: FloatArray
    cost: float


def basis_of_weights(s: FloatArray) -> Basis:
    """``W = diag(s) V``, without the columns of weight 0."""
    kept = s > 0.0
    return Basis.of_columns(kept).then(Basis.of_matrix(np.diag(s[kept])))


def weighed(
    X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel, W: FloatArray, rounds: int = ROUNDS
) -> Weighed:
    """From directions W that were found with all columns alike, with the same kernel.

    The weights have the unit in which projected rows lie as far apart as they did: so that the
    bandwidth means the same. Rows count as Gamma has it.
    """
    weights, rng, v = np.ones(X.shape[1]), np.random.default_rng, gamma.row_weights
    deviations, distance = deviations_of(X, v), typical_distance(X @ W, rng(0), v)
    cost = np.nan
    for _ in range(rounds):
        parts = np.sqrt(column_weights(W, X @ W, deviations, v))
        less = weights * parts
        less = np.where(less > _VANISHING * less.max(), less, 0.0)
        # As many columns as directions must be left: else what was found before stands.
        if not np.count_nonzero(less) >= W.shape[1]:
            break
        kept = less > 0.0
        start = orthonormal_basis(W[kept])
        table = X[:, kept] * less[kept]
        now = typical_distance(table @ start, rng(0), v)
        unit = distance / now if now > 0.0 else 1.0
        less, table = less * unit, table * unit
        found = rough_fit(Objective(table, gamma, kernel, rough_engine), start, _GAIN)
        weights, W, cost = less, np.zeros_like(W), found.cost
        W[kept] = less[kept, None] * found.W
    if np.isnan(cost):  # no round stood: all columns count alike
        found = rough_fit(Objective(X, gamma, kernel, rough_engine), orthonormal_basis(W), _GAIN)
        W, cost = found.W, found.cost
    return Weighed(weights, W, cost)
