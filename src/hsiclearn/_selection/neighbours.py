"""How well nearest neighbours know the target of rows held out: a figure people know.

The share explained is measured in the feature space of y, where little is a lot: a plane in which
15 neighbours reach ``R^2 = 0.49`` may explain 14 % there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import in_units_near_one
from .._paradigms import one_hot
from .sample import Split

ACCURACY, R_SQUARED = "accuracy", "R^2"
_MOST = 15
_ROWS_PER_NEIGHBOUR = 5  # with fewer rows than 75, neighbours would be a large part of all


@dataclass(frozen=True)
class Neighbours:
    """What the nearest neighbours among the rows fitted on say about the rows held out.

    Attributes
    ----------
    n_neighbors : int
        15, or a fifth of the rows fitted on where that is less, at least 1.
    measure : str
        ``"accuracy"``: the share of rows whose class a vote gets right (of several labels, the
        mean over them). ``"R^2"``: the share of the variance of y that the mean of the neighbours
        explains (of several columns, the mean over them).
    in_subspace : float
        With neighbours in the subspace chosen, W fitted without the rows held out.
    on_all_columns : float
        With neighbours in the space of all columns, on the same splits.
    chance : float
        Without neighbours: always the most frequent class, or the mean (0).
    n_held_out : int
        Rows that were held out, each counted once; where groups were told, groups, since rows of
        the same one are no more evidence than one of them. 0 where that is not on record.
    """

    n_neighbors: int
    measure: str
    in_subspace: float
    on_all_columns: float
    chance: float
    n_held_out: int = 0

    def errors_above_chance(self, n: int) -> float:
        """By how many standard errors the subspace beats chance, c, with n rows held out.

        ``sqrt(c (1 - c) / n)`` of an accuracy; of R^2 ``1 / (2 sqrt(n))``, its deviation for 15
        neighbours of a y that depends on nothing.
        """
        c = self.chance
        error = np.sqrt(c * (1.0 - c) / n) if self.measure == ACCURACY else 0.5 / np.sqrt(n)
        return float((self.in_subspace - c) / max(error, 1e-12))

    def in_words(self, n_components: int = 0, n_features: int = 0) -> str:
        """What they reach on rows held out: in the subspace, on all columns, by chance."""
        several = f"these {n_components} directions" if n_components else "the subspace"
        subspace = "this direction" if n_components == 1 else several
        columns = f"all {n_features:,} columns" if n_features else "all columns"
        words = (
            f"{self.measure} {figure(self.in_subspace)} in {subspace}, "
            f"{figure(self.on_all_columns)} on {columns}"
        )
        if self.measure == ACCURACY:
            words += f", {figure(self.chance)} by chance"
        return f"{self.n_neighbors}-NN {words}"

    @property
    def headline(self) -> str:
        """The figure people know best, beside that of chance."""
        by_chance = f", by chance {figure(self.chance)}" if self.measure == ACCURACY else ""
        return f"{self.measure} {figure(self.in_subspace)}{by_chance}"


def figure(value: float) -> str:
    """To a hundredth, without a minus before zero."""
    return f"{value:.2f}".replace("-0.00", "0.00")


def neighbours_held_out(
    X: FloatArray,
    Z: Sequence[FloatArray],
    y: Array,
    target: str,
    splits: Sequence[Split],
    groups: Array | None = None,
    weights: FloatArray | None = None,
) -> Neighbours:
    """Judge the neighbours of all splits together.

    ``Z`` has for each split all rows, projected by a W that was found without those it holds out;
    ``y`` is the ``target`` as :class:`Target` has its values. Rows of a group are counted once.
    A neighbour has as many votes, and a row held out counts as often, as its weight says.
    """
    Y = one_hot(y, int(y.max()) + 1) if target == "classes" else np.asarray(y, dtype=np.float64)
    name, measure = _MEASURES[target]
    k = min(_MOST, max(1, min(len(train) for train, _ in splits) // _ROWS_PER_NEIGHBOUR))
    truth = np.concatenate([Y[test] for _, test in splits])
    v = None if weights is None else np.concatenate([weights[test] for _, test in splits])

    def mean_of(chosen: Array) -> FloatArray:
        """By weight, along the last axis."""
        return np.asarray(
            Y[chosen].mean(axis=-2)
            if weights is None
            else np.einsum("...k,...kr->...r", weights[chosen], Y[chosen])
            / weights[chosen].sum(axis=-1)[..., None]
        )

    def judged(spaces: Sequence[FloatArray]) -> float:
        pairs = zip(spaces, splits, strict=True)
        means = [mean_of(train[_nearest(S[train], S[test], k)]) for S, (train, test) in pairs]
        return measure(np.concatenate(means), truth, v)

    known = [np.broadcast_to(mean_of(train), Y[test].shape) for train, test in splits]
    chance = 0.0 if name == R_SQUARED else measure(np.concatenate(known), truth, v)
    rows = np.concatenate([test for _, test in splits])
    n_held_out = np.unique(rows if groups is None else groups[rows]).size
    return Neighbours(k, name, judged(Z), judged([X] * len(splits)), chance, n_held_out)


def _nearest(known: FloatArray, new: FloatArray, k: int) -> Array:
    """The k rows of ``known`` nearest to each new one, in no order.

    ``|a - b|^2 = |a|^2 - 2 a.b + |b|^2``, of which ``|b|^2`` moves no order; seen from the mean, so
    that the digits are those of the differences.
    """
    mean = known.mean(axis=0)
    known, new = known - mean, new - mean
    distances = np.einsum("ij,ij->i", known, known) - 2.0 * (new @ known.T)
    return np.argpartition(distances, k - 1, axis=1)[:, :k]


_Weights = FloatArray | None


def _accuracy(votes: FloatArray, truth: FloatArray, weights: _Weights) -> float:
    """Of the class with most votes, of equals the first."""
    return float(np.average(votes.argmax(axis=1) == truth.argmax(axis=1), weights=weights))


def _label_accuracy(votes: FloatArray, truth: FloatArray, weights: _Weights) -> float:
    right = (votes > 0.5) == (truth > 0.5)
    return float(
        np.mean(np.average(right, axis=0, weights=weights) if weights is not None else right)
    )


def _r_squared(mean: FloatArray, truth: FloatArray, weights: _Weights) -> float:
    """``1 - sum (y - mean)^2 / sum (y - ybar)^2``, the mean over the columns that vary."""
    both = in_units_near_one(np.stack([truth, mean]).reshape(-1, truth.shape[1]))
    truth, mean = np.split(both, 2)  # now with squares that neither overflow nor vanish
    v = np.ones(truth.shape[0]) if weights is None else weights
    apart = truth - (truth.mean(axis=0) if weights is None else v @ truth / v.sum())
    total = (v[:, None] * np.square(apart)).sum(axis=0)
    missed = (v[:, None] * np.square(truth - mean)).sum(axis=0)
    varies = total > 0.0
    return float(np.mean(1.0 - missed[varies] / total[varies])) if varies.any() else 0.0


_MEASURES: dict[str, tuple[str, Callable[[FloatArray, FloatArray, _Weights], float]]] = {
    "classes": (ACCURACY, _accuracy),
    "multilabel": (ACCURACY, _label_accuracy),
    "real": (R_SQUARED, _r_squared),
}
