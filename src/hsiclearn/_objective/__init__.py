"""The objectives, their iterates and their curvature."""

from __future__ import annotations

from .cluster_point import ClusterPoint
from .cluster_terms import SPECTRAL_TERMS, Guidance, constant_diagonal
from .clustering import ClusterObjective
from .hessian import RiemannianHessian
from .objective import Objective
from .pair_loops import PairLoops, vectorised
from .point import AbstractObjective, CurvedPoint, Point
from .table import as_data, as_table

__all__ = [
    "SPECTRAL_TERMS",
    "AbstractObjective",
    "ClusterObjective",
    "ClusterPoint",
    "CurvedPoint",
    "Guidance",
    "Objective",
    "PairLoops",
    "Point",
    "RiemannianHessian",
    "as_data",
    "as_table",
    "constant_diagonal",
    "vectorised",
]
