"""GM, the Grassmann manifold: pymanopt's Riemannian trust region; from three random starts."""

from __future__ import annotations

from dataclasses import replace

from ._solver import SolverMethod

__all__ = ["METHODS"]

_GM = SolverMethod("gm", "GM", solver="grassmann", order=5, init="random", n_starts=3, tol=1e-3)
METHODS = (
    _GM,
    replace(_GM, key="gm-loops", title="GM, as published", order=23, as_published=True),
)
