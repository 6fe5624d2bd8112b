"""Rules that choose for the user: bandwidth, start and dimension. One rule a file in ``rules``."""

from __future__ import annotations

from .candidates import DEPENDENCE, PREDICTION, Candidate
from .columns import AUTO_COUNT, CountPath, FeaturePath, choose_columns, feature_path
from .dimension_test import DimensionTest, dimension_test
from .known import KnownRows, known_rows
from .metric import AUTO, IDENTITY, METRICS, MOST_COLUMNS, RELEVANCE, metrics_for
from .neighbours import Neighbours, figure
from .path import HsicPath, hsic_path
from .problem import FEWEST_ROWS, AbstractRule, SupervisedData, SupervisedProblem, median_distance
from .rules import RULES, fit_by, rule_for
from .rules.eigengap import widest_gap
from .sample import as_groups, pairs_among
from .selection import OutOfFold, Selection

__all__ = [
    "AUTO",
    "AUTO_COUNT",
    "DEPENDENCE",
    "FEWEST_ROWS",
    "IDENTITY",
    "METRICS",
    "MOST_COLUMNS",
    "PREDICTION",
    "RELEVANCE",
    "RULES",
    "AbstractRule",
    "Candidate",
    "CountPath",
    "DimensionTest",
    "FeaturePath",
    "HsicPath",
    "KnownRows",
    "Neighbours",
    "OutOfFold",
    "Selection",
    "SupervisedData",
    "SupervisedProblem",
    "as_groups",
    "choose_columns",
    "dimension_test",
    "feature_path",
    "figure",
    "fit_by",
    "hsic_path",
    "known_rows",
    "median_distance",
    "metrics_for",
    "pairs_among",
    "rule_for",
    "widest_gap",
]
