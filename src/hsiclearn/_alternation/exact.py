"""Search, settle, label: the exact objective, with guidance that is fixed if there is any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, final

import numpy as np

from .._certificate import certificate_at
from .._engines import single_threaded_blas
from .._linalg import Basis, orthonormal_basis
from .._objective import ClusterObjective, ClusterPoint
from .._progress import tell
from .._result import Certificate, Result, Status
from .._solvers import result_of, step_teller
from .guided_starts import unguided_starts
from .labelling import Labelling, label_rows
from .problem import AbstractRepeatable, Attempt, ClusterFit, ClusterProblem
from .search import find_subspace, quick_subspace, rough_subset
from .settle import REFIT_TOL, Found, settle_again, settle_from
from .starts import Start, identity_start, quick_starts

_LAST = 11  # costs, ten steps


@final
class Exact(AbstractRepeatable):
    """Minimise the objective over subspaces, from many starts or from a given one."""

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """As ``init`` says: by a search, from W = I, or from an array."""
        with single_threaded_blas():
            basis, problem = problem.in_row_space()
            objective, q = problem.objective(), problem.n_components
            init, descent = problem.settings.init, descent_of(problem)
            if not isinstance(init, str):
                found = settle_from("array", orthonormal_basis(init), objective, **descent)
            elif init == "identity":
                found = settle_from("identity", identity_start(objective, q), objective, **descent)
            else:
                n_init = problem.settings.n_init
                found = find_subspace(objective, q, rng, n_samples=n_init, **descent)
            result, point = certified(found, basis, problem.settings.tol)
            tell("labelling the rows")
            labelling = label_rows(point, rng, problem.finer)
            return ClusterFit.at(
                point, self, problem, result, labelling, tried=found.tried, others=found.others
            )

    def others(self, fit: ClusterFit, rng: np.random.Generator) -> Iterator[Attempt]:
        """The starts that were polished and did not win."""
        for other in fit.others:
            labels = label_rows(other.point, rng, fit.problem.finer).labels
            yield Attempt(other.rows, labels, other.above)

    def refit(
        self, problem: ClusterProblem, rng: np.random.Generator
    ) -> tuple[ClusterPoint, Labelling]:
        """A short search and a short descent."""
        objective = problem.objective(accuracy=REFIT_TOL)
        few = rough_subset(objective, rng)
        W = quick_subspace(few, _starts_again(problem, few, rng))
        point = settle_again(W, objective)
        return point, label_rows(point, rng, problem.finer)


def _starts_again(
    problem: ClusterProblem, few: ClusterObjective, rng: np.random.Generator
) -> Iterator[Start]:
    """Of an array nobody knows which rows it was made from: there a search, too."""
    q = problem.n_components
    if isinstance(problem.settings.init, str) and problem.settings.init == "identity":
        yield "identity", identity_start(few, q)
    else:
        yield from islice(unguided_starts(few.X, few.n_clusters, q, rng), 1)
        yield from quick_starts(few, q)


def descent_of(problem: ClusterProblem) -> dict[str, Any]:
    """How the last descent goes on, and who hears of it."""
    settings = problem.settings
    return {
        "tol": settings.tol,
        "max_iter": settings.max_iter,
        "report": settings.report or step_teller(f"settling on {problem.X.shape[0]} rows"),
    }


def certified(found: Found, basis: Basis, tol: float) -> tuple[Result, ClusterPoint]:
    """What was found, in the columns of X, with its certificate; and the point there.

    The point is evaluated once more, at the ordered basis: embedding and subspace belong together.
    """
    tell("verifying")
    result = result_of(found.run, found.start, _certificate(found, tol), basis)
    return result, found.point.objective.point(basis.coordinates(result.W))


def _certificate(found: Found, tol: float) -> Certificate:
    """Of first order, with how the descent ended, what it last gained, and what can be left."""
    point, costs = found.point, [record.cost for record in found.run.history]
    scale = max(abs(point.cost), np.finfo(float).tiny)
    bound = point.objective.proven_bound
    return replace(
        certificate_at(point, tol),
        ended=found.ended if found.run.status is Status.SETTLED else found.run.status.name.lower(),
        last_gain=(costs[-min(_LAST, len(costs))] - costs[-1]) / scale,
        most_gain=None if bound is None else max(point.cost - bound, 0.0) / scale,
    )
