r"""Clustering objectives: functions of K_XW whose first-order Gamma changes with W."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._counts import Counts
from .._engines import KernelGraph
from ..kernels import AbstractKernel
from .cluster_point import ClusterPoint, Scales
from .cluster_terms import Guidance, check_weights, constant_diagonal, embed
from .point import AbstractObjective
from .table import as_data


@final
class ClusterObjective(AbstractObjective):
    r"""How well the rows fall into k clusters in a subspace, given what is known.

    ::

        F(W) = -sum of the k largest eigenvalues of H K H or D^-1/2 K D^-1/2
               + sum_j weight_j p_j(W)^2   or   - sum_j weight_j p_j(W)

    with ``K = K_XW`` and p the assortativity of guidance. F is always minimised. Its gradient is
    exact, through the degrees and through neighbour scales of the projected rows; it has kinks
    where two eigenvalues, or two neighbours, change places. There is no Hessian.

    Kernels with row scales take them from the projected rows. ``accuracy`` is that of the
    eigenvectors; the cost is accurate to its square. With ``weights``, all positive, F is that of
    the table in which row i stands so often, of which no more is ever made than the different rows.
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
        weights: FloatArray | None = None,
    ) -> None:
        self.X = as_data(X)
        self.n_samples, self.n_features = self.X.shape
        self.counts = Counts(self.n_samples, weights)
        self.kernel, self.n_clusters = kernel, n_clusters
        self.guidance, self.normalize = tuple(guidance), normalize
        self.accuracy = accuracy
        self.saturates = normalize == "degree"  # it says no more once clusters are separated
        # What one well separated cluster adds to the cost: the unit that guidance is weighed in.
        self._unit = 1.0 if self.saturates else self.counts.total / n_clusters
        self._diagonal = constant_diagonal(kernel, "Guidance") if self.guidance else 0.0
        if self.saturates:
            check_weights(kernel, "normalize='degree'")
        self.is_of_differences = all(term.pair.is_difference for _, term in kernel.terms)
        if kernel.ignores_shifts(centered=not self.saturates and not self.guidance):
            self.X = self.X - self.counts.mean(self.X)
        self._graph = KernelGraph(kernel, self.n_samples, engine)
        self.engine = self._graph.engine
        self._engine_name = engine
        self._here: tuple[FloatArray, Scales] | None = None
        self._frozen: Scales | None = None
        self._guess: FloatArray | None = None
        self._last: ClusterPoint | None = None
        self.evaluations = 0

    def scales_at(self, W: FloatArray) -> Scales:
        """The scales of each term of the kernel at W."""
        w = self.X @ W
        return tuple(term.scales_of(w, self.counts.v) for _, term in self.kernel.terms)

    @contextmanager
    def frozen(self, W: FloatArray) -> Iterator[None]:
        """Inside, the scales stay as they are at W."""
        last = self._last
        self._frozen = last.scales if last is not None and last.W is W else self.scales_at(W)
        try:
            yield
        finally:
            self._frozen = None

    @property
    def has_scales(self) -> bool:
        """Whether the kernel has scales that move with W."""
        return any(term.has_row_scales for _, term in self.kernel.terms)

    @property
    def lower_bound(self) -> float:
        """Of the cost, attained by separated clusters that follow all guidance; p is at most 1.

        Of ``H K H`` with a kernel of inner products there is none.
        """
        if not self.saturates and not self.is_of_differences:
            return -np.inf
        follow = sum(term.weight for term in self.guidance if term.follow)
        return -self._unit * (self.n_clusters + follow)

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
        self.evaluations += 1
        is_free, last = self._frozen is None, self._last
        if last is None or last.W is not W or last.scales is not scales:
            last = self._evaluated(W, scales)
        # Where scales were frozen just now nothing has changed but that they no longer move.
        self._last = last if last.scales_move is is_free else last.with_scales(is_free)
        return self._last

    def _evaluated(self, W: FloatArray, scales: Scales) -> ClusterPoint:
        self._go_to(W, scales)
        counts, ones = self.counts, np.ones((self.n_samples, 1))
        columns = [counts.column, *(counts.times(term.U) for term in self.guidance)]
        products = self._graph.multiply(np.concatenate(columns, axis=1))
        degree, start = products[:, 0], 1
        mass = float(counts.times(degree).sum()) - counts.of_own(ones) * self._diagonal
        guided = []
        for term in self.guidance:
            KU = products[:, start : start + term.U.shape[1]]
            guided.append(term.evaluate(KU, mass, self._diagonal, self._unit, counts))
            start += term.U.shape[1]
        embedding = embed(
            self.normalize, self._graph, degree, self.n_clusters, self._guess, self.accuracy, counts
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

    def subset(
        self, index: Array, accuracy: float | None = None, counts: Counts | None = None
    ) -> ClusterObjective:
        """The same objective on chosen rows, which count as they do here unless it is said."""
        counts = counts or self.counts.take(index)
        return ClusterObjective(
            self.X[index],
            self.kernel,
            self.n_clusters,
            [term.take(index, counts) for term in self.guidance],
            self.normalize,
            self._engine_name,
            self.accuracy if accuracy is None else accuracy,
            counts.v,
        )

    def _go_to(self, W: FloatArray, scales: Scales) -> None:
        """Place the graph, unless it is there."""
        if self._here is not None and self._here[1] is scales and self._here[0] is W:
            return
        self._graph.place(self.X @ W, [None if s is None else s.inverse for s in scales])
        self._here = (W, scales)
