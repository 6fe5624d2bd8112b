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
from collections.abc import Callable, Sequence

import numpy as np

from .._arrays import FloatArray
from .._certificate import certificate_at
from .._engines import FIT, KernelGraph, single_threaded_blas
from .._linalg import Spectrum, fix_signs, top_eigenpairs
from .._objective import (
    SPECTRAL_TERMS,
    ClusterObjective,
    Guidance,
    Objective,
    constant_diagonal,
)
from .._result import Record, Result, Status
from .._solvers import IsmPlusSolver, Run, run, start_from_name, step_teller
from ..exceptions import DegenerateDataError
from ..gamma import LowRank
from ..kernels import AbstractKernel
from .clustering import ClusterFit, ClusterSettings
from .extension import Extension
from .labelling import label_by_embedding

__all__ = ["fit_clusters_as_printed"]

_STOP = 0.01


def fit_clusters_as_printed(
    X: FloatArray,
    kernel: AbstractKernel,
    n_clusters: int,
    n_components: int,
    guidance: Sequence[Guidance],
    settings: ClusterSettings,
    rng: np.random.Generator,
    *,
    step: Callable[[Objective, FloatArray], Run] | None = None,
    start: str = "phi-zero",
) -> ClusterFit:
    """Run the alternation; ``settings.max_iter`` bounds its outer rounds, ``init`` is not used.

    ``step`` minimises over W for a fixed Gamma, Algorithm 1 by default, and ``start`` names where
    it starts first.
    """
    began = time.perf_counter()

    def algorithm_1(objective: Objective, W: FloatArray) -> Run:
        return run(IsmPlusSolver(objective, _STOP), W, max_iter=settings.max_iter)

    step = step or algorithm_1
    report = settings.report or step_teller(f"alternating as printed, on {X.shape[0]} rows")
    # As printed means all pairs: the choice of an engine might fall on landmarks.
    on_pairs = settings.engine == "auto" and X.shape[0] > FIT.dense
    engine = "tiled" if on_pairs else settings.engine
    with single_threaded_blas():
        graph = _Graph(X, kernel, n_clusters, settings.engine)
        spectrum, _ = graph.at(np.eye(X.shape[1]), by_degree=False)
        gamma = _gamma(spectrum.vectors[:, :n_clusters], None, guidance)
        W, status = None, Status.MAX_ITER
        history: list[Record] = []
        iterations = 0
        for _ in range(settings.max_iter):
            objective = Objective(X, gamma, kernel, engine)
            if W is None:
                W = start_from_name(start, objective, n_components, rng)
            inner = step(objective, W)
            W, before = inner.point.W, spectrum.values[:n_clusters]
            spectrum, degree = graph.at(W, by_degree=True)
            Y, values = spectrum.vectors[:, :n_clusters], spectrum.values[:n_clusters]
            gamma = _gamma(Y, degree if guidance else None, guidance)
            objective = Objective(X, gamma, kernel, engine)
            point = objective.point(W)
            trace = float(np.sum(gamma.U**2 @ gamma.s))  # diag(K) = 0
            cost = point.cost + graph.diagonal * trace
            iterations += inner.history[-1].iterations
            history.append(
                _record(inner.history[-1], cost, time.perf_counter() - began, iterations)
            )
            if report is not None:
                report(history[-1])
            if np.linalg.norm(values - before) <= _STOP * np.linalg.norm(values):
                status = Status.EIGENVALUES_SETTLED
                break
        assert W is not None
        W = fix_signs(W)
        result = Result(
            W=W,
            cost=cost,
            status=status,
            history=tuple(history),
            eigenvalues=point.spectrum.values,
            certificate=certificate_at(point, settings.tol),
            engine=objective.engine,
            start="identity",
        )
        final = ClusterObjective(X, kernel, n_clusters, guidance).point(W)
        labelling = label_by_embedding(Y, Extension.of(final), n_clusters, rng)
        return ClusterFit(
            result=result,
            embedding=Y,
            labels=labelling.labels,
            graph_eigenvalues=spectrum.values,
            assortativity=final.assortativity,
            tried=(),
            point=final,
            labelling=labelling,
            offset=(X.mean(axis=0) - final.objective.X.mean(axis=0)) @ W,
        )


def _record(last: Record, cost: float, seconds: float, iterations: int) -> Record:
    return Record(
        "round", cost, last.gradient, last.angle, last.eigengap, seconds, 1, 0, iterations
    )


def _gamma(Y: FloatArray, degree: FloatArray | None, guidance: Sequence[Guidance]) -> LowRank:
    U = Y - Y.mean(axis=0) if degree is None else Y / np.sqrt(degree)[:, None]
    columns, weights = [U], [np.ones(U.shape[1])]
    for term in guidance:
        sign = 1.0 if term.follow else -1.0
        columns.append(term.U)
        weights.append(np.full(term.U.shape[1], sign * term.weight))
    return LowRank(np.concatenate(columns, axis=1), np.concatenate(weights))


class _Graph:
    """K without its diagonal, and the top of its spectrum."""

    def __init__(self, X: FloatArray, kernel: AbstractKernel, k: int, engine: str) -> None:
        self._X, self._k = X - X.mean(axis=0), k
        self._graph = KernelGraph(kernel, X.shape[0], engine)
        self._scales = [term.row_scales(X) for _, term in kernel.terms]
        self.diagonal = constant_diagonal(kernel, "objective='paper'")
        SPECTRAL_TERMS["degree"].check(kernel, "objective='paper'")

    def at(self, W: FloatArray, *, by_degree: bool) -> tuple[Spectrum, FloatArray]:
        """Top eigenpairs of ``H K H`` or ``H D^-1/2 K D^-1/2 H``, and the degrees."""
        n = self._X.shape[0]
        self._graph.place(self._X @ W, self._scales)

        def multiply(V: FloatArray) -> FloatArray:
            return self._graph.multiply(V) - self.diagonal * V

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
