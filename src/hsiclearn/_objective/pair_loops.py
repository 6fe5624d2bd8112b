"""The Gaussian objective as ISM evaluated it: pair by pair.

C. Wu, S. Ioannidis, M. Sznaier, X. Li, D. Kaeli, J. Dy: Iterative Spectral Method for Alternative
Clustering, AISTATS 2018.
"""

from __future__ import annotations

from math import exp
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from ..kernels import Gaussian
from .objective import Objective
from .point import AbstractObjective, Point


@final
class _LoopPoint(Point):
    """An iterate whose Phi is known from the start."""

    phi: FloatArray = np.empty((0, 0))

    def __init__(self, objective: PairLoops, W: FloatArray, cost: float, phi: FloatArray) -> None:
        self.objective, self.W, self.cost, self.phi = objective, W, cost, phi


@final
class PairLoops(AbstractObjective):
    r"""Cost and Phi of a Gaussian objective by two nested loops, as published.

    ::

        cost(W) = -sum_ij Gamma_ij exp(-|W'a_ij|^2 / 2s^2)                  a_ij = x_i - x_j
        phi(W)  = sum_ij Gamma_ij / 2s^2 exp(-|W'a_ij|^2 / 2s^2) a_ij a_ij'

    The same numbers as :class:`Objective`, thousands of times slower: one ``a a'`` per ordered
    pair, O(n^2 d^2) in the interpreter. For comparison only; the kernel of ``source`` must be one
    Gaussian, possibly with a weight.
    """

    engine = "loops"

    def __init__(self, source: Objective) -> None:
        (weight, kernel), *others = source.kernel.terms
        if others or not isinstance(kernel, Gaussian):
            raise ValueError(
                "The sums of ISM are written for one Gaussian kernel. "
                f"Got {source.kernel!r}. Use solver='ism+' or 'spectral', which take any kernel."
            )
        self.source, self.X = source, source.X
        self.n_samples, self.n_features = source.X.shape
        self._gamma: FloatArray = weight * np.asarray(source.gamma.to_dense())
        self._rate = 0.5 / kernel.bandwidth**2

    def point(self, W: Array) -> Point:
        """Cost and Phi at W from one walk over the pairs."""
        frame: FloatArray = np.asarray(W, dtype=np.float64)
        total, phi = 0.0, np.zeros((self.n_features, self.n_features))
        for i in range(self.n_samples):
            for j in range(self.n_samples):
                a = self.X[i] - self.X[j]
                projected = frame.T @ a
                term = self._gamma[i, j] * exp(-self._rate * float(projected @ projected))
                total += term
                phi += self._rate * term * np.outer(a, a)
        return _LoopPoint(self, frame, -float(total), phi)


def vectorised(point: Point) -> Point:
    """The same iterate on the objective behind the loops, where its curvature is known."""
    objective = point.objective
    return objective.source.point(point.W) if isinstance(objective, PairLoops) else point
