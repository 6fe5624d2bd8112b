r"""Clusters guided by partial labels: guess labels for all rows, then follow the guess.

The labels that are given are too few to be an objective: with one per class no two of them are
alike, and p says nothing. So labels are first guessed for all rows, in the space of all columns
and in subspaces that carry clusters, and the guess that cuts the graph of its own subspace least is
kept. Then ::

    F(W) = -sum of the k largest eigenvalues of D^-1/2 K D^-1/2 - mu (k-1) p(W)

with p the assortativity of the guessed labels, rows whose label is given counting more, descends
from there with the labels fixed. Last, the rows are labelled in the subspace that was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from .._arrays import Array
from .._engines import single_threaded_blas
from .._linalg import orthonormal_basis
from .._objective import ClusterObjective, ClusterPoint, Guidance, constant_diagonal
from .._progress import shown_by, tell
from .exact import REFIT_TOL, certified, settle_again, settle_from
from .guided_starts import Guess, best_guess, guess_in, guesses, label_factor
from .labelling import ByVote, Extension, Labelling
from .problem import AbstractRepeatable, Attempt, ClusterFit, ClusterProblem
from .search import Tried, quick_subspace, search
from .seeding import NeighborGraph
from .starts import Start, quick_starts

_WORTH = 1e-3  # The labels are settled long before the last digits of the cost.


@final
class Guided(AbstractRepeatable):
    """Complete partial labels, and settle the objective that they guide."""

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """``init`` says where to guess, beside the space of all columns."""
        constant_diagonal(problem.fixed_kernel, "Guidance")  # before the search, not after it
        with single_threaded_blas():
            basis, problem = problem.in_row_space()
            found, tried = _guess(problem, rng)
            best = best_guess(found)
            W, objective = orthonormal_basis(best.W), _following(problem, best)
            with shown_by(basis.lift):
                settled = settle_from(best.start, W, objective, problem.settings, _WORTH)
            result, point = certified(settled, basis, problem.settings.tol)
            tell("labelling the rows")
            labelling = _by_graph(point, problem.known_codes, rng)
            return ClusterFit.at(
                point, self, problem, result, labelling, tried=tried, guesses=found
            )

    def others(self, fit: ClusterFit, rng: np.random.Generator) -> Iterator[Attempt]:
        """The best guess of every other origin, by how much worse it cuts its graph."""
        ours, best = best_guess(fit.guesses), dict[str, Guess]()
        for guess in sorted(fit.guesses, key=lambda guess: guess.association):
            best[guess.origin] = guess
        best.pop(ours.origin)
        scale = max(abs(ours.association), np.finfo(float).tiny)
        for guess in best.values():
            above = (ours.association - guess.association) / scale
            yield Attempt(np.arange(guess.labels.size), guess.labels, above)

    def refit(
        self, problem: ClusterProblem, rng: np.random.Generator
    ) -> tuple[ClusterPoint, Labelling]:
        """Guess, follow the guess for a few steps, label."""
        codes, q, there = problem.known_codes, problem.n_components, list[Start]()
        if not problem.settings.is_from_identity:
            free = problem.objective((), REFIT_TOL)
            there.append(("again", quick_subspace(free, lambda few: quick_starts(few, q), rng)))
        k, counts = int(problem.n_clusters), problem.counts
        guess = best_guess(guesses(problem.X, codes, k, q, rng, there, counts))
        point = settle_again(guess.W, _following(problem, guess, REFIT_TOL), _WORTH)
        return point, _by_graph(point, codes, rng)


def _guess(
    problem: ClusterProblem, rng: np.random.Generator
) -> tuple[tuple[Guess, ...], tuple[Tried, ...]]:
    """In all columns and where a search ends; with an array, there alone. What was tried."""
    free, codes, init = problem.objective(()), problem.known_codes, problem.settings.init
    k, q, counts = free.n_clusters, problem.n_components, problem.counts
    if not isinstance(init, str):
        W = np.linalg.qr(init)[0]
        return (guess_in("array", free.X, W, codes, k, rng, counts),), ()
    subspaces, tried = list[Start](), list[Tried]()
    for _ in range(0 if problem.settings.is_from_identity else problem.settings.n_init):
        best, record, *_ = search(free, q, rng)
        subspaces += [(one.start, one.best.W) for one in best]
        tried += record
    tell("guessing the labels")
    return tuple(guesses(free.X, codes, k, q, rng, subspaces, counts)), tuple(tried)


def _following(problem: ClusterProblem, guess: Guess, accuracy: float = 1e-6) -> ClusterObjective:
    """The objective that follows the labels of a guess."""
    k, counts = int(problem.n_clusters), problem.counts
    factor = label_factor(guess.labels, problem.known_codes, k, counts)
    return problem.objective([Guidance(factor, problem.weight, follow=True)], accuracy)


def _by_graph(point: ClusterPoint, codes: Array, rng: np.random.Generator) -> ByVote:
    """Labels by the neighbour graph of a subspace, from known ones."""
    extension = Extension.of(point)
    graph = NeighborGraph(extension.rows, point.objective.n_clusters, extension.counts)
    return ByVote(graph.labels(codes, rng), extension)
