"""Structured symmetric matrices: what a paradigm hands to the solver."""

from __future__ import annotations

from .._arrays import Array
from ._base import AbstractGamma, check_symmetric
from .class_table import ClassTable
from .dense import Dense
from .factor_part import FactorPart
from .gaussian_column import GaussianColumn
from .gaussian_columns import GaussianColumns
from .low_rank import LowRank
from .pair_tiles import GaussianPairs
from .pieces import PiecesPart
from .row_factor import RowFactor
from .sum import Sum
from .weighted import Weighted

__all__ = [
    "AbstractGamma",
    "ClassTable",
    "Dense",
    "FactorPart",
    "GaussianColumn",
    "GaussianColumns",
    "GaussianPairs",
    "LowRank",
    "PiecesPart",
    "RowFactor",
    "Sum",
    "Weighted",
    "as_gamma",
    "check_symmetric",
]


def as_gamma(gamma: AbstractGamma | Array) -> AbstractGamma:
    """A structured matrix as it is; an n x n array as :class:`Dense`."""
    return gamma if isinstance(gamma, AbstractGamma) else Dense(gamma)
