"""ISM: C. Wu, S. Ioannidis, M. Sznaier, X. Li, D. Kaeli, J. Dy, AISTATS 2018; sums in loops."""

from __future__ import annotations

from ._solver import SolverMethod

__all__ = ["METHODS"]

METHODS = (SolverMethod("ism", "ISM", solver="ism", order=20, settings="as ISM+", in_loops=True),)
