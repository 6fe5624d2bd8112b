"""From starts to a clustering: a problem, a strategy that fits it, and whether it comes out again.

``strategy_for(problem).fit(problem, rng)`` is a fit.
"""

from __future__ import annotations

from .agreement import measure_agreement, rand_index, with_agreement
from .exact import Exact
from .labelling import ByCentre, ByVote, Extension, Labelling
from .landmarks import check_dense_size, project_rows, takes_landmarks
from .paper import AsPrinted
from .problem import AbstractStrategy, ClusterFit, ClusterProblem, ClusterSettings
from .search import Tried
from .seeding import neighbor_rule
from .strategies import strategy_for

__all__ = [
    "AbstractStrategy",
    "AsPrinted",
    "ByCentre",
    "ByVote",
    "ClusterFit",
    "ClusterProblem",
    "ClusterSettings",
    "Exact",
    "Extension",
    "Labelling",
    "Tried",
    "check_dense_size",
    "measure_agreement",
    "neighbor_rule",
    "project_rows",
    "rand_index",
    "strategy_for",
    "takes_landmarks",
    "with_agreement",
]
