"""From ``n_components``, ``kernel``, ``bandwidth`` and ``init`` to a fit: the rules put to work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from .._arrays import Array, FloatArray
from .._objective import Objective
from .._paradigms import Target
from .._progress import tell
from .._result import Result
from .._rows import AbstractRows
from .._selection import (
    ARRAY,
    STARTS,
    AbstractSearch,
    Candidate,
    FreshSearch,
    Neighbours,
    Sample,
    Search,
    Selection,
    bandwidth_grid,
    draw_sample,
    eigengap_dimension,
    make_splits,
    median_distance,
    neighbours_held_out,
    positions_held_out,
    projected_median,
    shares,
)
from .._solvers import Settings, minimise
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, kernel_from_name

__all__ = ["FEWEST_ROWS", "Fitted", "Rules"]

FEWEST_ROWS = 10  # with fewer there is nothing to hold out
_MOST_ROWS = 1000  # a rule looks at; the chosen fit is then polished on all rows
_PLENTY = 20_000  # rows from which on none has to serve twice
_FITTED, _JUDGED = 600, 1000  # of them
_LARGEST_Q = 10


class Fitted(NamedTuple):
    """A fit, the kernel it was made with, and how that was chosen."""

    result: Result
    kernel: AbstractKernel
    selection: Selection | None = None


@dataclass(frozen=True)
class Rules:
    """The problem, and what is to be chosen about it.

    ``kernel`` is a name where the bandwidth is to be found by the rule ``bandwidth``, else the
    kernel to use; ``n_components`` a number or a rule. ``init`` is ``"auto"``, the name of a start
    or an array (n_features, q). Rows of the same group are held out together.
    """

    X: AbstractRows
    target: Target
    gamma: AbstractGamma
    kernel: str | AbstractKernel
    bandwidth: str
    n_components: int | str
    init: str | FloatArray
    cv: Any
    settings: Settings
    rng: np.random.Generator
    groups: Array | None = None

    def fit(self) -> Fitted:
        """By the rules asked for."""
        if self.n_components == "auto":
            largest = min(self._sample.X.shape[1], _LARGEST_Q)
            return self._fit_chosen(*self._search.best_dimension(largest))
        if self.n_components == "eigengap":
            return self._fit_at_eigengap()
        return self._fit_in(int(self.n_components), self.settings)

    def _fit_in(self, q: int, settings: Settings) -> Fitted:
        """In q dimensions."""
        if not isinstance(self.kernel, str):
            return Fitted(self._minimise(self.kernel, q, settings), self.kernel)
        if self.bandwidth == "auto" and self._can_search(q):
            return self._fit_chosen(*self._search.best(q), settings)
        if self.bandwidth == "median-projected":
            return self._fit_projected(q, settings)
        kernel = kernel_from_name(self.kernel, self._median)
        return Fitted(self._minimise(kernel, q, settings), kernel)

    def _can_search(self, q: int) -> bool:
        """Whether there are rows to hold out, and they span as many dimensions."""
        return self.X.n_samples >= FEWEST_ROWS and q <= self._sample.X.shape[1]

    def _minimise(
        self, kernel: AbstractKernel, q: int, settings: Settings, W: FloatArray | None = None
    ) -> Result:
        """The fit with one kernel; from W, or else from where ``init`` says."""
        if W is not None:
            settings = replace(settings, init=W, n_init=1)
        return minimise(self.X, self.gamma, kernel, q, settings)

    def _fit_chosen(
        self, chosen: Candidate, candidates: Sequence[Candidate], settings: Settings | None = None
    ) -> Fitted:
        """Polish what the search settled on, on all rows."""
        assert chosen.W is not None
        held_out = [self._sample.X @ W for W in chosen.W_without]
        selection = Selection.of(
            chosen,
            candidates,
            self._sample.n_samples,
            self._neighbours(held_out),
            n_features=self.X.n_features,
            n_rows=self.X.n_samples,
        )
        settings, q = settings or self.settings, chosen.n_components
        tell(selection.in_words())
        W = self._sample.lift(chosen.W)
        if isinstance(self.kernel, str) and self.bandwidth == "median-projected":
            fitted = self._fit_projected(q, settings, W)
        else:
            result = self._minimise(chosen.kernel, q, settings, W)
            fitted = Fitted(replace(result, start=chosen.start), chosen.kernel)
        final = self.X.subset(self._sample.index) @ fitted.result.W
        positions = positions_held_out(held_out, final, self._search.splits, self._sample.index)
        return fitted._replace(selection=replace(selection, out_of_fold=positions))

    def _neighbours(self, held_out: Sequence[FloatArray]) -> Neighbours | None:
        """What neighbours know of rows held out; a kernel of y alone has no values to compare."""
        target, sample = self.target, self._sample
        if target.values is None:
            return None
        y = target.values[sample.index]
        splits, groups = self._search.splits, self._groups
        return neighbours_held_out(sample.X, held_out, y, target.kind, splits, groups)

    def _fit_projected(self, q: int, settings: Settings, first: FloatArray | None = None) -> Fitted:
        name, rounds = str(self.kernel), count()

        def fit(bandwidth: float, W: FloatArray | None) -> Result:
            start = first if W is None else W
            kernel = kernel_from_name(name, bandwidth)
            return self._minimise(kernel, q, settings.for_round(next(rounds)), start)

        bandwidth, result = projected_median(self.X, self._median, fit, self.rng)
        return Fitted(result, kernel_from_name(name, bandwidth))

    def _fit_at_eigengap(self) -> Fitted:
        fits: dict[int, Fitted] = {}

        def fit(q: int) -> Result:
            fits[q] = self._fit_in(q, self.settings.for_dimension(q))
            return fits[q].result

        # Of Phi(0) the bandwidth is a factor, which moves no gap.
        kernel = self.kernel
        kernel = kernel_from_name(kernel, self._median) if isinstance(kernel, str) else kernel
        at_zero = Objective(self.X, self.gamma, kernel, self.settings.engine).matrix_at_zero
        d = self.X.n_features
        result = eigengap_dimension(at_zero.lowest(min(d, 21)).values, d, fit)
        return fits[result.W.shape[1]]

    @cached_property
    def _median(self) -> float:
        return median_distance(self.X, self.rng)

    @property
    def _has_plenty(self) -> bool:
        """Whether fresh rows can be held out; who passes a splitter or groups wants those."""
        is_count = isinstance(self.cv, Integral) and self.groups is None
        return self.X.n_samples >= _PLENTY and is_count

    @cached_property
    def _sample(self) -> Sample:
        most = _FITTED + _JUDGED if self._has_plenty else _MOST_ROWS
        labels = self.target.labels
        kernel = kernel_from_name(self.kernel) if isinstance(self.kernel, str) else self.kernel
        centered = kernel.ignores_shifts(centered=True)  # as the Gamma of a sample always is
        return draw_sample(self.X, self.gamma, most, self.rng, labels, centered=centered)

    @cached_property
    def _groups(self) -> Array | None:
        """Of the rows of the sample."""
        return None if self.groups is None else self.groups[self._sample.index]

    @cached_property
    def _search(self) -> AbstractSearch:
        sample = self._sample
        starts = [f"random {i}" for i in range(1, self.settings.n_init)]
        if isinstance(self.init, str):
            starts = [*(STARTS if self.init == "auto" else (self.init,)), *starts]
            init = None
        else:
            starts, init = [ARRAY, *starts], sample.lower(self.init)
        if self._has_plenty:
            split = shares(sample.n_samples, _FITTED / (_FITTED + _JUDGED), self.rng, sample.labels)
            return FreshSearch(sample, self._kernels, split, starts, init, self._seed())
        splits = make_splits(
            self.cv,
            sample.n_samples,
            self.rng,
            sample.labels,
            n_rows=self.X.n_samples,
            groups=self._groups,
        )
        return Search(sample, self._kernels, splits, starts, init, self._seed(), self._groups)

    def _seed(self) -> int:
        return int(self.rng.integers(2**31))

    def _kernels(self, q: int) -> list[AbstractKernel]:
        """The kernels to try in q dimensions, from smooth to fine."""
        if not isinstance(self.kernel, str):
            return [self.kernel]
        name, median = self.kernel, self._median
        if self.bandwidth != "auto":
            return [kernel_from_name(name, median)]
        d = min(self.X.n_features, self._sample.X.shape[1])  # the rows span no more
        return [kernel_from_name(name, b) for b in bandwidth_grid(median, q, d)]
