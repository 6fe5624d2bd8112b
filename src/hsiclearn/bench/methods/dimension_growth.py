"""DG, dimension growth: D. Niu, J. Dy, M. Jordan, PAMI 2014; from three random starts."""

from __future__ import annotations

from dataclasses import replace

from ._solver import SolverMethod

__all__ = ["METHODS"]

_DG = SolverMethod(
    "dg",
    "DG",
    solver="dg",
    order=3,
    init="random",
    n_starts=3,
    tol=1e-3,
    settings="three random starts, the best counts; gradient 1e-3",
)
METHODS = (_DG, replace(_DG, key="dg-loops", order=21, in_loops=True))
