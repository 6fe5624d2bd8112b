r"""Clustering objectives: functions of K_XW whose first-order Gamma changes with W."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from .._arrays import Array, FloatArray
from ..engines import KernelGraph
from ..gamma import LowRank
from ..kernels import AbstractKernel, NeighbourScales
from ..linalg import Spectrum
from ._base import AbstractObjective
from .guidance import Guidance, GuidanceValue, constant_diagonal
from .objective import as_data
from .point import Point
from .spectral_terms import SPECTRAL_TERMS, Embedding

__all__ = ["ClusterObjective", "ClusterPoint", "tightness"]

Scales = tuple[NeighbourScales | None, ...]
_CLEAR = 0.2  # tightness
_AT_THE_BOUND = 1e-3
_ALONE = 1e-3  # of a row's weight on itself, to all others together


def tightness(eigenvalues: FloatArray, k: int) -> float:
    """``(1 - lambda_k) / (1 - lambda_{k+1})``, eigenvalues relative to the largest.

    Of ``H K H``, which has no constant eigenvector, k clusters show in k - 1 eigenvalues.
    """
    values = eigenvalues / max(float(eigenvalues[0]), np.finfo(float).tiny)
    if k < 1 or values.size <= k:
        return 0.0
    return float(max(1.0 - values[k - 1], 0.0) / max(1.0 - values[k], 1e-12))


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
        super().__init__(W, cost)
        self.objective, self.degree = objective, degree
        self.scales, self.scales_move = scales, scales_move
        self.guided, self._embedding = guided, embedding

    @property
    def spectrum_of_graph(self) -> Spectrum:
        """The largest eigenvalues of the graph, descending, one more than clusters."""
        return self._embedding.spectrum

    @property
    def embedding(self) -> FloatArray:
        """Y, the eigenvectors of the k largest eigenvalues; of an eigenvalue of zero, zeros.

        Where the rows take fewer places than there are clusters, those would be rounding noise.
        """
        k, spectrum = self.objective.n_clusters, self._embedding.spectrum
        values = spectrum.values[:k]
        return spectrum.vectors[:, :k] * (np.abs(values) > 1e-10 * abs(values[0]))

    @property
    def assortativity(self) -> tuple[float, ...]:
        """P for each guidance: how much of it the subspace shows."""
        return tuple(g.assortativity for g in self.guided)

    @property
    def tightness(self) -> float:
        """``(1 - lambda_k) / (1 - lambda_{k+1})``: breaks ties where clusters are separated.

        The smaller, the clearer the k-th cluster stands against a (k+1)-th.
        """
        k = self.objective.n_clusters - (self.objective.normalize == "none")
        return tightness(self.spectrum_of_graph.values, k)

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
        return 0 if own <= 0.0 else int(np.count_nonzero(self.degree - own <= _ALONE * own))

    @cached_property
    def gamma(self) -> LowRank:
        """The first-order Gamma: ``dF = -Tr(Gamma dK)``, low rank."""
        one = np.ones((self.degree.size, 1))
        columns, weights = [self._embedding.U], [np.ones(self._embedding.U.shape[1])]
        if (e := self._embedding.e) is not None:
            # (e 1' + 1 e')/2 as a difference of squares, both parts of the same size.
            scale = np.sqrt(max(float(np.linalg.norm(e)), 1e-300)) / self.degree.size**0.25
            e = e[:, None] / scale
            columns += [0.5 * (e + scale * one), 0.5 * (e - scale * one)]
            weights += [np.array([-1.0]), np.array([1.0])]
        for term, value in zip(self.objective.guidance, self.guided, strict=True):
            columns.append(term.U)
            weights.append(np.full(term.U.shape[1], value.a))
        columns.append(one)
        weights.append(np.array([sum(value.b for value in self.guided)]))
        return LowRank(np.concatenate(columns, axis=1), np.concatenate(weights))

    @cached_property
    def phi(self) -> FloatArray:  # type: ignore[override]
        """``-c X' L(Gamma o f') X``, and what the scales add where they move with W."""
        return self.objective.phi_at(self)


class ClusterObjective(AbstractObjective):
    r"""How well the rows fall into k clusters in a subspace, given what is known.

    ::

        F(W) = -sum of the k largest eigenvalues of H K H or D^-1/2 K D^-1/2
               + sum_j weight_j p_j(W)^2   or   - sum_j weight_j p_j(W)

    with ``K = K_XW`` and p the assortativity of guidance. F is always minimised. Its gradient is
    exact, through the degrees and through neighbour scales of the projected rows; it has kinks
    where two eigenvalues, or two neighbours, change places. There is no Hessian.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    kernel : AbstractKernel
        Kernels with row scales take them from the projected rows.
    n_clusters : int
    guidance : sequence of Guidance
    normalize : {"degree", "none"}
    engine : {"auto", "dense", "tiled"}
    accuracy : float
        Of the eigenvectors; the cost is accurate to its square.
    """

    def __init__(
        self,
        X: Array,
        kernel: AbstractKernel,
        n_clusters: int,
        guidance: Sequence[Guidance] = (),
        normalize: str = "degree",
        engine: str = "auto",
        accuracy: float = 1e-6,
    ) -> None:
        self.X = as_data(X)
        self.n_samples, self.n_features = self.X.shape
        self.kernel, self.n_clusters = kernel, n_clusters
        self.guidance, self.normalize = tuple(guidance), normalize
        self.accuracy = accuracy
        self._term = SPECTRAL_TERMS[normalize]
        self._diagonal = constant_diagonal(kernel, "Guidance") if self.guidance else 0.0
        self._term.check(kernel)
        self.is_of_differences = all(term.pair.is_difference for _, term in kernel.terms)
        if self.is_of_differences:
            self.X = self.X - self.X.mean(axis=0)
        self._graph = KernelGraph(kernel, self.n_samples, engine)
        self.engine = self._graph.engine
        self._engine_name = engine
        self._here: tuple[FloatArray, Scales] | None = None
        self._frozen: Scales | None = None
        self._guess: FloatArray | None = None
        self.evaluations = 0

    def scales_at(self, W: FloatArray) -> Scales:
        """The scales of each term of the kernel at W."""
        w = self.X @ W
        return tuple(term.scales_of(w) for _, term in self.kernel.terms)

    @contextmanager
    def frozen(self, W: FloatArray) -> Iterator[None]:
        """Inside, the scales stay as they are at W."""
        self._frozen = self.scales_at(W)
        try:
            yield
        finally:
            self._frozen = None

    @cached_property
    def has_scales(self) -> bool:
        """Whether the kernel has scales that move with W."""
        return any(
            type(term).scales_of is not AbstractKernel.scales_of for _, term in self.kernel.terms
        )

    @property
    def saturates(self) -> bool:
        """Whether the cost says no more once clusters are separated."""
        return self._term.saturates

    @cached_property
    def lower_bound(self) -> float:
        """Of the cost, attained by separated clusters that follow all guidance; p is at most 1.

        Of ``H K H`` with a kernel of inner products there is none.
        """
        if not self.saturates and not self.is_of_differences:
            return -np.inf
        follow = sum(term.weight for term in self.guidance if term.follow)
        k = self.n_clusters
        return -self._term.unit(self.n_samples, k) * (k + follow)

    @property
    def proven_bound(self) -> float | None:
        """A value that no subspace has a cost below: -k of the normalised cut.

        Its eigenvalues are at most 1, and staying away from labels costs nothing at best. None
        where nothing of use is proven: p of labels to follow may exceed 1, if small classes hold
        much of the graph's mass, and eigenvalues of ``H K H`` are only known to be at most n.
        """
        if not self.saturates or any(term.follow for term in self.guidance):
            return None
        return -float(self.n_clusters)

    def point(self, W: Array) -> ClusterPoint:
        """Cost and embedding at W; Phi follows when asked for."""
        W = np.asarray(W, dtype=np.float64)
        scales = self.scales_at(W) if self._frozen is None else self._frozen
        self._go_to(W, scales)
        self.evaluations += 1
        columns = [np.ones((self.n_samples, 1)), *(term.U for term in self.guidance)]
        products = self._graph.multiply(np.concatenate(columns, axis=1))
        degree, start = products[:, 0], 1
        mass = float(degree.sum()) - self.n_samples * self._diagonal
        unit = self._term.unit(self.n_samples, self.n_clusters)
        guided = []
        for term in self.guidance:
            KU = products[:, start : start + term.U.shape[1]]
            guided.append(term.evaluate(KU, mass, self._diagonal, unit))
            start += term.U.shape[1]
        embedding = self._term.embed(
            self._graph, degree, self.n_clusters, self._guess, self.accuracy
        )
        self._guess = embedding.spectrum.vectors
        is_free = self._frozen is None
        return ClusterPoint(self, W, scales, is_free, degree, embedding, tuple(guided))

    def phi_at(self, point: ClusterPoint) -> FloatArray:
        """Phi at a point this objective made."""
        self._go_to(point.W, point.scales)
        X, gamma = self.X, point.gamma
        w = X @ point.W
        squares = np.sum(w**2, axis=1, keepdims=True)
        phi = np.zeros((self.n_features, self.n_features))
        products = self._graph.contract(gamma.U, gamma.s, np.concatenate([X, squares], axis=1))
        for product, scales in zip(products, point.scales, strict=True):
            LX, L_squares = product[:, :-1], product[:, -1]
            phi -= X.T @ LX
            if scales is not None and point.scales_move:
                # dF/dsigma_i = (2/sigma_i) sum_j S_ij beta_ij, read off the same products.
                beta_sums = 2.0 * np.sum(w * (LX @ point.W), axis=1) - L_squares
                phi += scales.phi(scales.inverse * beta_sums, X)
        return 0.5 * (phi + phi.T)

    def multiply_at(self, point: ClusterPoint) -> Callable[[FloatArray], FloatArray]:
        """The product with K at a point this objective made, until it goes to another."""
        self._go_to(point.W, point.scales)
        return self._graph.multiply

    def subset(self, index: Array, accuracy: float | None = None) -> ClusterObjective:
        """The same objective on chosen rows."""
        return ClusterObjective(
            self.X[index],
            self.kernel,
            self.n_clusters,
            [term.take(index) for term in self.guidance],
            self.normalize,
            self._engine_name,
            self.accuracy if accuracy is None else accuracy,
        )

    def _go_to(self, W: FloatArray, scales: Scales) -> None:
        """Place the graph, unless it is there."""
        if self._here is not None and self._here[1] is scales and self._here[0] is W:
            return
        self._graph.place(self.X @ W, [None if s is None else s.inverse for s in scales])
        self._here = (W, scales)
