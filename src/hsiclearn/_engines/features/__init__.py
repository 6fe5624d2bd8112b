"""Features of projected rows: ``g(beta_ij) = c_i' P c_j``, so that pairs become rows."""

from __future__ import annotations

from ._base import Features
from .landmarks import Candidates, NystromFeatures
from .monomials import MonomialFeatures, TaylorFeatures, has_finite_features
from .place import Accuracy, CandidateRows, Place, farthest_rows

__all__ = [
    "Accuracy",
    "CandidateRows",
    "Candidates",
    "Features",
    "MonomialFeatures",
    "NystromFeatures",
    "Place",
    "TaylorFeatures",
    "farthest_rows",
    "has_finite_features",
]
