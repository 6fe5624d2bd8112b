r"""The alternation as printed in the paper, for comparison: ``objective="paper"``.

::

    Y = top k eigenvectors of H K H at W = I;  W = lowest q eigenvectors of Phi(0)
    repeat   W by Algorithm 1 for a fixed Gamma, stopped at a relative change of 0.01
             Y = top k eigenvectors of H D^-1/2 K D^-1/2 H,  D = diag(K 1)
    until    the eigenvalues change by less than 0.01 of their size

with diag(K) = 0 throughout. Unguided, ``Gamma = H Y Y' H``; guided, ``Gamma = D^-1/2 Y Y' D^-1/2
-+ mu H K_Yhat H`` with D frozen. The step for Y and the step for W work on different objectives, so
the cost can rise: nothing here is monotone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from .._arrays import FloatArray
from .._certificate import certificate_at
from .._engines import FIT, KernelGraph, single_threaded_blas
from .._linalg import Spectrum, top_eigenpairs
from .._objective import Objective, Point, check_weights, constant_diagonal
from .._progress import stop_is_asked
from .._result import Record, Status
from .._solvers import IsmPlusSolver, Run, Steps, result_of, run, start_from_name
from ..exceptions import DegenerateDataError
from ..gamma import LowRank
from .labelling import Extension, label_by_embedding
from .problem import AbstractStrategy, ClusterFit, ClusterProblem

_STOP = 0.01


@final
@dataclass(frozen=True)
class AsPrinted(AbstractStrategy):
    """The alternation; ``max_iter`` bounds its outer rounds, ``init`` is not used.

    ``step`` minimises over W for a fixed Gamma, Algorithm 1 by default, and ``start`` names where
    it starts first.
    """

    step: Callable[[Objective, FloatArray], Run] | None = None
    start: str = "phi-zero"

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """Alternate, then label by the last Y."""
        with single_threaded_blas():
            ended, spectrum = self._alternate(problem, rng)
            certificate = certificate_at(ended.point, problem.settings.tol)
            result = result_of(ended, "identity", certificate, ordered=False)
            result = replace(result, cost=ended.history[-1].cost)
            # What predicts is the exact graph in the same subspace.
            settings = replace(problem.settings, normalize="degree", engine="auto")
            point = replace(problem, settings=settings).objective().point(result.W)
            k = point.objective.n_clusters
            Y = spectrum.vectors[:, :k]
            labelling = label_by_embedding(Y, Extension.of(point), k, rng)
            return ClusterFit.at(
                point,
                self,
                problem,
                result,
                labelling,
                embedding=Y,
                graph_eigenvalues=spectrum.values,
            )

    def _alternate(self, problem: ClusterProblem, rng: np.random.Generator) -> tuple[Run, Spectrum]:
        """Where it ended, and the last spectrum."""
        rounds, k, max_iter = _Rounds(problem), int(problem.n_clusters), problem.settings.max_iter
        step = self.step or (lambda f, W: run(IsmPlusSolver(f, _STOP), W, max_iter=max_iter))
        spectrum, _ = rounds.spectrum(np.eye(problem.X.shape[1]), by_degree=False)
        objective = rounds.objective(spectrum)
        W = start_from_name(self.start, objective, problem.n_components, rng)
        for _ in range(max_iter):
            rounds.steps.begin()
            inner = step(objective, W)
            W, before = inner.point.W, spectrum.values[:k]
            spectrum, degree = rounds.spectrum(W, by_degree=True)
            objective = rounds.objective(spectrum, degree if problem.guidance else None)
            point = objective.point(W)
            rounds.record(point, inner.history[-1])
            values = spectrum.values[:k]
            if np.linalg.norm(values - before) <= _STOP * np.linalg.norm(values):
                return Run(point, Status.EIGENVALUES_SETTLED, tuple(rounds.history)), spectrum
            if stop_is_asked():
                return Run(point, Status.STOPPED, tuple(rounds.history)), spectrum
        return Run(point, Status.MAX_ITER, tuple(rounds.history)), spectrum


class _Rounds:
    """What the rounds share: K without its diagonal, how Gamma is made of Y, the record."""

    def __init__(self, problem: ClusterProblem) -> None:
        X, kernel, engine = problem.X, problem.fixed_kernel, problem.settings.engine
        n = X.shape[0]
        self._problem, self._k = problem, int(problem.n_clusters)
        self._began, self._iterations, self.history = time.perf_counter(), 0, list[Record]()
        settings, stage = problem.settings, f"alternating as printed, on {n} rows"
        self.steps = Steps(stage, settings.max_iter, settings.callback)
        self.steps.announce()
        # As printed means all pairs: the choice of an engine might fall on features.
        self._engine = "tiled" if engine == "auto" and n > FIT.dense else engine
        self._centred, self._graph = X - X.mean(axis=0), KernelGraph(kernel, n, engine)
        self._scales = [term.row_scales(X) for _, term in kernel.terms]
        self._diagonal = constant_diagonal(kernel, "objective='paper'")
        check_weights(kernel, "objective='paper'")
        self._trace = 0.0  # of the last Gamma

    def objective(self, spectrum: Spectrum, degree: FloatArray | None = None) -> Objective:
        """For a fixed Gamma, of Y and guidance; ``degree`` divides Y, else it is centred."""
        Y = spectrum.vectors[:, : self._k]
        U = Y - Y.mean(axis=0) if degree is None else Y / np.sqrt(degree)[:, None]
        columns, weights = [U], [np.ones(U.shape[1])]
        for term in self._problem.guidance:
            sign = 1.0 if term.follow else -1.0
            columns.append(term.U)
            weights.append(np.full(term.U.shape[1], sign * term.weight))
        gamma = LowRank(np.concatenate(columns, axis=1), np.concatenate(weights))
        self._trace = float(np.sum(gamma.U**2 @ gamma.s))
        return Objective(self._problem.X, gamma, self._problem.fixed_kernel, self._engine)

    def record(self, point: Point, last: Record) -> None:
        """One round, at the cost without the diagonal of K."""
        self._iterations += last.iterations
        self.history.append(
            replace(
                last,
                step="round",
                cost=point.cost + self._diagonal * self._trace,
                seconds=time.perf_counter() - self._began,
                evaluations=1,
                hessian_products=0,
                iterations=self._iterations,
            )
        )
        self.steps.made(self.history[-1], point.W, len(self.history))

    def spectrum(self, W: FloatArray, *, by_degree: bool) -> tuple[Spectrum, FloatArray]:
        """Top eigenpairs of ``H K H`` or ``H D^-1/2 K D^-1/2 H``, and the degrees."""
        n = self._centred.shape[0]
        self._graph.place(self._centred @ W, self._scales)

        def multiply(V: FloatArray) -> FloatArray:
            return self._graph.multiply(V) - self._diagonal * V

        degree = multiply(np.ones((n, 1)))[:, 0]
        if by_degree and not degree.min() > 0.0:
            isolated = int(np.count_nonzero(degree <= 0.0))
            raise DegenerateDataError(
                f"{isolated} of {n} rows have no neighbour within the kernel's reach: their degree "
                "is 0 and the paper's normalisation divides by it. Raise the bandwidth, or use "
                "objective='exact'."
            )
        r = 1.0 / np.sqrt(degree)[:, None] if by_degree else np.ones((n, 1))

        def apply(V: FloatArray) -> FloatArray:
            V = r * multiply(r * (V - V.mean(axis=0)))
            return V - V.mean(axis=0)

        scale = 1.0 if by_degree else float(n)
        return top_eigenpairs(apply, n, self._k, None, 1e-8 * scale), degree
