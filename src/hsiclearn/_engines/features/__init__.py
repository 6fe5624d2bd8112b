"""Features of projected rows: ``g(beta_ij) = c_i' P c_j``, so that pairs become rows."""

from __future__ import annotations

from ._base import Features
from .candidates import Accuracy, CandidateRows, farthest_rows
from .landmarks import Candidates, NystromFeatures
from .monomials import MonomialFeatures, Powers, TaylorFeatures, has_finite_features

__all__ = [
    "Accuracy",
    "CandidateRows",
    "Candidates",
    "Features",
    "MonomialFeatures",
    "NystromFeatures",
    "Powers",
    "TaylorFeatures",
    "farthest_rows",
    "has_finite_features",
]
