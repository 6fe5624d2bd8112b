"""Rules that choose for the user: bandwidth, start and dimension.

The pieces are small and can be called by themselves: a grid (:func:`bandwidth_grid`), splits
(:func:`folds`), criteria (:func:`leave_one_out_loss`, :func:`held_out_loss`), and the search that
puts them together (:class:`Search`).
"""

from __future__ import annotations

from .bandwidth import median_distance, projected_median
from .candidate import Candidate
from .dimension import eigengap_dimension, widest_gap
from .dimension_test import DimensionTest, dimension_test
from .fresh import FreshSearch
from .grid import SCALES, bandwidth_grid
from .grid_fits import ARRAY, PATH, GridFits
from .known import KnownRows, known_rows
from .neighbours import Neighbours, neighbours_held_out
from .out_of_fold import OutOfFold, positions_held_out
from .path import HsicPath, hsic_path
from .ridge import SubspaceRidge, held_out_loss, leave_one_out_loss, responses
from .sample import Sample, draw_sample
from .search import STARTS, AbstractSearch, Search
from .selection import NOTHING_FOUND, Selection
from .splits import as_groups, folds, make_splits, shares

__all__ = [
    "ARRAY",
    "NOTHING_FOUND",
    "PATH",
    "SCALES",
    "STARTS",
    "AbstractSearch",
    "Candidate",
    "DimensionTest",
    "FreshSearch",
    "GridFits",
    "HsicPath",
    "KnownRows",
    "Neighbours",
    "OutOfFold",
    "Sample",
    "Search",
    "Selection",
    "SubspaceRidge",
    "as_groups",
    "bandwidth_grid",
    "dimension_test",
    "draw_sample",
    "eigengap_dimension",
    "folds",
    "held_out_loss",
    "hsic_path",
    "known_rows",
    "leave_one_out_loss",
    "make_splits",
    "median_distance",
    "neighbours_held_out",
    "positions_held_out",
    "projected_median",
    "responses",
    "shares",
    "widest_gap",
]
