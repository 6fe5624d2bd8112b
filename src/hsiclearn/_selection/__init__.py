"""Rules that choose for the user: bandwidth, start and dimension.

:mod:`.rules` has one rule a file. What they are made of can be called by itself: a grid
(:func:`bandwidth_grid`), splits (:func:`folds`), criteria (:class:`SubspaceRidge`,
:func:`held_out_loss`), and the search that puts them together (:class:`Search`).
"""

from __future__ import annotations

from .bandwidth import SCALES, bandwidth_grid, median_distance
from .candidates import ARRAY, PATH, STARTS, Candidate, Fits, Proposal, proposals
from .dimension_test import DimensionTest, dimension_test
from .neighbours import Neighbours, figure, neighbours_held_out
from .path import HsicPath, hsic_path
from .problem import FEWEST_ROWS, Fitted, SupervisedData, SupervisedProblem
from .ridge import (
    KnownRows,
    SubspaceRidge,
    held_out_loss,
    known_rows,
    responses,
)
from .rules import RULES, AbstractRule, rule_for, widest_gap
from .sample import Sample, as_groups, draw_sample, folds, make_splits, shares
from .search import Search
from .selection import NOTHING_FOUND, OutOfFold, Selection, positions_held_out

__all__ = [
    "ARRAY",
    "FEWEST_ROWS",
    "NOTHING_FOUND",
    "PATH",
    "RULES",
    "SCALES",
    "STARTS",
    "AbstractRule",
    "Candidate",
    "DimensionTest",
    "Fits",
    "Fitted",
    "HsicPath",
    "KnownRows",
    "Neighbours",
    "OutOfFold",
    "Proposal",
    "Sample",
    "Search",
    "Selection",
    "SubspaceRidge",
    "SupervisedData",
    "SupervisedProblem",
    "as_groups",
    "bandwidth_grid",
    "dimension_test",
    "draw_sample",
    "figure",
    "folds",
    "held_out_loss",
    "hsic_path",
    "known_rows",
    "make_splits",
    "median_distance",
    "neighbours_held_out",
    "positions_held_out",
    "proposals",
    "responses",
    "rule_for",
    "shares",
    "widest_gap",
]
