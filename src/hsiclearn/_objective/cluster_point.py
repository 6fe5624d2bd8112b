"""An iterate of a clustering objective: its graph, its embedding, its first-order Gamma."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from .._arrays import FloatArray
from ..gamma import LowRank
from ..kernels import NeighbourScales
from .cluster_terms import Embedding, GuidanceValue, constant_diagonal
from .point import Point

if TYPE_CHECKING:
    from .clustering import ClusterObjective

Scales = tuple[NeighbourScales | None, ...]
_CLEAR = 0.2  # tightness
_AT_THE_BOUND = 1e-3
_ALONE = 1e-3  # of a row's weight on itself, to all others together


@final
class ClusterPoint(Point):
    """An iterate of a clustering objective: its embedding comes with the cost, Phi when asked."""

    objective: ClusterObjective

    def __init__(
        self,
        objective: ClusterObjective,
        W: FloatArray,
        scales: Scales,
        scales_move: bool,
        degree: FloatArray,
        embedding: Embedding,
        guided: tuple[GuidanceValue, ...],
    ) -> None:
        k = objective.n_clusters
        cost = -float(embedding.spectrum.values[:k].sum()) + sum(g.value for g in guided)
        self.objective, self.W, self.cost, self.degree = objective, W, cost, degree
        self.scales, self.scales_move = scales, scales_move
        self.guided, self._embedding = guided, embedding
        # The largest eigenvalues of the graph, descending, one more than clusters.
        self.spectrum_of_graph = embedding.spectrum

    def with_scales(self, move: bool) -> ClusterPoint:
        """The same point of the objective whose scales move with W, or stay: Phi differs."""
        ours = self.objective, self.W, self.scales, move, self.degree, self._embedding
        return ClusterPoint(*ours, self.guided)

    @property
    def embedding(self) -> FloatArray:
        """Y, the eigenvectors of the k largest eigenvalues; of an eigenvalue of zero, zeros.

        A row with a weight has the entry of each of its copies. Where the rows take fewer places
        than there are clusters, those of zero would be rounding noise.
        """
        k, spectrum = self.objective.n_clusters, self.spectrum_of_graph
        values = spectrum.values[:k]
        is_there = np.abs(values) > 1e-10 * abs(values[0])
        if self.objective.counts.v is None:
            return spectrum.vectors[:, :k] * is_there
        return self._of_copies / np.where(is_there, values, np.inf)

    @cached_property
    def _of_copies(self) -> FloatArray:
        """The eigenvectors on the copies of each row, times their eigenvalues.

        By a product with the graph, which is as exact for rows of small weight as for others;
        ``y_i / sqrt(v_i)`` is not.
        """
        objective, U = self.objective, self._embedding.U
        KU = objective.multiply_at(self)(U)
        if objective.saturates:
            return KU / np.sqrt(self.degree)[:, None]
        return KU - objective.counts.mean(KU)

    @property
    def assortativity(self) -> tuple[float, ...]:
        """P for each guidance: how much of it the subspace shows."""
        return tuple(g.assortativity for g in self.guided)

    @property
    def tightness(self) -> float:
        """``(1 - lambda_k) / (1 - lambda_{k+1})``, eigenvalues relative to the largest.

        The smaller, the clearer the k-th cluster stands against a (k+1)-th: it breaks ties where
        clusters are separated. Of ``H K H``, which has no constant eigenvector, k clusters show in
        k - 1 eigenvalues.
        """
        k = self.objective.n_clusters - (self.objective.normalize == "none")
        values = self.spectrum_of_graph.values
        values = values / max(float(values[0]), np.finfo(float).tiny)
        if k < 1 or values.size <= k:
            return 0.0
        return float(max(1.0 - values[k - 1], 0.0) / max(1.0 - values[k], 1e-12))

    @property
    def stands_clear(self) -> bool:
        """Whether the clusters stand clearly apart, so that no second look is needed."""
        return self.tightness <= _CLEAR

    @property
    def is_as_good_as_any(self) -> bool:
        """Whether clusters stand clear and the cost is, but for a thousandth, its lower bound."""
        bound = self.objective.lower_bound
        if np.isinf(bound):
            return False
        return self.cost <= bound + _AT_THE_BOUND * abs(bound) and self.stands_clear

    @property
    def n_alone(self) -> int:
        """Rows that are alike to no other: nearly all of their degree is their own ``K_ii``.

        Each is a perfect cluster to the eigenvalues. With k of them the cost is -k in any subspace.
        """
        if not self.objective.is_of_differences:
            return 0
        own = constant_diagonal(self.objective.kernel, "This")
        others = self.degree - own * self.objective.counts.own
        return 0 if own <= 0.0 else int(np.count_nonzero(others <= _ALONE * own))

    @cached_property
    def gamma(self) -> LowRank:
        """The first-order Gamma: ``dF = -Tr(Gamma dK)``, low rank."""
        counts = self.objective.counts
        one = counts.column
        columns, weights = [self._embedding.U], [np.ones(self._embedding.U.shape[1])]
        if (e := self._embedding.e) is not None:
            # (e 1' + 1 e')/2 as a difference of squares, both parts of the same size.
            scale = (
                np.sqrt(max(float(np.linalg.norm(e)), 1e-300)) / float(np.vdot(one, one)) ** 0.25
            )
            e = e[:, None] / scale
            columns += [0.5 * (e + scale * one), 0.5 * (e - scale * one)]
            weights += [np.array([-1.0]), np.array([1.0])]
        for term, value in zip(self.objective.guidance, self.guided, strict=True):
            columns.append(counts.times(term.U))
            weights.append(np.full(term.U.shape[1], value.a))
        columns.append(one)
        weights.append(np.array([sum(value.b for value in self.guided)]))
        return LowRank(np.concatenate(columns, axis=1), np.concatenate(weights))

    @cached_property
    def phi(self) -> FloatArray:
        """``-c X' L(Gamma o f') X``, and what the scales add where they move with W."""
        return self.objective.phi_at(self)
