"""The test of independence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import t as student

from .._arrays import FloatArray
from .._engines import MEASURE, PERMUTATIONS
from .evaluation import Evaluation, MeasureSettings, check_count, evaluate, seed_of
from .inputs import KernelLike, as_sides
from .nulls import (
    ClassCubes,
    GammaNull,
    check_moments,
    class_null,
    coincidences,
    gamma_null,
)
from .permuted import by_permutations, check_here, check_signs
from .records import HsicTestResult, back_from_units
from .single_rows import SingleRows, repeated_rows
from .weighted import check_enough

METHODS = ("gamma", "permutation")
_FEWEST_ROWS = 6  # a p-value of 5 % needs 20 orders that differ, and a variance of them
_ORDERS = SingleRows("method='permutation' pairs single rows", "use method='gamma'")
_SO_MANY = SingleRows(
    "Labels of so many classes hardly agree on any pair of rows, so that method='gamma' permutes "
    "single rows",
    "group classes",
)


def hsic_test(
    X: Any,
    Y: Any,
    *,
    method: str = "gamma",
    n_permutations: int = 500,
    kernel_x: KernelLike = "auto",
    kernel_y: KernelLike = "auto",
    bandwidth_x: float | str = "median",
    bandwidth_y: float | str = "median",
    estimator: str = "unbiased",
    engine: str = "auto",
    max_landmarks: int = 500,
    block_size: int = 200,
    random_state: int | np.random.Generator | None = 0,
    sample_weight: Any = None,
) -> HsicTestResult:
    """Test whether X and Y are independent.

    A small p-value says that they are not. The sides may be numbers or labels, of one column or of
    several, and any dependence is found if there are rows enough, not only a linear one.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples,) or (n_samples, n_columns), or a collection of Dask
        At least 6 rows; sparse or dense, here, on a cluster or on a device, as in :func:`hsic`.
    method : {"gamma", "permutation"}, default="gamma"
        Where the null distribution comes from. ``"gamma"``: a Gamma distribution that has exactly
        the mean and variance of the statistic over all orders of the rows of Y, and between two
        sides of classes its skewness; as fast as HSIC itself. Where two labellings have so many
        classes that less than one pair of rows should agree on both, the statistic takes a few
        values only and permutations are drawn instead. ``"permutation"``: orders drawn at random;
        exact at any number of rows. The engine ``"block"`` has a null of its own, the normal one
        (Student's t), in the place of either. Of rows of Dask that are too many to be fetched
        there is ``"gamma"`` alone, from sums over them: permutations would move all rows each
        time, and within chunks they would ask another question, whether X and Y depend on each
        other beyond what chunks have in common.
    n_permutations : int, default=500
        Orders drawn by ``"permutation"``. The p-value is at least ``1 / (1 + n_permutations)``.
    estimator : {"biased", "unbiased"}, default="unbiased"
        The statistic. Their power is the same on average; which is ahead depends on the data.
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts, as in :func:`hsic`: the p-value is that of the table in which a
        row of weight 2 is there twice, so each weight must say how often the row was seen,
        independently of the others. Weights that are no counts (survey weights, importance,
        precision) make p-values too small. ``"gamma"`` takes weights that are not whole numbers,
        between the tables of those that are; ``"permutation"`` pairs single rows and does not: rows
        are repeated, up to a million, and drawn as those of the repeated table would be.
    kernel_x, kernel_y, bandwidth_x, bandwidth_y, engine, max_landmarks, block_size, random_state
        As in :func:`hsic`. Permutations are exact up to 1000 rows under ``engine="auto"``, on a GPU
        up to 100,000, and from features above. Orders are the same on the host and on a device. It
        is fastest there with a side of classes or of one real column: then permuting is products
        of matrices. However large the error of the statistic is, the p-value stays valid: what
        the features reproduce is itself a kernel, only a coarser one.

    Returns
    -------
    HsicTestResult
        With ``statistic``, ``pvalue``, ``null``, ``estimator``, ``engine``, ``error`` and
        ``n_samples``. A constant side has the statistic 0 and the p-value 1.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import hsic_test
    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal(200)
    >>> y = x**2 + rng.standard_normal(200)  # a correlation of about 0
    >>> hsic_test(x, y).pvalue < 1e-6
    True
    >>> hsic_test(x, rng.standard_normal(200), method="permutation").pvalue > 0.05
    True
    """
    if method not in METHODS:
        raise ValueError(f"`method` must be one of {list(METHODS)}. Got {method!r}.")
    check_count("n_permutations", n_permutations, 1)
    settings = MeasureSettings(estimator, engine, max_landmarks, block_size, seed_of(random_state))
    by_moments = method == "gamma" or settings.engine == "block"
    kernels, widths = (kernel_x, kernel_y), (bandwidth_x, bandwidth_y)
    single = None if by_moments else _ORDERS
    x, y = as_sides(X, Y, kernels, widths, settings, sample_weight, single=single)
    check_enough(x, _FEWEST_ROWS, "A test")
    if not by_moments:
        check_here(x)
    limits = MEASURE if by_moments else PERMUTATIONS
    found = evaluate(x, y, settings, refine=False, limits=limits)
    if by_moments and not _hardly_agree(found):
        result = _by_moments(found)
    else:
        result = by_permutations(_in_single_rows(found), int(n_permutations))
    return _back_from_units(result, x.exponent + y.exponent)


def _back_from_units(result: HsicTestResult, exponent: int) -> HsicTestResult:
    """The result in the units of the data; a p-value has none."""
    if exponent == 0:
        return result
    estimate, null = result.estimate.times_two_to(exponent), result.null
    if isinstance(null, GammaNull):
        null = GammaNull(null.a, *(float(np.ldexp(part, exponent)) for part in null[1:]))
    elif isinstance(null, np.ndarray):
        null = np.ldexp(null, exponent)
    elif null is not None:
        null = student(*null.args, scale=float(np.ldexp(null.kwds["scale"], exponent)))
    statistic = back_from_units(result.statistic, exponent)
    return replace(result, statistic=statistic, null=null, estimate=estimate)


def _sizes_of_classes(found: Evaluation) -> tuple[FloatArray, FloatArray] | None:
    """Of two labellings; None where a side is not one."""
    x, y = found.x.sizes, found.y.sizes
    return None if x is None or y is None else (x, y)


def _hardly_agree(found: Evaluation) -> bool:
    """Whether two labellings are expected to agree on less than one pair of rows.

    The statistic takes a handful of values then, which no smooth distribution stands for.
    """
    sizes = None if found.is_degenerate or found.blocks is not None else _sizes_of_classes(found)
    return sizes is not None and coincidences(*sizes) < 1.0


def _in_single_rows(found: Evaluation) -> Evaluation:
    """Labels, each as often as it counts; whatever else is permuted has been repeated before."""
    x, y = found.x, found.y
    if x.weights is None or found.is_degenerate:
        return found
    check_here(x)
    index = repeated_rows(x.weights, _SO_MANY)
    return replace(found, x=x.take(index), y=y.take(index))


def _by_moments(found: Evaluation) -> HsicTestResult:
    estimate = found.hsic()
    if found.is_degenerate:
        method = "normal" if found.choice.name == "block" else "gamma"
        return HsicTestResult(0.0, 1.0, None, method, estimate)
    if found.blocks is not None:
        if estimate.error == 0.0:
            return HsicTestResult(estimate.value, 1.0, None, "normal", estimate)
        null = student(found.blocks.n_blocks - 1, scale=estimate.error)
        return HsicTestResult(
            estimate.value, float(null.sf(estimate.value)), null, "normal", estimate
        )
    assert found.sums is not None
    check_signs(found.sums)
    if found.x.weights is not None:
        check_moments(found.sums)
    if sizes := _sizes_of_classes(found):
        gamma = class_null(found.sums, estimate.estimator, *map(ClassCubes.of, sizes))
    else:
        gamma = gamma_null(found.sums, estimate.estimator)
    pvalue = 1.0 if gamma is None else gamma.sf(estimate.value)
    return HsicTestResult(estimate.value, pvalue, gamma, "gamma", estimate)
