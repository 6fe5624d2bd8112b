"""Methods that minimise the objective of the paper: a solver and its settings; all methods by name.

Rivals start three times at random. *ISM+* is Algorithm 1 of the paper, stopped as in its
experiments; *ISM* is C. Wu, S. Ioannidis, M. Sznaier, X. Li, D. Kaeli, J. Dy, AISTATS 2018; *DG*,
dimension growth, D. Niu, J. Dy, M. Jordan, PAMI 2014; *SM*, the Stiefel manifold, Z. Wen, W. Yin,
Math. Programming 2013; *GM*, the Grassmann manifold, pymanopt's Riemannian trust region. GM has no
row in loops: its original is Manopt's software, whose loops were not Python's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.svm import SVC

from hsiclearn import Objective, Record
from hsiclearn._alternation import AsPrinted, ClusterProblem, ClusterSettings, Exact
from hsiclearn._engines import single_threaded_blas
from hsiclearn._objective import PairLoops
from hsiclearn._solvers import SOLVERS, Run, Settings, Steps, minimise, run, start_from_name
from hsiclearn.gamma import ClassTable

from .._types import Array, FloatArray
from .methods import (
    Clustered,
    Clusterer,
    ColumnsOnly,
    Method,
    Reduced,
    Reducer,
    Report,
    SpectralClusters,
    k_means_labels,
    paper_kernel,
)

__all__ = ["CLUSTERERS", "METHODS", "REDUCERS", "SolverMethod"]


@final
@dataclass(frozen=True, kw_only=True)
class SolverMethod(Reducer, Clusterer):
    """A solver; from ``n_starts`` random starts where ``init`` is "random", the best counts.

    Clusters are found by the alternation as printed; unless it ``alternates``, by descending one
    objective of W alone.
    """

    solver: str
    init: str = "phi-zero"
    n_starts: int = 1
    tol: float = 1e-2
    max_iter: int = 1000
    alternates: bool = True
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
        """With this solver for W."""
        if not self.alternates:
            return _descended(X, k, q, report)
        rng = np.random.default_rng(0)

        def step(objective: Objective, W: FloatArray) -> Run:
            return self._descend(objective, W, lambda _: None)

        problem = ClusterProblem(
            X=X,
            kernel=paper_kernel(X),
            n_clusters=k,
            n_components=q,
            settings=ClusterSettings(max_iter=100, callback=report),
        )
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
            callback=report,
        )

    def _starts(self, objective: Objective, q: int) -> list[FloatArray]:
        rngs = (np.random.default_rng(seed) for seed in range(self.n_starts))
        return [np.linalg.qr(start_from_name(self.init, objective, q, rng))[0] for rng in rngs]

    def _descend(self, objective: Objective, W: FloatArray, report: Report) -> Run:
        problem: Any = PairLoops(objective) if self.in_loops else objective
        solver = SOLVERS[self.solver](problem, self.tol)
        steps = Steps("descending", self.max_iter, report)
        return run(solver, W, max_iter=self.max_iter, steps=steps)


def _descended(X: FloatArray, k: int, q: int, report: Report) -> Clustered:
    """One objective, descended from W = I as in the paper; no alternation."""

    def shifted(record: Record) -> None:
        report(replace(record, cost=record.cost + k))

    # The paper's K has a zero diagonal: Tr(HYY'H) = k less.
    settings = ClusterSettings(normalize="none", init="identity", callback=shifted)
    problem = ClusterProblem(
        X=X, kernel=paper_kernel(X), n_clusters=k, n_components=q, settings=settings
    )
    fit = Exact().fit(problem, np.random.default_rng(0))
    result = fit.result
    labels = k_means_labels(fit.embedding, k)
    return Clustered(labels, result.cost + k, len(result.history) - 1, result.status.name)


def _rival(title: str, solver: str) -> SolverMethod:
    return SolverMethod(
        title=title,
        solver=solver,
        init="random",
        n_starts=3,
        tol=1e-3,
        settings="three random starts, the best counts; gradient 1e-3",
    )


METHODS: dict[str, Method] = {
    "spectral": SolverMethod(
        title="spectral (ours)",
        solver="spectral",
        tol=1e-6,
        settings="one start, gradient 1e-6; supervised, the second-order proof is in the time",
        alternates=False,
        is_quick=True,
        is_held_out=True,
    ),
    "ism+": SolverMethod(
        title="ISM+",
        solver="ism+",
        settings="one start, ends at a relative change of 0.01 of the eigenvalues",
        is_quick=True,
        is_held_out=True,
    ),
    "dg": _rival("DG", "dg"),
    "sm": _rival("SM", "stiefel"),
    "gm": _rival("GM", "grassmann"),
    "lda": ColumnsOnly(title="LDA", make=LinearDiscriminantAnalysis),
    "pca+svm": ColumnsOnly(title="PCA + SVM", make=lambda: SVC(gamma="auto"), by_pca=True),
    "svm": ColumnsOnly(title="SVM", make=lambda: SVC(gamma="auto")),
    "pca+sc": SpectralClusters(title="PCA + SC", by_pca=True),
    "sc": SpectralClusters(title="SC"),
    "ism": SolverMethod(title="ISM", solver="ism", settings="as ISM+", in_loops=True),
    "dg-loops": replace(_rival("DG", "dg"), in_loops=True),
    "sm-loops": replace(_rival("SM", "stiefel"), in_loops=True),
}
REDUCERS: dict[str, Reducer] = {k: m for k, m in METHODS.items() if isinstance(m, Reducer)}
CLUSTERERS: dict[str, Clusterer] = {k: m for k, m in METHODS.items() if isinstance(m, Clusterer)}
