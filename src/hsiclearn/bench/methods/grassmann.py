"""GM, the Grassmann manifold: pymanopt's Riemannian trust region; from three random starts.

There is no row in loops: its original is Manopt's software, whose loops were not Python's.
"""

from __future__ import annotations

from ._solver import SolverMethod

__all__ = ["METHODS"]

METHODS = (
    SolverMethod(
        "gm",
        "GM",
        solver="grassmann",
        order=5,
        init="random",
        n_starts=3,
        tol=1e-3,
        settings="three random starts, the best counts; gradient 1e-3",
    ),
)
