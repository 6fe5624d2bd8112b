"""Many rows: how time and memory grow, how exact the answers stay, and who else gets there."""

from __future__ import annotations

from .alone import Limits, Outcome, run_alone
from .part import Bench, Curve, Goal, Part, ScalePart
from .run import PARTS, run_scale

__all__ = [
    "PARTS",
    "Bench",
    "Curve",
    "Goal",
    "Limits",
    "Outcome",
    "Part",
    "ScalePart",
    "run_alone",
    "run_scale",
]
