"""Which strategy fits a problem: one table, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import final

import numpy as np

from .._arrays import FloatArray
from .._engines import single_threaded_blas
from .._linalg import row_space
from .._objective import ClusterObjective
from .exact import Exact
from .guided import Guided
from .landmarks import OnAllRows, OnLandmarks, takes_landmarks
from .paper import AsPrinted
from .problem import AbstractStrategy, ClusterFit, ClusterProblem

STRATEGIES: Mapping[str, AbstractStrategy] = MappingProxyType(
    {"exact": Exact(), "guided": Guided(), "paper": AsPrinted()}
)
"""Those that solve a problem on the rows and with the number of clusters it has."""

_MOST = 10
_MAX_ROUNDS = 5


def strategy_for(problem: ClusterProblem) -> AbstractStrategy:
    """All rows or landmarks, then the number of clusters, then one of :data:`STRATEGIES`."""
    settings = problem.settings
    follows = settings.objective == "exact" and problem.codes is not None
    inner = WithNumber(STRATEGIES["guided" if follows else settings.objective])
    if takes_landmarks(settings.objective, settings.engine, problem.X.shape[0]):
        return OnLandmarks(inner)
    return OnAllRows(inner)


@final
@dataclass(frozen=True)
class WithNumber(AbstractStrategy):
    """Another strategy, on the columns that vary, at the number of clusters that is asked for."""

    inner: AbstractStrategy

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """With ``n_clusters="auto"``, at the widest gap."""
        basis, problem = problem.on_varying_columns()
        if isinstance(problem.n_clusters, str):
            fit = self._at_widest_gap(problem, rng)
        else:
            fit = self.inner.fit(problem.with_clusters(problem.n_clusters, rng), rng)
        return replace(fit, result=replace(fit.result, W=basis.lift(fit.result.W)))

    def _at_widest_gap(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """Fit at the k with the widest gap, look at the spectrum in that subspace, and repeat.

        Starts from the spectrum in the space of all columns. Stops when k repeats, after five
        fits at most; the fit of the last k is returned. All spectra are judged with the one
        kernel of two clusters, whatever a fit used.
        """
        spectra = _Spectra(problem, rng)
        fits: dict[int, ClusterFit] = {}
        with single_threaded_blas():
            k = spectra.widest_gap()
            while k not in fits and len(fits) < _MAX_ROUNDS:
                fits[k] = self.inner.fit(problem.with_clusters(k, rng), rng)
                last, k = k, spectra.widest_gap(fits[k].result.W)
        return fits[k if k in fits else last]


class _Spectra:
    """Spectra of the graph, in all columns and in subspaces."""

    def __init__(self, problem: ClusterProblem, rng: np.random.Generator) -> None:
        n, settings = problem.X.shape[0], problem.settings
        named = 0 if problem.codes is None else int(problem.codes.max()) + 1
        self._n, self._fewest = n, max(2, named)
        self._basis, rows = row_space(problem.X, 1)
        kernel = problem.with_clusters(2, rng).fixed_kernel
        most = min(max(_MOST, self._fewest + 1), n - 1)
        self._objective = ClusterObjective(
            rows, kernel, most, (), settings.normalize, settings.engine
        )

    def widest_gap(self, W: FloatArray | None = None) -> int:
        """The number of clusters that the spectrum in a subspace shows, by default in all columns.

        H K H has no constant eigenvector: k clusters show in k - 1 eigenvalues.
        """
        d = self._objective.n_features
        V = np.eye(d) if W is None else self._basis.coordinates(W)
        values = self._objective.point(V).spectrum_of_graph.values
        first = self._fewest - (self._objective.normalize == "none")
        gaps = values[first - 1 : -1] - values[first:]
        return int(np.argmax(gaps)) + self._fewest if gaps.size else min(self._fewest, self._n)
