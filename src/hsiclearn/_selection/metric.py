r"""The geometry that directions are orthonormal in: that of the columns, or of their covariance.

::

    W'W = I                    "identity"
    W'SW = I, W = S^-1/2 V     "covariance", S the shrunk covariance of the columns
    W = diag(s) V, V'V = I     "relevance", s weights of the columns by their part in W

In the second, directions have about unit variance and are hardly correlated, as those of LDA:
of columns that say the same, what they have in common no longer counts many times. It is the same
problem in V and ``X S^-1/2``. The third is made of a fit in one of the others, by
:mod:`.relevance`: what hardly counts is to count less.
"""

from __future__ import annotations

from .._columns import Column
from .._linalg import IDENTITY as NO_CHANGE
from .._linalg import Basis
from .._rows import AbstractRows, inverse_root, shrunk_covariance

AUTO, IDENTITY, COVARIANCE, RELEVANCE = "auto", "identity", "covariance", "relevance"

FREE = "free"
"""Of directions that are made to predict: orthogonal, and of lengths of their own."""

METRICS = (IDENTITY, COVARIANCE, RELEVANCE)
"""Those that there are, the simplest first."""

MOST_COLUMNS = 2000
"""A matrix of columns by columns with its spectrum is some seconds; beyond, it is not made."""

_FEWEST_WEIGHED = 8  # columns: of fewer, hardly one is noise
_MOST_COMPARED = 100  # columns: beyond, it takes the time of a fit, and so many rows hardly tell it


def basis_of(metric: str, rows: AbstractRows, weights: Column | None = None) -> Basis:
    """The coordinates in which it is that of the columns, of rows with weights or without."""
    if metric == RELEVANCE:
        raise ValueError("The weights of metric='relevance' are made of a fit, not of rows.")
    if metric == IDENTITY:
        return NO_CHANGE
    return Basis.of_matrix(inverse_root(shrunk_covariance(rows, weights)))


def metrics_for(asked: str, n_samples: int, n_features: int) -> tuple[str, ...]:
    """Those to choose between: the one asked for, or all; of many columns only the simplest."""
    if asked == AUTO:
        if n_features > _MOST_COMPARED:
            return (IDENTITY,)
        is_weighed = _FEWEST_WEIGHED <= n_features <= n_samples
        return METRICS if is_weighed else (IDENTITY, COVARIANCE)
    return (asked,) if n_features <= MOST_COLUMNS else (IDENTITY,)
