"""The objective, its iterates and its curvature."""

from __future__ import annotations

from .hessian import RiemannianHessian
from .objective import Objective, as_data
from .point import Point

__all__ = ["Objective", "Point", "RiemannianHessian", "as_data"]
