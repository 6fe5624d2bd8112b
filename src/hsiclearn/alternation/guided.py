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

from dataclasses import replace

import numpy as np

from .._arrays import Array, FloatArray
from ..engines import single_threaded_blas
from ..kernels import AbstractKernel
from ..linalg import reduce_to_row_space
from ..objective import ClusterObjective, ClusterPoint, Guidance, constant_diagonal
from .clustering import ClusterFit, ClusterSettings, fit_clusters
from .extension import Extension
from .guided_starts import best_guess, guess_in, guesses, label_factor
from .labelling import ByVote
from .search import Tried, finalists
from .seeding import NeighborGraph
from .starts import Start, cluster_starts

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
            guess = best_guess(guesses(free.X, *problem, subspaces))
        else:
            W = np.linalg.qr(settings.init if Q is None else Q.T @ settings.init)[0]
            guess = guess_in("array", free.X, W, codes, n_clusters, rng)
        guidance = [Guidance(label_factor(guess.labels, codes, n_clusters), weight, follow=True)]
        start = guess.W if Q is None else Q @ guess.W
        from_there = replace(settings, init=start, worth=_WORTH)

        def label(point: ClusterPoint, rng: np.random.Generator) -> ByVote:
            extension = Extension.of(point)
            labels = NeighborGraph(extension.rows, n_clusters).labels(codes, rng)
            return ByVote(labels, extension)

        found = fit_clusters(
            X, kernel, n_clusters, n_components, guidance, from_there, rng, label=label
        )
        return replace(found, tried=tried, result=replace(found.result, start=guess.start))


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
