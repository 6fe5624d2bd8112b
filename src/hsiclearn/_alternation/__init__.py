"""From starts to a clustering: a problem, a strategy that fits it, and whether it comes out again.

``strategy_for(problem).fit(problem, rng)`` is a fit.
"""

from __future__ import annotations

from .agreement import measure_agreement
from .blocks import blocks_of, mean_of, project_rows
from .exact import Exact
from .guided import Guided
from .labelling import ByCentre, ByVote, Extension, Labelling
from .labels import unit_rows
from .landmarks import OnAllRows, OnLandmarks, check_dense_size, takes_landmarks
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
from .seeding import neighbor_rule
from .settle import Tried
from .strategies import STRATEGIES, strategy_for

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
    "blocks_of",
    "check_dense_size",
    "mean_of",
    "measure_agreement",
    "neighbor_rule",
    "project_rows",
    "strategy_for",
    "takes_landmarks",
    "unit_rows",
]
