"""The test by permutations, wherever the rows are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ._device import DeviceSide, Thin, drawn_on_device
from .evaluation import Evaluation
from .permutations import (
    Principal,
    draw,
    principal_features,
    product_in_tiles,
    product_of_classes,
    product_of_features,
    product_of_matrices,
    pvalue_of,
)
from .records import HsicEstimate, HsicTestResult
from .side import AbstractSide, ClassSide
from .sums import CenteredSums


def check_here(x: AbstractSide) -> None:
    """Raise where rows would have to be paired with others that are elsewhere.

    Two labellings of so many rows and so few classes agree often enough for the Gamma.
    """
    if x.column is not None:
        raise ValueError(
            "Permutations pair each row of X with one of Y from anywhere, which would move all "
            f"rows for each of them. Got {x.n_samples} rows of Dask, too many to be fetched: use "
            "method='gamma', whose mean and variance are exactly those over all permutations, or "
            "rows drawn at random, in memory."
        )


def by_permutations(found: Evaluation, count: int) -> HsicTestResult:
    """The test by the statistic of orders drawn at random."""
    check_here(found.x)
    estimate = found.hsic()
    if found.is_degenerate:
        return HsicTestResult(0.0, 1.0, None, "permutation", estimate)
    assert found.sums is not None
    check_signs(found.sums)
    x, y, n, estimator = found.x, found.y, found.x.n_samples, estimate.estimator
    if isinstance(x, DeviceSide) and isinstance(y, DeviceSide):
        return _permuted_on_device(found, x, y, count)
    kept, n_threads = [], None
    if isinstance(x, ClassSide) and isinstance(y, ClassSide):
        product = product_of_classes(x, y, estimator)
    elif found.choice.name == "dense":
        product = product_of_matrices(x, y, estimator)
    elif found.choice.name == "tiled":
        product, n_threads = product_in_tiles(x, y, estimator), 1  # an order keeps all cores busy
    else:
        assert found.features is not None
        kept = [principal_features(found.features, side) for side in (0, 1)]
        product = product_of_features(kept[0], kept[1], estimator)
    divisor = found.sums.divisor(estimator)
    statistic = product(np.arange(n)) / divisor
    drawn = draw(product, n, count, found.settings.rng(3), n_threads) / divisor
    if kept:
        estimate = _with_dropped(found, kept, statistic)
    return HsicTestResult(statistic, pvalue_of(statistic, drawn), drawn, "permutation", estimate)


def _permuted_on_device(
    found: Evaluation, x: DeviceSide, y: DeviceSide, count: int
) -> HsicTestResult:
    """The same of rows that are on a device."""
    assert found.sums is not None
    estimate = found.hsic()
    drawn = drawn_on_device(
        (x, y),
        estimate.estimator,
        count,
        partial(found.settings.rng, 3),
        found.marginals,
        found.features,
    )
    divisor = found.sums.divisor(estimate.estimator)
    statistic, values = drawn.statistic / divisor, drawn.values / divisor
    if drawn.kept:
        estimate = _with_dropped(found, drawn.kept, statistic)
    pvalue = pvalue_of(statistic, values, drawn.tie)
    return HsicTestResult(statistic, pvalue, values, "permutation", estimate)


def _with_dropped(
    found: Evaluation, kept: Sequence[Principal | Thin], statistic: float
) -> HsicEstimate:
    """The estimate from the features that were kept: what was dropped adds to its error."""
    assert found.features is not None
    missing = found.features.missing + np.array([side.dropped for side in kept])
    estimate = replace(found, features=replace(found.features, missing=missing)).hsic()
    n_x, n_y = (int(side.signs.shape[0]) for side in kept)
    return replace(estimate, value=statistic, n_features_x=n_x, n_features_y=n_y)


def check_signs(sums: CenteredSums) -> None:
    """The test is one-sided: dependence must make the statistic large."""
    x, y = sums.traces
    if x * y < 0.0:
        raise ValueError(
            "The test needs kernels that are large for similar rows, on both sides or on neither. "
            f"The centred kernel matrices have traces {x:.3g} and {y:.3g}: "
            "pass -kernel for the side that is negative (-Squared(), -Multiquadratic())."
        )
