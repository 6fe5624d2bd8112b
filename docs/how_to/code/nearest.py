"""A rule that sets the bandwidth by near rows instead of by all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.spatial import cKDTree

from hsiclearn._selection import AbstractRule, SupervisedProblem
from hsiclearn.kernels import AbstractKernel


@final
@dataclass(frozen=True)
class Nearest(AbstractRule):
    """``sigma``: the median distance of a row to its seventh neighbour."""

    n_neighbors: int = 7

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """At that distance."""
        X = problem.data.sample.X
        k = min(self.n_neighbors, X.shape[0] - 1)
        distances, _ = cKDTree(X).query(X, k + 1)  # a row is its own first neighbour
        return problem.data.kernel(float(np.median(distances[:, k])))
