"""Features of projected rows: ``g(beta_ij) = c_i' P c_j``, so that pairs become rows."""

from __future__ import annotations

from ._base import Features
from .landmarks import Candidates, NystromFeatures
from .monomials import MonomialFeatures, has_finite_features
from .place import Accuracy, Place, farthest_rows

__all__ = [
    "Accuracy",
    "Candidates",
    "Features",
    "MonomialFeatures",
    "NystromFeatures",
    "Place",
    "farthest_rows",
    "has_finite_features",
]
