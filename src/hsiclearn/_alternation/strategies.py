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
from .._progress import shown_by, stop_is_asked, tell
from .._rows import DeviceRows, as_rows, in_words
from .exact import Exact
from .guided import Guided
from .landmarks import OnLandmarks, takes_landmarks
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
    on_all_rows = OnAllRows(STRATEGIES["guided" if follows else settings.objective])
    if takes_landmarks(settings.objective, settings.engine, problem.X.shape[0]):
        return OnLandmarks(on_all_rows)
    return on_all_rows


@final
@dataclass(frozen=True)
class OnAllRows(AbstractStrategy):
    """Another strategy on all rows, dense, on the columns that vary, at the clusters asked for."""

    inner: AbstractStrategy

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """With ``n_clusters="auto"``, at the widest gap."""
        rows = as_rows(problem.X)
        n = rows.n_samples
        everything = np.arange(n)
        if problem.row_weights is None:
            whole = replace(problem, X=rows.take(everything))
        else:  # what guides may not have been centred by weights
            whole = problem.take(everything)
        basis, varying = whole.on_varying_columns()
        with shown_by(basis.lift):
            if isinstance(varying.n_clusters, str):
                fit = self._at_widest_gap(varying, rng)
            else:
                fit = self.inner.fit(varying.with_clusters(varying.n_clusters, rng), rng)
        few = f"{n} rows are few enough for all pairs."
        reason = few if problem.settings.engine == "auto" else "It was asked for."
        if isinstance(rows, DeviceRows):
            reason += f" They came from {in_words(rows.like)} to the host."
        result = replace(fit.result, W=basis.lift(fit.result.W), engine_reason=reason)
        return replace(fit, rows=whole.X, result=result)

    def _at_widest_gap(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """Fit at the k with the widest gap, look at the spectrum in that subspace, and repeat.

        Starts from the spectrum in the space of all columns. Stops when k repeats, after five
        fits at most; the fit of the last k is returned. All spectra are judged with the one
        kernel of two clusters, whatever a fit used.
        """
        n, settings = problem.X.shape[0], problem.settings
        fewest = 2 if problem.codes is None else max(2, int(problem.codes.max()) + 1)
        most = min(max(_MOST, fewest + 1), n - 1)
        basis, X = row_space(problem.X, 1)
        kernel = problem.with_clusters(2, rng).fixed_kernel
        objective = ClusterObjective(
            X,
            kernel,
            most,
            (),
            settings.normalize,
            settings.engine,
            weights=problem.row_weights,
        )
        # H K H has no constant eigenvector: k clusters show in k - 1 eigenvalues.
        first = fewest - (settings.normalize == "none")

        def widest_gap(V: FloatArray) -> int:
            values = objective.point(V).spectrum_of_graph.values
            gaps = values[first - 1 : -1] - values[first:]
            return int(np.argmax(gaps)) + fewest if gaps.size else min(fewest, n)

        fits: dict[int, ClusterFit] = {}
        with single_threaded_blas():
            k = widest_gap(np.eye(objective.n_features))
            while k not in fits and len(fits) < _MAX_ROUNDS and not (fits and stop_is_asked()):
                tell(f"{k} clusters, fit {len(fits) + 1} of at most {_MAX_ROUNDS}")
                fits[k] = self.inner.fit(problem.with_clusters(k, rng), rng)
                last, k = k, widest_gap(basis.coordinates(fits[k].result.W))
        return fits[k if k in fits else last]
