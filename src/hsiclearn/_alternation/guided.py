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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._arrays import Array, FloatArray
from .._engines import single_threaded_blas
from .._linalg import reduce_to_row_space
from .._objective import ClusterObjective, ClusterPoint, Guidance, constant_diagonal
from ..kernels import AbstractKernel
from .agreement import STEPS, TOL, AbstractRetry, Attempt, Label, check_rows, labels_of_all
from .clustering import ClusterFit, ClusterSettings, fit_clusters
from .extension import Extension
from .guided_starts import Guess, best_guess, guess_in, guesses, label_factor
from .labelling import ByVote
from .search import finalists, quick_subspace
from .seeding import NeighborGraph
from .settle import Tried, settle_from
from .starts import Start, cluster_starts, quick_starts

__all__ = ["fit_guided_clusters"]

_WORTH = 1e-3  # The labels are settled long before the last digits of the cost.


def fit_guided_clusters(
    X: FloatArray,
    kernel: AbstractKernel,
    n_clusters: int,
    n_components: int,
    codes: Array,
    weight: float,
    settings: ClusterSettings,
    rng: np.random.Generator,
) -> ClusterFit:
    """Guess labels for all rows and settle the objective they guide."""
    constant_diagonal(kernel, "Guidance")  # before the search, not after it
    wide = reduce_to_row_space(X, n_components)
    Q, rows = (None, X) if wide is None else wide
    with single_threaded_blas():
        free = ClusterObjective(rows, kernel, n_clusters, (), settings.normalize, settings.engine)
        problem = (codes, n_clusters, n_components, rng)
        tried: tuple[Tried, ...] = ()
        if isinstance(settings.init, str):
            subspaces, tried = _subspaces(free, n_components, settings, rng)
            found = list(guesses(free.X, *problem, subspaces))
        else:
            W = np.linalg.qr(settings.init if Q is None else Q.T @ settings.init)[0]
            found = [guess_in("array", free.X, W, codes, n_clusters, rng)]
        guess = best_guess(found)
        guidance = [Guidance(label_factor(guess.labels, codes, n_clusters), weight, follow=True)]
        start = guess.W if Q is None else Q @ guess.W
        from_there = replace(settings, init=start, worth=_WORTH)
        fit = fit_clusters(
            X, kernel, n_clusters, n_components, guidance, from_there, rng, label=_by_graph(codes)
        )
        searches = not (isinstance(settings.init, str) and settings.init == "identity")
        retry = GuidedRetry(fit.point, codes, weight, guess, tuple(found), searches)
        return replace(fit, tried=tried, retry=retry, result=replace(fit.result, start=guess.start))


def _by_graph(codes: Array) -> Label:
    """Labels by the neighbour graph of a subspace, from known ones."""

    def label(point: ClusterPoint, rng: np.random.Generator) -> ByVote:
        extension = Extension.of(point)
        graph = NeighborGraph(extension.rows, point.objective.n_clusters)
        return ByVote(graph.labels(codes, rng), extension)

    return label


@dataclass(frozen=True, eq=False)
class GuidedRetry(AbstractRetry):
    """Other guesses, and guesses from fewer rows, some of the known ones among them.

    ``searches`` is whether these look beyond the space of all columns.
    """

    point: ClusterPoint
    codes: Array
    weight: float
    guess: Guess
    guesses: tuple[Guess, ...]
    searches: bool

    @property
    def known(self) -> Array:  # type: ignore[override]
        """The labels that were given."""
        return self.codes

    def others(self, rng: np.random.Generator) -> Iterator[Attempt]:
        """The best guess of every other origin, by how much worse it cuts its graph."""
        best: dict[str, Guess] = {}
        for guess in sorted(self.guesses, key=lambda guess: guess.association):
            best[guess.origin] = guess
        best.pop(self.guess.origin)
        ours = self.guess.association
        for guess in best.values():
            above = (ours - guess.association) / max(abs(ours), np.finfo(float).tiny)
            yield Attempt(np.arange(self.codes.size), guess.labels, above)

    def again(self, rows: Array, rng: np.random.Generator) -> Array:
        """Guess there, follow the guess for a few steps, label."""
        whole, codes = self.point.objective, self.codes[rows]
        X, k, q = whole.X[rows], whole.n_clusters, self.point.W.shape[1]
        check_rows(rows, k)

        def on_rows(guidance: Sequence[Guidance]) -> ClusterObjective:
            return ClusterObjective(X, whole.kernel, k, guidance, whole.normalize, accuracy=TOL)

        def starts(few: ClusterObjective, _: ClusterObjective) -> Iterator[Start]:
            return quick_starts(few, q)

        there = [("again", quick_subspace(on_rows(()), starts, rng))] if self.searches else []
        guess = best_guess(guesses(X, codes, k, q, rng, there))
        few = on_rows([Guidance(label_factor(guess.labels, codes, k), self.weight, follow=True)])
        ended = settle_from("again", guess.W, few, tol=TOL, max_iter=STEPS, worth=_WORTH).point
        return labels_of_all(_by_graph(codes)(ended, rng), whole.X, rows, few, ended.W)


def _subspaces(
    objective: ClusterObjective, q: int, settings: ClusterSettings, rng: np.random.Generator
) -> tuple[list[Start], tuple[Tried, ...]]:
    """Where to guess, beside the space of all columns: nowhere with ``init="identity"``."""
    found: list[Start] = []
    tried: tuple[Tried, ...] = ()
    for _ in range(settings.n_init if settings.init == "search" else 0):
        some, record = finalists(
            objective, lambda few, many: cluster_starts(few, many, q, rng), rng
        )
        found, tried = found + some, tried + record
    return found, tried
