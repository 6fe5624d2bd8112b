"""ISM+, Algorithm 1 of the paper, stopped as in its experiments at a relative change of 0.01."""

from __future__ import annotations

from ._solver import SolverMethod

__all__ = ["METHODS"]

METHODS = (
    SolverMethod(
        "ism+",
        "ISM+",
        solver="ism+",
        order=2,
        settings="one start, ends at a relative change of 0.01 of the eigenvalues",
        is_quick=True,
        is_held_out=True,
    ),
)
