"""The objectives, their iterates and their curvature."""

from __future__ import annotations

from .cluster_point import ClusterPoint
from .cluster_terms import Guidance, check_weights, constant_diagonal
from .clustering import ClusterObjective
from .hessian import RiemannianHessian
from .objective import Objective
from .pair_loops import PairLoops, vectorised
from .point import AbstractObjective, CurvedPoint, Point
from .prediction import LossAt, PredictionLoss
from .table import as_data, as_table

__all__ = [
    "AbstractObjective",
    "ClusterObjective",
    "ClusterPoint",
    "CurvedPoint",
    "Guidance",
    "LossAt",
    "Objective",
    "PairLoops",
    "Point",
    "PredictionLoss",
    "RiemannianHessian",
    "as_data",
    "as_table",
    "check_weights",
    "constant_diagonal",
    "vectorised",
]
