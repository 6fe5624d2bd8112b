"""What is known beside X: ``Gamma = H K_Y H`` of a target, and guidance of a clustering."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from operator import add
from typing import Any

import numpy as np

from .._advice import Advice
from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, View, fold, mapped
from .._counts import Counts
from .._linalg import in_units_near_one, pivoted_cholesky, typical_distance
from .._objective import Guidance
from .._weights import total_weight
from ..exceptions import DegenerateDataError, DependenceWarning
from ..gamma import (
    AbstractGamma,
    ClassTable,
    Dense,
    GaussianColumn,
    GaussianColumns,
    LowRank,
    Weighted,
)
from ..kernels import Gaussian
from .labels import ClassLabels
from .targets import Target, extremes, values_of

_CELLS_FROM = 3000  # rows; with fewer a factor has not many more columns than a cell has nodes
_MOST_SLOTS = 2500  # a table of 50 MB; rows that are nearly all far from each other have more
_COMPONENTS_FROM = 5000  # rows; with fewer all pairs are visited, and no sum is over components
_LEFT_OUT = 1e-5  # of K_Y between rows; of Phi that is a tenth, measured
_NODES = 5  # of a cell: an error of K_Y of 6e-8 at most
_FEWER_NODES = 4  # 3e-6, of which sums over many rows keep a tenth; solvers refine it
_FEWER_FROM = 50_000  # rows
_LIGHT = (1e-6, 1e-5, 1e-4)  # shares of pairs in tails: Phi is as exact as that, about
_MAX_RANK = 1000  # of K_Y for real targets
_HEAD = 1001  # rows, evenly spaced, that tell the middle of y
_RANK_OF_SCORES = 50


def supervised_gamma(
    target: Target, rng: np.random.Generator | None = None, weights: Column | None = None
) -> AbstractGamma:
    """``H K_Y H`` for any kind of target; :class:`Weighted` where rows have weights.

    ============= =========================================== ==================
    target        K_Y                                         structure
    ============= =========================================== ==================
    classes       YY', Y one-hot, columns weighted on request :class:`ClassTable`
    real          Gaussian at the median distance of y        :class:`LowRank`; of many rows
                                                              :class:`GaussianColumn` or, of
                                                              several, :class:`GaussianColumns`
    multilabel    YY'                                         :class:`LowRank`
    precomputed   y itself                                    :class:`Dense`
    ============= =========================================== ==================

    Several real columns are standardised first, so that a unit of measurement does not decide
    which of them counts. With weights H centres by these, means, deviations and median distances
    are those of the table with repeated rows, and Gamma is ``diag(v) H K_Y H' diag(v)``.
    """
    rng = rng or np.random.default_rng(0)
    if weights is None:
        return _of_single_rows(target, rng, None)
    if isinstance(weights, AbstractColumn) and _is_few(target):
        weights = weights[np.arange(len(weights))]
    return Weighted(_of_single_rows(target, rng, weights), weights)


def _is_few(target: Target) -> bool:
    """Whether a real target is made a matrix of few columns here."""
    Y = target.values
    if target.kind != "real" or Y is None:
        return False
    return len(Y) <= (_COMPONENTS_FROM if Y.shape[1] > 1 else _CELLS_FROM)


def _of_single_rows(
    target: Target, rng: np.random.Generator, weights: Column | None
) -> AbstractGamma:
    """``H K_Y H``, H with weights or without."""
    if target.kernel is not None:
        return Dense.centered(target.kernel, weights)
    Y = target.values
    assert Y is not None
    if target.kind == "classes":
        return ClassTable.centered(Y, target.weights, weights)
    if target.kind == "multilabel":
        return LowRank.centered(Y, weights)
    n, several, is_few = len(Y), Y.shape[1] > 1, _is_few(target)
    if is_few and isinstance(Y, AbstractColumn):
        Y = Y[np.arange(n)]
    Y = _standardised(Y, weights) if several else in_units_near_one(Y)
    if is_few:
        return _pivots(Y, rng, weights)
    found = _components(Y, rng, weights) if several else _cells(Y, rng, weights)
    if found is None and isinstance(Y, AbstractColumn):
        found = _components(Y, rng, weights)
    return found or _pivots(Y, rng, weights)


def _cells(Y: Column, rng: np.random.Generator, weights: Column | None) -> AbstractGamma | None:
    """Of one column; None where rows are nearly all far from each other."""
    n = len(Y)
    middle = float(np.median(Y[np.linspace(0, n - 1, _HEAD).astype(np.intp)]))
    y = mapped(Y, lambda part: part[:, 0] - middle)  # far from 0 places would be lost in rounding
    width = typical_distance(Y, rng, weights)
    n_nodes = _FEWER_NODES if n >= _FEWER_FROM else _NODES
    for light in _LIGHT if n >= _FEWER_FROM else (0.0, *_LIGHT):
        column = GaussianColumn(y, width, n_nodes=n_nodes, light=light, weights=weights)
        if column.n_slots <= _MOST_SLOTS:
            return column
    return None


def _components(
    Y: Column, rng: np.random.Generator, weights: Column | None
) -> AbstractGamma | None:
    """None where too many would be needed; of columns that are elsewhere those there may be."""
    width = typical_distance(Y, rng, weights)
    columns = GaussianColumns(Y, width, rtol=_LEFT_OUT, max_rank=_MAX_RANK, weights=weights)
    if not columns.is_short:
        return columns
    if not isinstance(Y, AbstractColumn):
        return None
    _warn_of_rank(f"more than {_LEFT_OUT:.0e}")
    return columns


def _pivots(Y: Column, rng: np.random.Generator, weights: Column | None) -> AbstractGamma:
    """Of columns in memory, as many as it takes."""
    L, missing = _gaussian_factor(Y, rng, _MAX_RANK, weights)
    if missing > 1e-6:
        _warn_of_rank(f"{missing:.1e}")
    return LowRank.centered(L, weights)


def _warn_of_rank(missing: str) -> None:
    warnings.warn(
        Advice(
            f"The kernel of y has more structure than rank {_MAX_RANK} holds: {missing} "
            "of its trace is left out.",
            "Fewer output columns, or target='precomputed', keep it all.",
            "Fewer output columns keep it all.",
        ),
        DependenceWarning,
        stacklevel=6,
    )


def away_from(
    labellings: Sequence[ClassLabels], weight: float, counts: Counts | None = None
) -> tuple[Guidance, ...]:
    """``Psi = H Yhat Yhat' H`` for each labelling."""
    return tuple(Guidance(labels.centered_one_hot(counts), weight) for labels in labellings)


def follow_labels(
    partial: ClassLabels, weight: float, counts: Counts | None = None
) -> tuple[Guidance, ...]:
    """One-hot labels, centred over the rows that have one; nothing where all are alike."""
    if partial.classes.size < 2:
        return ()
    return (Guidance(partial.centered_one_hot(counts), weight, follow=True),)


def follow_scores(
    y: Any,
    n_samples: int,
    weight: float,
    rng: np.random.Generator,
    row_weights: Column | None = None,
) -> tuple[Guidance, ...]:
    """Standardised scores, a Gaussian kernel at their median distance, low rank."""
    scores = values_of(y, "real")
    if len(scores) != n_samples:
        raise ValueError(f"Scores must have one row per row of X, {n_samples}. Got {len(scores)}.")
    low, high = extremes(scores)
    if not np.any(low < high):
        raise DegenerateDataError(
            f"The scores are constant over {n_samples} rows and guide nowhere: pass y=None."
        )
    if n_samples <= _COMPONENTS_FROM:
        scores = scores[np.arange(n_samples)]
        row_weights = None if row_weights is None else row_weights[np.arange(n_samples)]
    scores = _standardised(scores, row_weights)
    if n_samples > _COMPONENTS_FROM:  # such fits are of some of the rows
        width = typical_distance(scores, rng, row_weights)
        columns = GaussianColumns(scores, width, rtol=_LEFT_OUT, max_rank=_RANK_OF_SCORES)
        is_here = not isinstance(scores, AbstractColumn)
        U = columns.components_of(slice(0, n_samples)) if is_here else View(columns.components_of)
        return (Guidance(U, weight, follow=True),)
    L, _ = _gaussian_factor(scores, rng, _RANK_OF_SCORES, row_weights)
    return (Guidance(L - Counts(n_samples, row_weights).mean(L), weight, follow=True),)


def _standardised(Y: Column, weights: Column | None = None) -> Column:
    """Columns of mean 0 and deviation 1, in a unit of which no square overflows or vanishes."""
    Y = in_units_near_one(Y)
    n = len(Y) if weights is None else total_weight(weights)

    def sums(values: Callable[[Array], Array]) -> FloatArray:
        def of_part(place: slice, part: Array) -> FloatArray:
            some = values(part)
            total: FloatArray = some.sum(axis=0) if weights is None else weights[place] @ some
            return total

        return fold(Y, of_part, add, "sum")

    mean = sums(lambda part: part) / n
    spread = np.sqrt(sums(lambda part: np.square(part - mean)) / n)
    unit = np.where(spread > 0, spread, 1.0)
    return mapped(Y, lambda part: (part - mean) / unit)


def _gaussian_factor(
    Y: FloatArray, rng: np.random.Generator, max_rank: int, weights: FloatArray | None = None
) -> tuple[FloatArray, float]:
    """``K_Y ~ L L'`` at the median distance, and the share of its trace that is left out.

    K_Y is never formed: pivoted Cholesky, O(n r^2). It does not depend on the unit of Y.
    """
    kernel = Gaussian(typical_distance(Y, rng, weights))

    def column(i: int) -> FloatArray:
        return kernel.f(((Y - Y[i]) ** 2).sum(axis=1))

    ones = np.ones(Y.shape[0])
    return pivoted_cholesky(ones, column, max_rank=max_rank, weights=weights)
