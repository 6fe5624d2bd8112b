"""Bandwidth, start and dimension by what a subspace tells about rows held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from ..._arrays import FloatArray
from ..._engines import rough_engine
from ..._linalg import orthonormal_basis
from ..._objective import Objective
from ..._progress import shown_by, tell
from ..._rows import as_rows
from ..._solvers import rough_fit
from ...kernels import AbstractKernel
from ..candidates import ARRAY, DEPENDENCE, GRADIENTS, PREDICTION, STARTS, Candidate
from ..metric import IDENTITY, RELEVANCE
from ..neighbours import Neighbours, neighbours_held_out
from ..predictive import predictive_fit
from ..problem import FEWEST_ROWS, AbstractRule, Fitted, SupervisedData, SupervisedProblem
from ..ridge import error_of_sum
from ..sample import Sample
from ..search import Search
from ..selection import Selection, positions_held_out
from .median import Median

_LARGEST_Q = 10
_GAIN, _MAX_ITER = 1e-5, 300
_TOO_FAR = 2.0  # standard errors of a loss


@final
@dataclass(frozen=True)
class HeldOut(AbstractRule):
    """Compare fits on some rows by :class:`Search`, and polish the best one on all.

    Of the bandwidth: five scales, from smooth to fine. Of the dimension: that of lowest loss, with
    the kernels of the ``bandwidth`` rule to compare in each.
    """

    bandwidth: AbstractRule | None = None
    holds_rows_out = True

    def kernel(self, problem: SupervisedProblem) -> AbstractKernel:
        """At the median."""
        return (self.bandwidth or Median()).kernel(problem)

    def kernels(
        self, problem: SupervisedProblem, q: int, metric: str = IDENTITY
    ) -> list[AbstractKernel]:
        """Those of the bandwidth rule, or the grid."""
        if self.bandwidth is not None:
            return self.bandwidth.kernels(problem, q, metric)
        return problem.data.kernels(q, metric=metric)

    def metrics(self, problem: SupervisedProblem) -> tuple[str, ...]:
        """All that may be chosen between, where the grid can be laid in each."""
        if self.bandwidth is not None and problem.data.metrics != (RELEVANCE,):
            return self.bandwidth.metrics(problem)
        return problem.data.metrics

    def objectives(self, problem: SupervisedProblem) -> tuple[str, ...]:
        """All that may be chosen between, where the bandwidth is open as well."""
        if self.bandwidth is not None:
            return self.bandwidth.objectives(problem)
        return problem.data.objectives

    def fit(self, problem: SupervisedProblem) -> Fitted:
        """By what rows held out say; by the median where none can be."""
        data = problem.data
        if not _can_hold_out(data, problem.q):
            return (self.bandwidth or Median()).fit_in_metric(problem)
        chosen, candidates = self._searched(problem)
        predicting = _made_to_predict(problem, chosen)
        if predicting is not None and chosen.instead is not None:
            loss = predicting.result.cost
            if _falls_short(loss, chosen) and loss > chosen.instead.held_out:
                remark = "all rows are predicted worse than rows held out were: HSIC instead"
                tell(remark, is_remark=True)
                chosen, predicting = chosen.instead, None
        sample, rows = data.sample, data.rows
        held_out = [sample.seen_by(k) @ W for k, W in enumerate(chosen.W_without)]
        selection = Selection.of(
            chosen,
            candidates,
            sample.n_samples,
            neighbours=_neighbours(data, held_out),
            n_features=data.n_features,
            n_rows=rows.n_samples,
        )
        tell(selection.in_words(), is_remark=True)
        fitted = predicting or self._polished(
            problem, chosen, in_earnest=selection.found_dependence
        )
        final = rows.subset(sample.index) @ fitted.basis.lift(fitted.result.W)
        positions = positions_held_out(held_out, final, data.splits, sample.index)
        return fitted._replace(selection=replace(selection, out_of_fold=positions))

    def _polished(
        self, problem: SupervisedProblem, chosen: Candidate, *, in_earnest: bool
    ) -> Fitted:
        """The fit of HSIC on all rows, of what was chosen on some."""
        sample = problem.data.sample
        there, basis = problem.in_metric(chosen.metric, chosen.weights)
        W = basis.coordinates(sample.lift(_settled(chosen, sample)))
        start = there.starting_from(W, in_earnest=in_earnest)
        with shown_by(basis.lift):
            fitted = (self.bandwidth or self).polish(start, chosen.kernel)
        result = replace(fitted.result, start=chosen.start)
        return fitted._replace(result=result, metric=chosen.metric, basis=basis)

    def _searched(self, problem: SupervisedProblem) -> tuple[Candidate, list[Candidate]]:
        """The best candidate, and all that were looked at."""
        data = problem.data
        starts, init = _starts(problem)
        search = Search(
            data.sample,
            partial(self.kernels, problem),
            data.splits,
            starts,
            init,
            data.seed,
            data.sample_groups,
            self.metrics(problem),
            self.objectives(problem),
            is_fresh=data.is_fresh,
            max_iter=problem.settings.max_iter,
        )
        if problem.q is not None:
            return search.best(problem.q)
        return search.best_dimension(min(data.largest_q, _LARGEST_Q))


def _made_to_predict(problem: SupervisedProblem, chosen: Candidate) -> Fitted | None:
    """The descent of the prediction error on all rows, where it is what was chosen.

    Gradients are made anew of all rows. Where these lead elsewhere, from HSIC after all.
    """
    if chosen.objective != PREDICTION:
        return None
    assert chosen.W is not None
    W, settings = problem.data.sample.lift(chosen.W), problem.settings
    most, callback = settings.max_iter, settings.callback
    found = predictive_fit(problem.data, W, chosen.start, chosen.basis_on, most, callback)
    if chosen.start == GRADIENTS and _falls_short(found.result.cost, chosen):
        other = predictive_fit(problem.data, W, DEPENDENCE, chosen.basis_on, most, callback)
        found = min(found, other, key=lambda fitted: fitted.result.cost)
    return found


def _falls_short(loss: float, chosen: Candidate) -> bool:
    """Whether rows that a descent has seen are predicted worse than rows held out were.

    Where it begins is made of all rows then, weights of columns as well, which may lead elsewhere.
    """
    assert chosen.losses is not None
    return loss > chosen.held_out + _TOO_FAR * float(error_of_sum(chosen.losses))


def _settled(chosen: Candidate, sample: Sample) -> FloatArray:
    """The subspace chosen, on all rows looked at and to more digits: steps are cheap there."""
    assert chosen.W is not None
    basis = chosen.basis_on(as_rows(sample.X), sample.gamma.row_weights)
    objective = Objective(basis.lower(sample.X), sample.gamma, chosen.kernel, rough_engine)
    V = orthonormal_basis(basis.coordinates(chosen.W))
    return basis.lift(rough_fit(objective, V, _GAIN, _MAX_ITER).W)


def _can_hold_out(data: SupervisedData, q: int | None) -> bool:
    """Whether there are rows enough, and they span as many dimensions."""
    has_rows = data.rows.n_samples >= FEWEST_ROWS
    if q is None and not has_rows:
        raise ValueError(
            f"n_components='auto' holds rows out and needs at least {FEWEST_ROWS}. Got "
            f"{data.rows.n_samples} rows: pass a number, or 'eigengap'."
        )
    return has_rows and (q is None or q <= data.largest_q)


def _starts(problem: SupervisedProblem) -> tuple[list[str], FloatArray | None]:
    """Names of the starts to compare, and the array among them."""
    init, random = problem.init, [f"random {i}" for i in range(1, problem.settings.n_init)]
    if not isinstance(init, str):
        return [ARRAY, *random], problem.data.sample.lower(init)
    return [*(STARTS if init == "auto" else (init,)), *random], None


def _neighbours(data: SupervisedData, held_out: Sequence[FloatArray]) -> Neighbours | None:
    """What neighbours know of rows held out; a kernel of y alone has no values to compare."""
    target, sample = data.target, data.sample
    if target.values is None:
        return None
    y, X = target.values[sample.index], sample.all_columns
    known = data.sample_groups, sample.gamma.row_weights
    return neighbours_held_out(X, held_out, y, target.kind, data.splits, *known)
