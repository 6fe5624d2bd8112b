"""Fit a clustering and its subspace: the problem, the search, the labels, the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._certificate import certificate_at
from .._engines import single_threaded_blas
from .._linalg import fix_signs, orthonormal_basis, reduce_to_row_space
from .._objective import ClusterObjective, ClusterPoint, Guidance
from .._progress import tell
from .._result import Certificate, Record, Result, Status
from .._solvers import step_teller
from ..kernels import AbstractKernel
from .agreement import AbstractRetry, Label, Retry
from .labelling import Labelling, label_rows
from .search import Starts, find_subspace
from .settle import Found, Tried, settle_from
from .starts import Start, cluster_starts, identity_start, quick_starts

__all__ = ["ClusterFit", "ClusterSettings", "fit_clusters"]

_LAST = 11  # costs, ten steps


@dataclass(frozen=True, kw_only=True)
class ClusterSettings:
    """How to search; everything but the problem itself."""

    normalize: str = "degree"
    engine: str = "auto"
    init: str | FloatArray = "search"
    n_init: int = 1
    tol: float = 1e-6
    max_iter: int = 300
    worth: float | None = None  # of ten steps from a given start, beside the cost
    report: Callable[[Record], None] | None = None


@dataclass(frozen=True)
class ClusterFit:
    """A subspace, the embedding of the rows in it, and their labels.

    ``point`` and ``labelling`` belong to the rows it was solved on, ``embedding`` and ``labels`` to
    all rows, which may be more (see :mod:`.landmarks`).
    ``graph_eigenvalues`` are the largest of the graph, one more than clusters; ``assortativity``
    is what the subspace shows of each guidance, 0 at chance and 1 in full. ``retry`` can try the
    same again on the rows it was solved on.
    """

    result: Result
    embedding: FloatArray = field(repr=False)
    labels: Array = field(repr=False)
    graph_eigenvalues: FloatArray
    assortativity: tuple[float, ...]
    tried: tuple[Tried, ...]
    point: ClusterPoint = field(repr=False)
    labelling: Labelling = field(repr=False)
    offset: FloatArray = field(repr=False)
    retry: AbstractRetry | None = field(default=None, repr=False)

    @property
    def kernel(self) -> AbstractKernel:
        """The kernel it was fitted with."""
        return self.point.objective.kernel


def fit_clusters(
    X: FloatArray,
    kernel: AbstractKernel,
    n_clusters: int,
    n_components: int,
    guidance: Sequence[Guidance],
    settings: ClusterSettings,
    rng: np.random.Generator,
    more_starts: Callable[[FloatArray], Iterable[Start]] = lambda _: (),
    label: Label = label_rows,
) -> ClusterFit:
    """Minimise a clustering objective over subspaces of X, and label the rows.

    ``more_starts`` adds starts of its own, made from the rows as the objective sees them.
    """
    wide = reduce_to_row_space(X, n_components)
    Q, rows = (None, X) if wide is None else wide
    with single_threaded_blas():
        objective = ClusterObjective(
            rows, kernel, n_clusters, guidance, settings.normalize, settings.engine
        )

        descent: dict[str, Any] = {
            "tol": settings.tol,
            "max_iter": settings.max_iter,
            "report": settings.report or step_teller(f"settling on {rows.shape[0]} rows"),
        }

        def starts(few: ClusterObjective, many: ClusterObjective) -> Iterable[Start]:
            yield from more_starts(objective.X)
            yield from cluster_starts(few, many, n_components, rng)

        def starts_of_refit(few: ClusterObjective, _: ClusterObjective) -> Iterable[Start]:
            """Of an array nobody knows which rows it was made from: there a search, too."""
            if isinstance(settings.init, str) and settings.init == "identity":
                yield "identity", identity_start(few, n_components)
            else:
                yield from islice(more_starts(few.X), 1)
                yield from quick_starts(few, n_components)

        if not isinstance(settings.init, str):
            W = orthonormal_basis(settings.init if Q is None else Q.T @ settings.init)
            found = settle_from("array", W, objective, **descent, worth=settings.worth)
        elif settings.init == "identity":
            W = identity_start(objective, n_components)
            found = settle_from("identity", W, objective, **descent)
        else:
            found = find_subspace(objective, starts, rng, n_samples=settings.n_init, **descent)
        shift = rows.mean(axis=0) - objective.X.mean(axis=0)
        return _as_fit(found, Q, shift, settings.tol, label, starts_of_refit, rng)


def _as_fit(
    found: Found,
    Q: FloatArray | None,
    shift: FloatArray,
    tol: float,
    label: Label,
    starts_of_refit: Starts,
    rng: np.random.Generator,
) -> ClusterFit:
    """Order the basis, fix its signs, certify, label, and return to the columns of X."""
    point, objective = found.point, found.point.objective
    turn = np.linalg.eigh(point.rayleigh)[1]
    W = fix_signs((point.W if Q is None else Q @ point.W) @ turn)
    tell("verifying")
    certificate = _certificate(found, tol)
    result = Result(
        W=W,
        cost=point.cost,
        status=found.run.status,
        history=found.run.history,
        eigenvalues=point.spectrum.values,
        certificate=certificate,
        engine=objective.engine,
        start=found.start,
    )
    # Once more at the ordered basis, so that embedding and subspace belong together.
    reduced = W if Q is None else Q.T @ W
    final = objective.point(reduced)
    tell("labelling the rows")
    labelling = label(final, rng)
    return ClusterFit(
        result=result,
        embedding=final.embedding,
        labels=labelling.labels,
        graph_eigenvalues=final.spectrum_of_graph.values,
        assortativity=final.assortativity,
        tried=found.tried,
        point=final,
        labelling=labelling,
        offset=shift @ reduced,
        retry=Retry(replace(found, point=final), label, starts_of_refit),
    )


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
