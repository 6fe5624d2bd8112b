"""Reading a fitted model: what its directions are made of, and how firm they are."""

from __future__ import annotations

from .frequencies import selection_frequencies
from .loadings import Components, describe_components, feature_importances, feature_shares
from .stability import Stability, bootstrap_stability
from .summary import Badge, badge

__all__ = [
    "Badge",
    "Components",
    "Stability",
    "badge",
    "bootstrap_stability",
    "describe_components",
    "feature_importances",
    "feature_shares",
    "selection_frequencies",
]
