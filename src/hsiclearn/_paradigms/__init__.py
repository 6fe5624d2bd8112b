"""Paradigms: a target or labels are read once, and each builds a Gamma of them."""

from __future__ import annotations

from .gammas import away_from, follow_labels, follow_scores, supervised_gamma
from .labels import (
    UNKNOWN,
    ClassLabels,
    as_column,
    is_minus_one,
    kind_of_guidance,
    missing_among,
    one_hot,
    read_labellings,
    read_labels,
    read_partial_labels,
)
from .targets import (
    TARGETS,
    Target,
    is_categorical,
    kind_of_integers,
    kind_of_target,
    most_classes,
    read_target,
    values_of,
)

__all__ = [
    "TARGETS",
    "UNKNOWN",
    "ClassLabels",
    "Target",
    "as_column",
    "away_from",
    "follow_labels",
    "follow_scores",
    "is_categorical",
    "is_minus_one",
    "kind_of_guidance",
    "kind_of_integers",
    "kind_of_target",
    "missing_among",
    "most_classes",
    "one_hot",
    "read_labellings",
    "read_labels",
    "read_partial_labels",
    "read_target",
    "supervised_gamma",
    "values_of",
]
