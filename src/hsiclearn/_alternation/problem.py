"""A clustering that is to be fitted, how to fit it, and what comes out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column
from .._counts import Counts
from .._linalg import Basis, row_space
from .._objective import ClusterObjective, ClusterPoint, Guidance
from .._result import Result
from .._rows import as_rows, check_directions, summarise, varying_columns
from .._solvers import Callback
from ..kernels import AbstractKernel
from .guided_starts import Guess
from .labelling import Labelling
from .search import Tried

_MOST_COUNTED = 1e50  # rows: a square of the pairs of all is still a number


@dataclass(frozen=True, kw_only=True)
class ClusterSettings:
    """How to search; everything but the problem itself."""

    normalize: str = "degree"
    objective: str = "exact"
    engine: str = "auto"
    init: str | FloatArray = "search"
    n_init: int = 1
    tol: float = 1e-6
    max_iter: int = 300
    callback: Callback | None = None
    on_interrupt: str = "raise"

    @property
    def is_from_identity(self) -> bool:
        """Whether the start is Phi at W = I."""
        return isinstance(self.init, str) and self.init == "identity"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterProblem:
    """Rows to be clustered in a subspace, and what is known of them.

    A kernel may be a rule that makes it for rows, how often these count, and a number of clusters.
    A strategy that solves takes both as they are: :meth:`with_clusters` applies the rule, and
    multiplies the weights, which are per cluster beyond the first.
    """

    X: Array  # dense or sparse
    kernel: (
        AbstractKernel | Callable[[FloatArray, Counts, int, np.random.Generator], AbstractKernel]
    )
    n_clusters: int | str
    n_components: int
    guidance: tuple[Guidance, ...] = ()
    codes: Array | None = None  # partial labels to complete and to follow, -1 where unknown
    weight: float = 0.0  # of following them
    labellings: tuple[Array, ...] = ()  # codes whose classes must all be among the rows
    finer: AbstractKernel | None = None  # for a second look where clusters do not stand clear
    row_weights: Column | None = None  # how often each row counts, all positive; None: once
    settings: ClusterSettings = field(default_factory=ClusterSettings)

    @property
    def counts(self) -> Counts:
        """How often each row counts, of rows that are here."""
        return Counts(self.X.shape[0], self.row_weights)

    def take(self, index: Array, counts: Counts | None = None) -> ClusterProblem:
        """The same on chosen rows (ascending), dense, in double precision; guidance centred.

        They count as they do here, unless it is said.
        """
        if counts is None:
            v = self.row_weights
            counts = Counts(len(index), None if v is None else v[index])
        return replace(
            self,
            X=as_rows(self.X).take(index),
            guidance=tuple(term.take(index, counts) for term in self.guidance),
            codes=None if self.codes is None else self.codes[index],
            labellings=tuple(labels[index] for labels in self.labellings),
            row_weights=counts.v,
        )

    def with_clusters(self, k: int, rng: np.random.Generator) -> ClusterProblem:
        """The same with so many clusters: all that goes with their number."""
        kernel, counts = self.kernel, self.counts
        _check_enough(counts, k)
        return replace(
            self,
            kernel=kernel if isinstance(kernel, AbstractKernel) else kernel(self.X, counts, k, rng),
            n_clusters=k,
            guidance=self.guidance_for(k),
            weight=self._per_cluster(self.weight, k),
        )

    @property
    def fixed_kernel(self) -> AbstractKernel:
        """The kernel, of a problem whose rule was applied."""
        assert isinstance(self.kernel, AbstractKernel)
        return self.kernel

    @property
    def known_codes(self) -> Array:
        """The partial labels, of a problem that has some."""
        assert self.codes is not None
        return self.codes

    def guidance_for(self, k: int) -> tuple[Guidance, ...]:
        """Guidance weighed for k clusters."""
        return tuple(
            replace(term, weight=self._per_cluster(term.weight, k)) for term in self.guidance
        )

    def _per_cluster(self, weight: float, k: int) -> float:
        """The paper's form takes mu as it is."""
        return weight if self.settings.objective == "paper" else weight * (k - 1)

    def on_varying_columns(self) -> tuple[Basis, ClusterProblem]:
        """Without columns that are constant, unless so many components need them."""
        n, summary = self.X.shape[0], summarise(as_rows(self.X))
        basis = Basis.of_columns(varying_columns(summary, n, self.n_components))
        problem = self._in(basis, basis.lower(self.X))
        if not isinstance(problem.settings.init, str):
            check_directions(problem.settings.init)
        return basis, problem

    def in_row_space(self) -> tuple[Basis, ClusterProblem]:
        """In as few columns as the answer can use."""
        basis, X = row_space(self.X, self.n_components)
        return basis, self._in(basis, X)

    def _in(self, basis: Basis, X: FloatArray) -> ClusterProblem:
        init = self.settings.init
        if not isinstance(init, str):
            init = basis.coordinates(init)
        return replace(self, X=X, settings=replace(self.settings, init=init))

    def objective(
        self, guidance: Sequence[Guidance] | None = None, accuracy: float = 1e-6
    ) -> ClusterObjective:
        """What is minimised, by default with the guidance of the problem."""
        return ClusterObjective(
            self.X,
            self.fixed_kernel,
            int(self.n_clusters),
            self.guidance if guidance is None else guidance,
            self.settings.normalize,
            self.settings.engine,
            accuracy,
            self.row_weights,
        )


def _check_enough(counts: Counts, k: int) -> None:
    """Raise unless there are rows for k clusters, and no more than squares of pairs allow."""
    if k > counts.n:
        raise ValueError(
            f"Need n_clusters <= n_samples. Got n_clusters={k} and n_samples={counts.n}."
        )
    if counts.total > _MOST_COUNTED:
        raise ValueError(
            "A clustering takes `sample_weight` for how often a row stands in the table: their "
            f"sum must be {_MOST_COUNTED:g} at most. Got {counts.total:g}: divide by the mean."
        )
    if counts.v is not None and counts.whole < max(k, 2):
        raise ValueError(
            "A clustering takes `sample_weight` for how often a row stands in the table: they "
            f"must be worth n_clusters={k} rows at least, and 2. Those of {counts.n} rows are "
            f"worth {counts.total:.3g}. Raise the small ones, or leave out the rows."
        )


@dataclass(frozen=True, eq=False)
class Other:
    """Where another start ended on some rows, and by how much its cost lies above, as a share."""

    point: ClusterPoint
    rows: Array
    above: float


@dataclass(frozen=True, eq=False)
class Attempt:
    """Labels of some rows by another way, and by how much its cost lies above, as a share."""

    rows: Array
    labels: Array
    above: float = 0.0


class AbstractStrategy(ABC):
    """A way to fit a clustering."""

    @abstractmethod
    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """A subspace and the labels of the rows in it."""


class AbstractRepeatable(AbstractStrategy):
    """One that can be tried again, to see whether the same clusters come out."""

    @abstractmethod
    def others(self, fit: ClusterFit, rng: np.random.Generator) -> Iterator[Attempt]:
        """Where other starts of a fit ended."""

    @abstractmethod
    def refit(
        self, problem: ClusterProblem, rng: np.random.Generator
    ) -> tuple[ClusterPoint, Labelling]:
        """A short fit of ``fit.problem`` on fewer rows; it must know nothing of the others."""


@dataclass(frozen=True, eq=False)
class ClusterFit:
    """A subspace, the embedding of the rows in it, and their labels.

    ``embedding`` and ``labels`` belong to all rows; ``rows``, ``problem``, ``point`` and
    ``labelling`` to those it was solved on, which may be fewer (see :mod:`.landmarks`). ``rows``
    are in the columns of X, the other three in the basis it was solved in. ``offset`` is
    what projected rows are shifted by there. ``graph_eigenvalues`` are the largest of the
    graph, one more than clusters. ``share`` is that of the rows solved on among all, as often as
    they count. ``others`` and ``guesses`` are where other starts ended.
    """

    strategy: AbstractStrategy
    problem: ClusterProblem
    rows: FloatArray
    result: Result
    embedding: FloatArray
    labels: Array
    graph_eigenvalues: FloatArray
    point: ClusterPoint
    labelling: Labelling
    offset: FloatArray
    share: float = 1.0
    tried: tuple[Tried, ...] = ()
    others: tuple[Other, ...] = ()
    guesses: tuple[Guess, ...] = ()

    @classmethod
    def at(
        cls,
        point: ClusterPoint,
        strategy: AbstractStrategy,
        problem: ClusterProblem,
        result: Result,
        labelling: Labelling,
        **more: Any,
    ) -> ClusterFit:
        """Of the rows of a problem, at a point of its objective; what ``more`` does not say."""
        objective = point.objective
        shift = problem.X.mean(axis=0) - objective.X.mean(axis=0)
        return cls(
            strategy=strategy,
            problem=replace(problem, X=objective.X),
            rows=problem.X,
            result=result,
            labels=labelling.labels,
            point=point,
            labelling=labelling,
            offset=shift @ point.W,
            **{
                "embedding": point.embedding,
                "graph_eigenvalues": point.spectrum_of_graph.values,
                **more,
            },
        )
