"""SM, the Stiefel manifold: Z. Wen, W. Yin, Math. Programming 2013; from three random starts."""

from __future__ import annotations

from dataclasses import replace

from ._solver import SolverMethod

__all__ = ["METHODS"]

_SM = SolverMethod(
    "sm",
    "SM",
    solver="stiefel",
    order=4,
    init="random",
    n_starts=3,
    tol=1e-3,
    settings="three random starts, the best counts; gradient 1e-3",
)
METHODS = (_SM, replace(_SM, key="sm-loops", order=22, in_loops=True))
