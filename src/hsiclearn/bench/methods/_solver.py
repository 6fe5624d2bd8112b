"""Methods that minimise the objective of the paper: a solver and its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._alternation import AsPrinted, ClusterProblem, ClusterSettings
from ..._arrays import Array, FloatArray
from ..._engines import single_threaded_blas
from ..._linalg import orthonormal_basis
from ..._objective import Objective, PairLoops
from ..._solvers import SOLVERS, Run, Settings, minimise, run, start_from_name
from ...gamma import ClassTable
from ._base import Clustered, Clusterer, Reduced, Reducer, Report, k_means_labels, paper_kernel

__all__ = ["SolverMethod"]


@dataclass(frozen=True)
class SolverMethod(Reducer, Clusterer):
    """A solver; from ``n_starts`` random starts where ``init`` is "random", the best counts."""

    key: str
    title: str
    solver: str
    order: int
    init: str = "phi-zero"
    n_starts: int = 1
    tol: float = 1e-2
    max_iter: int = 1000
    settings: str = ""
    in_loops: bool = False
    is_quick: bool = False
    is_held_out: bool = False

    def prepare(self) -> None:
        """Solve a tiny problem."""
        X = np.random.default_rng(0).standard_normal((12, 3))
        self.reduce(X, np.arange(12) % 2, 1, lambda _: None)

    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """Minimise ``-Tr(Gamma K_XW)``, Gamma = HYY'H."""
        gamma, kernel = ClassTable.centered(y), paper_kernel(X)
        if self.in_loops:
            objective = Objective(X, gamma, kernel)
            with single_threaded_blas():
                runs = [self._descend(objective, W, report) for W in self._starts(objective, q)]
            best = min(runs, key=lambda outcome: outcome.point.cost)
            steps = np.mean([outcome.history[-1].iterations for outcome in runs])
            return Reduced(best.point.W, best.point.cost, float(steps), best.status.name)
        results = [
            minimise(X, gamma, kernel, q, self._settings_for(seed, report))
            for seed in range(self.n_starts)
        ]
        result = min(results, key=lambda r: r.cost)
        steps = np.mean([r.history[-1].iterations for r in results])
        return Reduced(result.W, result.cost, float(steps), result.status.name)

    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """The alternation as printed, with this solver for W."""
        rng = np.random.default_rng(0)
        problem = ClusterProblem(
            X=X,
            kernel=paper_kernel(X),
            n_clusters=k,
            n_components=q,
            settings=ClusterSettings(max_iter=100, report=report),
        )

        def step(objective: Objective, W: FloatArray) -> Run:
            return self._descend(objective, W, lambda _: None)

        strategy = AsPrinted(step, self.init)
        fits = [strategy.fit(problem, rng) for _ in range(self.n_starts)]
        best = min(fits, key=lambda fit: fit.result.cost)
        labels = k_means_labels(best.embedding, k)
        steps = np.mean([fit.result.history[-1].iterations for fit in fits])
        return Clustered(labels, best.result.cost, float(steps), best.result.status.name)

    def _settings_for(self, seed: int, report: Report) -> Settings:
        return Settings(
            solver=self.solver,
            init=self.init,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=seed,
            report=report,
        )

    def _starts(self, objective: Objective, q: int) -> list[FloatArray]:
        seeds = range(self.n_starts)
        frames = [
            start_from_name(self.init, objective, q, np.random.default_rng(seed)) for seed in seeds
        ]
        return [orthonormal_basis(W) for W in frames]

    def _descend(self, objective: Objective, W: FloatArray, report: Report) -> Run:
        problem: Any = PairLoops(objective) if self.in_loops else objective
        solver = SOLVERS[self.solver](problem, self.tol)
        return run(solver, W, max_iter=self.max_iter, report=report)
