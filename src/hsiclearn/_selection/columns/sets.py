r"""A set of k columns whose directions tell most: from moments, by fits, with exchanges at the end.

Three stages, each with rough fits of HSIC on a few columns:

*Moments* propose sets (:mod:`.moments`). *Pursuit*, at several scales from each: the k columns
outside with the largest gradient join, 2k columns are fitted, the k of largest importance stay;
while the cost falls (as subspace pursuit does for sparse regression). *Exchange*: each of the
weakest columns is given up in turn for those that the prediction error has the steepest slope in,
while the leave-one-out loss falls.

Sets are compared by that loss. The cost alone prefers a column of noise to one that has a small
part in the truth: among 95 columns of noise one fits the rows by chance. The loss of predicting
each row from the others hardly does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..._arrays import Array, FloatArray
from ..._engines import rough_engine
from ..._linalg import column_weights, deviations_of, orthonormal_basis, typical_distance
from ..._objective import Objective, PredictionLoss
from ..._solvers import rough_fit, sharpened
from ..._threads import end_if_unwanted
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel
from ..ridge import SubspaceRidge, responses
from .moments import ColumnMoments, largest
from .screening import telling_columns

_GAIN = 1e-4  # of the cost, as in all fits that are compared
_PROPOSED = 3  # sets by second moments
_POLISHED = 2  # sets that columns are exchanged in
_ROUNDS = 8
_WEAK, _TRIED = 2, 6  # columns that may go, and that may come, in a round of exchange
_LAST_ROUNDS, _LAST_TRIED = 3, 3  # the same where directions are made to predict
_BETTER = 1e-3  # of the loss
_HALF, _RIDGES, _LANDMARKS = 0.5, (1e-4, 1e-3, 1e-2), 100
_LARGE = 20  # columns: of so many, none decides

MOST_TOGETHER = 500
"""Columns of which second moments and gradients are looked at: no set has more, unless all."""


@dataclass(frozen=True, eq=False)
class ColumnSet:
    """Some columns, directions made of them, and the leave-one-out loss there."""

    columns: Array
    W: FloatArray
    loss: float

    def mask(self, n_features: int) -> Array:
        """The same as a mask."""
        found = np.zeros(n_features, dtype=bool)
        found[self.columns] = True
        return found


class _Effort(NamedTuple):
    """Sets to begin from, and rounds of each pursuit."""

    proposed: int
    rounds: int


@dataclass(frozen=True, eq=False)
class ColumnSearch:
    """Sets of columns of rows X, for q directions.

    ``kernels`` are those of the estimator, from smooth to fine; sets are found with those in the
    middle and columns exchanged with the finest. Rows of the same of the ``groups`` are left out
    together. Sets given and returned are of columns of X.
    """

    X: FloatArray
    gamma: AbstractGamma
    q: int
    kernels: Sequence[AbstractKernel]
    groups: Array | None = None

    @cached_property
    def _Y(self) -> FloatArray:
        return responses(self.gamma)

    @cached_property
    def _deviations(self) -> FloatArray:
        return deviations_of(self.X, self.gamma.row_weights)

    @cached_property
    def _known(self) -> Array:
        """The columns that are looked at."""
        return telling_columns(self.X, self.gamma, MOST_TOGETHER)

    @cached_property
    def _narrow(self) -> FloatArray:
        return np.ascontiguousarray(self.X[:, self._known])

    @cached_property
    def _moments(self) -> ColumnMoments:
        return ColumnMoments(self._narrow, self.gamma)

    @cached_property
    def _prediction(self) -> PredictionLoss:
        n = self.X.shape[0]
        some = np.sort(np.random.default_rng(0).choice(n, min(_LANDMARKS, n), replace=False))
        Y, v = self._Y, self.gamma.row_weights
        mean = Y.mean(axis=0) if v is None else v @ Y / v.sum()
        return PredictionLoss(self._narrow, Y - mean, self._narrow[some], v)

    @property
    def _to_find(self) -> Sequence[AbstractKernel]:
        """Neither the smoothest, which sees straight lines, nor the finest, which sees noise."""
        return self.kernels[1:4] or self.kernels

    @property
    def _to_judge(self) -> Sequence[AbstractKernel]:
        return self.kernels[-2:]

    def best(self, k: int, near: Sequence[ColumnSet] = ()) -> ColumnSet:
        """The set of k columns of lowest loss, ``near`` being others to begin from as well."""
        assert k <= self._known.size
        found = self._pursued(k, self._to_find, near, _Effort(_PROPOSED, _ROUNDS))
        ended = [self._exchanged(one) for one in found[:_POLISHED]]
        return self._in_place(self._sharpened(min([*ended, *found], key=_loss)))

    def quickly(self, k: int, near: Sequence[ColumnSet] = ()) -> ColumnSet:
        """Much the same, at two scales and without exchanges; a large set with less effort."""
        assert k <= self._known.size
        kernels, effort = self._to_find[-2:], _Effort(2, _ROUNDS)
        if k > _LARGE:
            kernels, effort = kernels[:1], _Effort(1, 2)
        return self._in_place(self._pursued(k, kernels, near, effort)[0])

    def _in_place(self, found: ColumnSet) -> ColumnSet:
        """From the columns that are looked at to those of X."""
        return ColumnSet(self._known[found.columns], found.W, found.loss)

    def _pursued(
        self, k: int, kernels: Sequence[AbstractKernel], near: Sequence[ColumnSet], effort: _Effort
    ) -> list[ColumnSet]:
        """The ends of all pursuits, the lowest loss first."""
        sets = [
            *self._moments.sets(self.q, k, effort.proposed),
            *(self._cut(one, k) for one in near),
        ]
        found: dict[bytes, ColumnSet] = {}
        for kernel in kernels:
            whole = Objective(self._narrow, self.gamma, kernel, rough_engine)
            for columns in sets:
                one = self._pursuit(whole, columns, effort.rounds)
                before = found.setdefault(one.columns.tobytes(), one)
                if one.loss < before.loss:
                    found[one.columns.tobytes()] = one
        return sorted(found.values(), key=_loss)

    def _cut(self, one: ColumnSet, k: int) -> Array:
        """A set of another size: its most important columns, or those and the next by moments."""
        columns = np.asarray(np.searchsorted(self._known, one.columns))
        if columns.size >= k:
            stay: Array = columns[largest(self._weights(columns, one.W), k)]
            return stay
        beside = self._moments.second[:, :, columns] @ self._moments.basis_on(columns, self.q)
        rest: FloatArray = np.square(self._moments.first).sum(axis=1)
        rest = rest + np.square(beside).sum(axis=(0, 2))
        rest[columns] = np.inf
        return largest(rest, k)

    def _weights(self, columns: Array, W: FloatArray) -> FloatArray:
        """The importance of these columns in a subspace of theirs."""
        X = self._narrow[:, columns]
        deviations = self._deviations[self._known[columns]]
        return column_weights(W, X @ W, deviations, self.gamma.row_weights)

    def _fit(
        self, kernel: AbstractKernel, columns: Array, W: FloatArray
    ) -> tuple[FloatArray, float]:
        end_if_unwanted()
        objective = Objective(self._narrow[:, columns], self.gamma, kernel, rough_engine)
        found = rough_fit(objective, orthonormal_basis(W), _GAIN)
        return found.W, found.cost

    def _judged(self, columns: Array, W: FloatArray) -> ColumnSet:
        Z, v = self._narrow[:, columns] @ W, self.gamma.row_weights
        loss = SubspaceRidge(Z, self._Y, self.groups, weights=v).best_loss
        order = np.argsort(columns)
        return ColumnSet(columns[order], W[order], loss)

    def _pursuit(self, whole: Objective, columns: Array, rounds: int) -> ColumnSet:
        """While the cost falls: let the k columns of steepest gradient join, and keep k."""
        kernel, k = whole.kernel, columns.size
        starts = (self._moments.basis_on, self._moments.slopes_on)
        fits = [self._fit(kernel, columns, start(columns, self.q)) for start in starts]
        W, cost = min(fits, key=lambda fit: fit[1])
        for _ in range(rounds):
            wide = self._joined(columns, self._slopes(whole, columns, W), k)
            V, _ = self._fit(kernel, wide, _placed(W, columns, wide))
            stay = largest(self._weights(wide, V), k)
            kept = wide[stay]
            if np.array_equal(kept, columns):
                break
            fit, lower = self._fit(kernel, kept, V[stay])
            if not lower < cost:
                break
            columns, W, cost = kept, fit, lower
        return self._judged(columns, W)

    def _slopes(self, whole: Objective, columns: Array, W: FloatArray) -> FloatArray:
        """How steeply the cost falls as each column joins: ``|(grad)_j|^2``."""
        _, gradient = whole.cost_and_gradient(_placed(W, columns, np.arange(whole.n_features)))
        return np.square(gradient).sum(axis=1)

    def _joined(self, columns: Array, slopes: FloatArray, count: int) -> Array:
        """These columns, and those of steepest slope outside."""
        slopes = slopes.copy()
        slopes[columns] = np.inf
        return largest(slopes, min(columns.size + count, slopes.size))

    def _exchanged(self, found: ColumnSet) -> ColumnSet:
        """While the loss falls, at a fine scale and at a finer: one column for another."""
        for kernel in self._to_judge:
            W, _ = self._fit(kernel, found.columns, found.W)
            now = self._judged(found.columns, W)
            for _ in range(_ROUNDS):
                others = self._others(kernel, now)
                best = min(others, key=_loss) if others else now
                if not best.loss < (1.0 - _BETTER) * now.loss:
                    break
                now = best
            if now.loss < found.loss:
                found = now
        return found

    def _others(self, kernel: AbstractKernel, now: ColumnSet) -> list[ColumnSet]:
        """The sets that differ in one column, of those that are weak and those that may help."""
        k, found = now.columns.size, []
        weak = np.argsort(self._weights(now.columns, now.W), kind="stable")[:_WEAK]
        for place in weak.tolist() if k > self.q else []:
            left = np.delete(now.columns, place)
            W, _ = self._fit(kernel, left, np.delete(now.W, place, axis=0))
            slopes = self._slopes_of_prediction(left, W)
            slopes[now.columns] = -1.0
            for j in np.argsort(-slopes, kind="stable")[: min(_TRIED, slopes.size - k)].tolist():
                columns = np.append(left, j)
                V, _ = self._fit(kernel, columns, np.vstack([W, np.zeros((1, self.q))]))
                found.append(self._judged(columns, V))
        return found

    def _sharpened(self, found: ColumnSet) -> ColumnSet:
        """The same once more where directions are made to predict: slower, and most exact."""
        if self.groups is not None:  # a descent predicts rows from others of their group
            return found
        now, k = self._made_to_predict(found.columns, found.W), found.columns.size
        for _ in range(_LAST_ROUNDS if k > self.q else 0):
            others = []
            weak = np.argsort(self._weights(now.columns, now.W), kind="stable")[:_WEAK]
            for place in weak.tolist():
                left = self._made_to_predict(
                    np.delete(now.columns, place), np.delete(now.W, place, axis=0)
                )
                slopes = self._slopes_of_prediction(left.columns, left.W)
                slopes[now.columns] = -1.0
                tried = min(_LAST_TRIED, slopes.size - k)
                for j in np.argsort(-slopes, kind="stable")[:tried].tolist():
                    W = np.vstack([left.W, np.zeros((1, self.q))])
                    others.append(self._made_to_predict(np.append(left.columns, j), W))
            best = min(others, key=_loss) if others else now
            if not best.loss < (1.0 - _BETTER) * now.loss:
                break
            now = best
        return ColumnSet(now.columns, orthonormal_basis(now.W), found.loss)

    def _made_to_predict(self, columns: Array, W: FloatArray) -> ColumnSet:
        found = sharpened(self._narrow[:, columns], self._Y, W, weights=self.gamma.row_weights)
        order = np.argsort(columns)
        return ColumnSet(columns[order], found.A[order], found.losses[-1])

    def _slopes_of_prediction(self, columns: Array, W: FloatArray) -> FloatArray:
        """The same of the error of predicting each row from the others."""
        Z, v = self._narrow[:, columns] @ W, self.gamma.row_weights
        scale = _HALF * typical_distance(Z, np.random.default_rng(0), v)
        A = _placed(W, columns, np.arange(self._known.size)) / (scale if scale > 0.0 else 1.0)
        at = min((self._prediction.at(A, ridge) for ridge in _RIDGES), key=lambda one: one.loss)
        return np.square(at.gradient).sum(axis=1)


_loss: Callable[[ColumnSet], float] = lambda one: one.loss  # noqa: E731


def _placed(W: FloatArray, columns: Array, among: Array) -> FloatArray:
    """Directions of some columns as directions of more; both ascending or ``among`` all."""
    found = np.zeros((among.size, W.shape[1]))
    found[np.searchsorted(among, columns)] = W
    return found
