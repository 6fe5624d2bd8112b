"""From starts to a clustering: a problem, a strategy that fits it, and whether it comes out again.

``strategy_for(problem).fit(problem, rng)`` is a fit.
"""

from __future__ import annotations

from .agreement import measure_agreement
from .exact import Exact
from .guided import Guided
from .labelling import ByCentre, ByVote, Extension, Labelling
from .landmarks import OnLandmarks, check_dense_size, project_rows, takes_landmarks
from .paper import AsPrinted
from .problem import (
    AbstractRepeatable,
    AbstractStrategy,
    Attempt,
    ClusterFit,
    ClusterProblem,
    ClusterSettings,
    KernelRule,
)
from .search import Tried
from .seeding import neighbor_rule
from .strategies import STRATEGIES, OnAllRows, strategy_for

__all__ = [
    "STRATEGIES",
    "AbstractRepeatable",
    "AbstractStrategy",
    "AsPrinted",
    "Attempt",
    "ByCentre",
    "ByVote",
    "ClusterFit",
    "ClusterProblem",
    "ClusterSettings",
    "Exact",
    "Extension",
    "Guided",
    "KernelRule",
    "Labelling",
    "OnAllRows",
    "OnLandmarks",
    "Tried",
    "check_dense_size",
    "measure_agreement",
    "neighbor_rule",
    "project_rows",
    "strategy_for",
    "takes_landmarks",
]
