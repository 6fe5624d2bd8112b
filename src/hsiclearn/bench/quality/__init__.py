"""How good the answers are at defaults: errors beside rivals', true subspaces, and the cost."""

from __future__ import annotations

from .run import QUALITY_PARTS, check_choice, run_quality
from .sets import SETS, QualitySet
from .sir import SlicedInverseRegression

__all__ = [
    "QUALITY_PARTS",
    "SETS",
    "QualitySet",
    "SlicedInverseRegression",
    "check_choice",
    "run_quality",
]
