"""What a rule is, and what it is given: the data of a fit, and what is to be solved on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column
from .._linalg import IDENTITY as NO_CHANGE
from .._linalg import Basis, fix_signs, median_pair_distance, orthonormal_basis
from .._paradigms import Target
from .._progress import shown_by
from .._result import Result
from .._rows import AbstractRows, as_rows
from .._solvers import Settings, minimise
from .._weights import draw_weighted
from ..exceptions import DegenerateDataError
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from .candidates import DEPENDENCE
from .metric import IDENTITY, RELEVANCE, basis_of
from .relevance import basis_of_weights, weighed
from .sample import MOST_ROWS, Sample, Split, draw_index, draw_rows, make_splits, sample_of, shares
from .selection import Selection

SCALES = (4.0, 1.5, 0.75, 0.4, 0.2)
"""Multiples, from smooth to fine: the best one differs ten-fold between data sets."""

FEWEST_ROWS = 10
"""With fewer there is nothing to hold out."""

_PLENTY = 2000  # rows from which on none has to serve twice
_FITTED, _JUDGED = 1000, 1000  # of them
_TOL_OF_NOISE = 1e-3

Drawn = tuple[Sample, list[Split]]
"""Rows that fits are compared on, and how they are split."""

Family = Callable[[float], AbstractKernel]
"""A kernel at any bandwidth; one that has none, or its own, is always the same."""


def median_distance(
    X: Array | AbstractRows, rng: np.random.Generator, weights: Column | None = None
) -> float:
    """Median of ``|x_i - x_j|`` over pairs i < j, on 1000 rows drawn with ``rng`` at most.

    With weights that of the table with repeated rows, from rows drawn by their weights.
    """
    rows = as_rows(X)
    if weights is None:
        index, v = draw_rows(rows.n_samples, MOST_ROWS, rng), None
    else:
        index, v = draw_weighted(weights, MOST_ROWS, rng)
    some = rows.subset(index).isometric() if rows.is_sparse else rows.take(index)
    median = median_pair_distance(some, rng, weights=v)
    if median == 0.0:
        raise DegenerateDataError(
            "A bandwidth by the median needs more than half of the pairs of rows to differ, but "
            f"their median distance is 0 over {index.size} rows. Remove duplicate rows, or pass a "
            "positive number as bandwidth."
        )
    return median


def bandwidth_grid(
    median: float, n_components: int, n_features: int, scales: Sequence[float] = SCALES
) -> tuple[float, ...]:
    """``s median sqrt(q / d)`` for every scale s, from the largest down.

    The median distance of two rows is that of d columns; in q dimensions they are some
    ``sqrt(q / d)`` of it apart.
    """
    step = median * float(np.sqrt(n_components / n_features))
    return tuple(s * step for s in sorted(scales, reverse=True))


class Fitted(NamedTuple):
    """A fit, the kernel it was made with, how that was chosen, and the coordinates of its W."""

    result: Result
    kernel: AbstractKernel
    selection: Selection | None = None
    metric: str = IDENTITY
    basis: Basis = NO_CHANGE
    objective: str = DEPENDENCE
    patterns: FloatArray = np.empty((0, 0))

    def in_columns(self) -> Fitted:
        """W in the columns of the rows, the largest loading positive; and the patterns P.

        With ``W = B V`` they are ``P = B^-1 V``, B symmetric: then ``W'P = I``, and ``P = S W`` in
        the metric of S. Weights of columns may be as small as they like: there P is made of W
        alone, ``W (W'W)^-1``.
        """
        if self.patterns.size:
            return self
        V = self.result.W
        if self.basis.is_identity:  # a result has its signs fixed
            return self._replace(patterns=V.copy())
        W = self.basis.lift(V)
        fixed = fix_signs(W)
        signs = np.sign(np.einsum("ij,ij->j", fixed, W))
        if self.metric == RELEVANCE:
            patterns = np.linalg.pinv(fixed).T
        else:
            patterns = self.basis.coordinates(V * signs)
        return self._replace(
            result=replace(self.result, W=fixed), basis=NO_CHANGE, patterns=patterns
        )


@dataclass(frozen=True)
class SupervisedData:
    """Rows and their target, and what rules draw from them: each once, when first asked for.

    ``most_rows`` (None: 1000) are looked at where rows are held out, as ``cv`` says; those of the
    same group together. ``may_be_fresh``: whether rows held out may be others than these.
    ``metrics`` and ``objectives`` are those a rule may choose between. ``keep_columns``: the sample
    is in the columns of the rows, however many. ``drawn`` gives the sample and its splits, where
    columns were chosen on them before: in a metric they cost a spectrum for each split, and who
    only polishes never asks.
    """

    rows: AbstractRows
    target: Target
    gamma: AbstractGamma
    kernel: Family
    rng: np.random.Generator
    cv: Any = 3
    groups: Array | None = None
    most_rows: int | None = None
    may_be_fresh: bool = True
    metrics: tuple[str, ...] = (IDENTITY,)
    objectives: tuple[str, ...] = (DEPENDENCE,)
    keep_columns: bool = False
    drawn: Callable[[], Drawn] | None = None

    @cached_property
    def median(self) -> float:
        """Median distance of two rows."""
        return median_distance(self.rows, self.rng, self.gamma.row_weights)

    def _median_in(self, metric: str) -> float:
        """The same in a metric, where it is that of the rows compared."""
        if metric == IDENTITY:
            return self.median
        X, v, rng = self.sample.X, self.sample.gamma.row_weights, np.random.default_rng(0)
        basis = basis_of(metric, as_rows(X), v)
        return median_pair_distance(basis.lower(X), rng, weights=v)

    @property
    def is_fresh(self) -> bool:
        """Whether to judge by fresh rows; who passes a splitter or groups wants those."""
        is_count = isinstance(self.cv, Integral) and self.groups is None
        return self.may_be_fresh and is_count and self.rows.n_samples >= _PLENTY

    @cached_property
    def sample(self) -> Sample:
        """The rows that fits are compared on."""
        if self._given is not None:
            return self._given[0]
        return self.sample_from(self.rows)

    def sample_from(self, rows: AbstractRows) -> Sample:
        """The same of these rows in other columns."""
        labels = self.target.labels
        centered = self.kernel(1.0).ignores_shifts(centered=True)  # as Gamma of a sample always is
        how = {"centered": centered, "keep_columns": self.keep_columns}
        return sample_of(rows, self.gamma, self.index, labels, **how)

    @cached_property
    def index(self) -> Array:
        """The numbers of those rows."""
        if self._given is not None:
            return self._given[0].index
        most = _FITTED + _JUDGED if self.is_fresh else self.most_rows or MOST_ROWS
        index = draw_index(self.rows.n_samples, most, self.rng, self.target.labels)
        v = self.gamma.row_weights
        return index if v is None else index[v[index] > 0.0]

    @cached_property
    def splits(self) -> list[Split]:
        """Rows of the sample to fit on and to hold out."""
        if self._given is not None:
            return self._given[1]
        n, every = self.index.size, self.target.labels
        labels = None if every is None else every[self.index]
        if self.is_fresh:
            return [shares(n, _FITTED / (_FITTED + _JUDGED), self.rng, labels)]
        return make_splits(
            self.cv, n, self.rng, labels, n_rows=self.rows.n_samples, groups=self.sample_groups
        )

    @cached_property
    def seed(self) -> int:
        """Of random starts."""
        return int(self.rng.integers(2**31))

    @property
    def sample_groups(self) -> Array | None:
        """Of the rows of the sample."""
        return None if self.groups is None else self.groups[self.index]

    @cached_property
    def _given(self) -> Drawn | None:
        return None if self.drawn is None else self.drawn()

    def in_columns(self, basis: Basis, splits: list[Split]) -> SupervisedData:
        """Of some columns alone, with the same rows drawn and splits of them."""
        rows = basis.lower(self.rows)
        seen = self.sample_from(rows), splits
        return replace(self, rows=rows, drawn=lambda: seen)

    def drawn_in(self, metric: str, basis: Basis) -> Drawn:
        """A sample with columns chosen, in a metric; every split has that of the rows it sees."""
        assert self._given is not None
        sample, splits = self._given
        assert sample.views is not None
        v = sample.gamma.row_weights
        seen = [
            (sample.seen_by(k)[i], None if v is None else v[i]) for k, (i, _) in enumerate(splits)
        ]
        each = [basis_of(metric, as_rows(X), some) for X, some in seen]
        views = sample.views.then(basis, each)
        return replace(sample, X=basis.lower(sample.X), views=views), splits

    @property
    def n_features(self) -> int:
        """How many columns there are, chosen or not."""
        views = None if self._given is None else self._given[0].views
        return self.rows.n_features if views is None else views.X.shape[1]

    @property
    def largest_q(self) -> int:
        """Columns that vary, or what the rows of the sample span."""
        return self.sample.X.shape[1]

    def kernels(
        self, q: int, scales: Sequence[float] = SCALES, metric: str = IDENTITY
    ) -> list[AbstractKernel]:
        """Those to compare in q dimensions, from smooth to fine: on the :func:`bandwidth_grid`."""
        median = self._median_in(metric)
        return [self.kernel(b) for b in bandwidth_grid(median, q, self.largest_q, scales)]


@dataclass(frozen=True)
class SupervisedProblem:
    """What is to be solved on the data.

    ``q`` is None where a rule is to choose it; ``init`` is ``"auto"``, the name of a start or an
    array (n_features, q); ``settings`` are those of the solver.
    """

    data: SupervisedData
    q: int | None
    init: str | FloatArray
    settings: Settings

    def at(self, q: int) -> SupervisedProblem:
        """The same in q dimensions, with a checkpoint of its own."""
        return replace(self, q=q, settings=self.settings.for_part(f"q{q}"))

    def of_dependence(self) -> SupervisedProblem:
        """The same where HSIC is all that is looked for."""
        return replace(self, data=replace(self.data, objectives=(DEPENDENCE,)))

    def in_round(self, number: int) -> SupervisedProblem:
        """The same with a checkpoint of its own, for a rule that fits again and again."""
        return replace(self, settings=self.settings.for_part(f"r{number}"))

    def in_metric(
        self, metric: str, weights: FloatArray | None = None
    ) -> tuple[SupervisedProblem, Basis]:
        """The same in the coordinates of a metric, or of weights of the columns, and these."""
        if weights is not None:
            basis = basis_of_weights(weights)  # found on all rows: none is held out from here on
            return self.in_basis(basis, metrics=(IDENTITY,), drawn=None), basis
        basis = basis_of(metric, self.data.rows, self.data.gamma.row_weights)
        data = self.data
        drawn = None if data.drawn is None else partial(data.drawn_in, metric, basis)
        return self.in_basis(basis, metrics=(IDENTITY,), drawn=drawn), basis

    def in_basis(self, basis: Basis, **changes: Any) -> SupervisedProblem:
        """The same in other coordinates, with changes of the data."""
        if basis.is_identity:
            return self
        data = replace(self.data, rows=basis.lower(self.data.rows), **changes)

        def lowered(init: str | FloatArray) -> str | FloatArray:
            return init if isinstance(init, str) else basis.coordinates(init)

        settings = replace(self.settings, init=lowered(self.settings.init))
        return replace(self, data=data, init=lowered(self.init), settings=settings)

    def starting_from(self, W: FloatArray, *, in_earnest: bool = True) -> SupervisedProblem:
        """The same in the dimensions of W, from there: an answer on some of the rows.

        Unless ``in_earnest`` no further than compared fits go: noise is not worth more digits.
        """
        tol = self.settings.tol if in_earnest else max(self.settings.tol, _TOL_OF_NOISE)
        settings = replace(self.settings, init=W, n_init=1, tol=tol, is_near=True)
        return replace(self, q=W.shape[1], settings=settings)

    def fit_with(self, kernel: AbstractKernel) -> Fitted:
        """The fit with one kernel."""
        assert self.q is not None
        data = self.data
        return Fitted(minimise(data.rows, data.gamma, kernel, self.q, self.settings), kernel)


class AbstractRule(ABC):
    """A way to a kernel, to a dimension, or to both. A subclass is final.

    The least is :meth:`kernel`: with no more than that, the fit is the one with this kernel.
    """

    holds_rows_out = False

    @abstractmethod
    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """The kernel to begin with, whatever the dimension."""

    def kernels(
        self, problem: SupervisedProblem, q: int, metric: str = IDENTITY
    ) -> list[AbstractKernel]:
        """Those worth comparing in q dimensions on rows held out, from smooth to fine."""
        return [self.kernel(problem)]

    def metrics(self, problem: SupervisedProblem) -> tuple[str, ...]:
        """Those worth comparing: a kernel that is given is that of the columns as they are."""
        return (IDENTITY,)

    def objectives(self, problem: SupervisedProblem) -> tuple[str, ...]:
        """Those worth comparing: who gives a kernel asks for dependence."""
        return (DEPENDENCE,)

    def fit(self, problem: SupervisedProblem) -> Fitted:
        """Choose what is open, and fit."""
        return problem.fit_with(self.kernel(problem))

    def fit_in_metric(self, problem: SupervisedProblem) -> Fitted:
        """The same in the first of the metrics that may be."""
        metric = problem.data.metrics[0]
        if metric == RELEVANCE:
            return self._fit_weighed(problem)
        there, basis = problem.in_metric(metric)
        with shown_by(basis.lift):
            return self.fit(there)._replace(metric=metric, basis=basis)

    def _fit_weighed(self, problem: SupervisedProblem) -> Fitted:
        """With columns weighed by their part in a first fit."""
        data, sample = replace(problem.data, metrics=(IDENTITY,)), problem.data.sample
        first = self.fit(replace(problem, data=data))
        if first.result.status.is_cut_short:
            return first
        s, W, _ = weighed(sample.X, sample.gamma, first.kernel, sample.lower(first.result.W))
        there, basis = problem.in_metric(RELEVANCE, s)
        begun = there.starting_from(orthonormal_basis(basis.coordinates(W)))
        with shown_by(basis.lift):
            fitted = self.polish(begun, self.kernel(begun))
        return fitted._replace(metric=RELEVANCE, basis=basis)

    def polish(self, problem: SupervisedProblem, chosen: AbstractKernel) -> Fitted:
        """The fit on all rows, from a start that was found with one of the kernels compared."""
        return problem.fit_with(chosen)
