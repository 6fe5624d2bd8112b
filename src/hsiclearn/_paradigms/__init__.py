"""Paradigms: each only builds Gamma."""

from __future__ import annotations

from .given import PartialLabels, away_from, follow_labels, follow_scores, partial_labels
from .supervised import SupervisedGamma, supervised_gamma
from .targets import TARGETS, read_target

__all__ = [
    "TARGETS",
    "PartialLabels",
    "SupervisedGamma",
    "away_from",
    "follow_labels",
    "follow_scores",
    "partial_labels",
    "read_target",
    "supervised_gamma",
]
