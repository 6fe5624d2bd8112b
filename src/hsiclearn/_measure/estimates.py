"""HSIC and its normalised form."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .._advice import Advice
from ..exceptions import DependenceWarning
from .evaluation import MeasureSettings, evaluate, seed_of
from .inputs import KernelLike, as_sides
from .records import HsicEstimate
from .side import AbstractSide

_WORTH_A_WARNING = 0.01  # share of the value


def hsic(
    X: Any,
    Y: Any,
    *,
    kernel_x: KernelLike = "auto",
    kernel_y: KernelLike = "auto",
    bandwidth_x: float | str = "median",
    bandwidth_y: float | str = "median",
    estimator: str = "biased",
    engine: str = "auto",
    max_landmarks: int = 500,
    block_size: int = 200,
    random_state: int | np.random.Generator | None = 0,
    sample_weight: Any = None,
) -> float:
    r"""The Hilbert-Schmidt independence criterion of X and Y.

    With kernel matrices K of X and L of Y and the centring matrix H, ::

        biased      Tr(K H L H) / (n - 1)^2
        unbiased    [Tr(K~L~) + 1'K~1 1'L~1 / (n-1)(n-2) - 2 1'K~L~1 / (n-2)] / n (n - 3)

    where ``K~`` and ``L~`` have a zero diagonal. In the limit of many rows it is 0 if and only if X
    and Y are independent, provided that the kernels are characteristic, as the Gaussian is. The
    biased estimate is never negative for positive definite kernels; the unbiased one is 0 on
    average where X and Y are independent. A constant side has HSIC 0 with everything.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples,) or (n_samples, n_columns), or a collection of Dask
        Numbers or labels; for the kernel ``"precomputed"`` a matrix (n_samples, n_samples). A
        sparse matrix of numbers stays sparse, for kernels other than ``"distance"``. Of Dask it
        may be an array, a dataframe or a series, of X, of Y or of both, in any chunks of rows. Up
        to 30,000 rows (and 2^25 numbers) are fetched, and all is as in memory. Of more, nothing
        comes here but sums, samples of rows and landmarks, and the engine is ``"nystrom"``.
    kernel_x, kernel_y : str or kernel object, default="auto"
        ``"auto"`` takes one column of integers, booleans, strings or categories as classes, under
        ``"delta"``, and anything else as numbers, under ``"gaussian"``. A name forces one reading:
        ``"delta"`` is ``[y_i = y_j]``; ``"distance"`` is ``-|x_i - x_j|``, with which HSIC is the
        squared distance covariance times ``(n / (n - 1))^2``; ``"precomputed"`` is the matrix
        given; other names and objects are those of :mod:`hsiclearn.kernels`, for numbers.
    bandwidth_x, bandwidth_y : float or "median", default="median"
        For a kernel given by a name that takes one; an object keeps its own. ``"median"`` is the
        median distance of two rows, of 1000 rows drawn at random if there are more; where most
        rows are equal, of those that differ.
    estimator : {"biased", "unbiased"}, default="biased"
    engine : {"auto", "dense", "tiled", "nystrom", "block"}, default="auto"
        ``"dense"`` and ``"tiled"`` are exact; the second needs little memory. ``"nystrom"`` takes
        linear time and states its error. ``"block"`` is the mean of the unbiased estimate over
        blocks of rows. ``"auto"`` is exact up to 10,000 rows, up to 30,000 where landmarks cannot
        bring the error below 1 %, and ``"nystrom"`` above; on a GPU exact up to 200,000. Rows of
        Dask that are not fetched have ``"nystrom"`` alone; another one is an error.
    max_landmarks : int, default=500
        Largest number of landmarks of a side, for ``"nystrom"``.
    block_size : int, default=200
        Rows of a block, for ``"block"``.
    random_state : int, Generator or None, default=0
        Seeds whatever is drawn: rows for the median, candidates for landmarks, blocks.
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts: a row of weight 2 is that row twice, one of weight 0 is absent,
        in the median distance too, and n above is the sum of the weights. They need not be whole
        numbers, but they are counts and not shares: all of them multiplied by 10 are ten times as
        many rows, of which the unbiased estimate knows, the biased one by ``1 / (n - 1)^2``. The
        engine ``"block"`` and the kernel ``"relative_gaussian"`` see single rows: they take whole
        numbers, up to a sum of a million, and repeat the rows. Beside rows of Dask weights may be
        of Dask, all positive; beside rows on a device they may be there.

    Returns
    -------
    float

    Warns
    -----
    DependenceWarning
        Where the engine's error may be above 1 % of the value: see :func:`hsic_estimate`.

    See Also
    --------
    hsic_estimate : The same with its error and the engine on record.
    cka : Normalised to at most 1.
    hsic_test : A p-value.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import hsic
    >>> x = np.linspace(-1, 1, 200)
    >>> print(f"{hsic(x, x**2):.4f}")  # dependent, though not correlated
    0.0330
    >>> print(f"{hsic(x, np.random.default_rng(0).permutation(x)):.4f}")
    0.0024
    """
    settings = MeasureSettings(estimator, engine, max_landmarks, block_size, seed_of(random_state))
    widths = (bandwidth_x, bandwidth_y)
    x, y = as_sides(X, Y, (kernel_x, kernel_y), widths, settings, sample_weight)
    return _value_of(_hsic(x, y, settings), "HSIC", is_far=x.column is not None)


def cka(
    X: Any,
    Y: Any,
    *,
    kernel_x: KernelLike = "auto",
    kernel_y: KernelLike = "auto",
    bandwidth_x: float | str = "median",
    bandwidth_y: float | str = "median",
    estimator: str = "biased",
    engine: str = "auto",
    max_landmarks: int = 500,
    block_size: int = 200,
    random_state: int | np.random.Generator | None = 0,
    sample_weight: Any = None,
) -> float:
    r"""Centred kernel alignment: HSIC, normalised.

    ::

        CKA(X, Y) = HSIC(X, Y) / sqrt(HSIC(X, X) HSIC(Y, Y))

    At most 1 in size, which ``CKA(X, X)`` is, whatever the estimator. With the biased one and
    positive definite kernels it is at least 0; but it is far from 0 for independent sides of few
    rows and many columns, where the unbiased one is right on average. A constant side has CKA 0
    with everything. So has, with the unbiased estimator, one that does not vary once the diagonal
    of its kernel matrix is left out, such as rows that are equal but for one: 0 divided by 0, of
    which a warning tells. With kernels ``"distance"`` it is the squared distance correlation. At
    given bandwidths the biased one is the same when all weights are multiplied by a number, so that
    ``sample_weight`` may be shares.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples,) or (n_samples, n_columns), or a collection of Dask
    kernel_x, kernel_y, bandwidth_x, bandwidth_y, estimator, engine, max_landmarks, block_size, \
random_state, sample_weight
        As in :func:`hsic`.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import cka
    >>> X = np.random.default_rng(0).standard_normal((100, 3))
    >>> Q = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    >>> print(f"{cka(X, 5 * X @ Q + 1):.4f}")  # rotated, scaled, moved
    1.0000
    >>> labels = np.where(X[:, 0] > 0, "high", "low")
    >>> print(f"{cka(X, labels, estimator='unbiased'):.3f}")
    0.438
    """
    settings = MeasureSettings(estimator, engine, max_landmarks, block_size, seed_of(random_state))
    kernels, widths = (kernel_x, kernel_y), (bandwidth_x, bandwidth_y)
    x, y = as_sides(X, Y, kernels, widths, settings, sample_weight, is_ratio=True)
    return _value_of(_cka(x, y, settings), "CKA", is_far=x.column is not None)


def hsic_estimate(
    X: Any,
    Y: Any,
    *,
    kernel_x: KernelLike = "auto",
    kernel_y: KernelLike = "auto",
    bandwidth_x: float | str = "median",
    bandwidth_y: float | str = "median",
    estimator: str = "biased",
    engine: str = "auto",
    max_landmarks: int = 500,
    block_size: int = 200,
    random_state: int | np.random.Generator | None = 0,
    sample_weight: Any = None,
    normalize: bool = False,
) -> HsicEstimate:
    """HSIC, or CKA, with its error, the engine and the kernels that were used.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples,) or (n_samples, n_columns), or a collection of Dask
    kernel_x, kernel_y, bandwidth_x, bandwidth_y, estimator, engine, max_landmarks, block_size, \
random_state, sample_weight
        As in :func:`hsic`.
    normalize : bool, default=False
        CKA instead of HSIC.

    Returns
    -------
    HsicEstimate
        For the biased HSIC of positive definite kernels the exact value lies between ``value`` and
        ``value + error``, otherwise within ``error`` on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import hsic_estimate
    >>> x = np.random.default_rng(0).standard_normal(20_000)
    >>> estimate = hsic_estimate(x, np.sin(3 * x))
    >>> estimate.engine, estimate.guaranteed, estimate.error < 1e-4 * estimate.value
    ('nystrom', True, True)
    """
    settings = MeasureSettings(estimator, engine, max_landmarks, block_size, seed_of(random_state))
    kernels, widths = (kernel_x, kernel_y), (bandwidth_x, bandwidth_y)
    x, y = as_sides(X, Y, kernels, widths, settings, sample_weight, is_ratio=normalize)
    return _cka(x, y, settings) if normalize else _hsic(x, y, settings)


def _hsic(x: AbstractSide, y: AbstractSide, settings: MeasureSettings) -> HsicEstimate:
    return evaluate(x, y, settings).hsic().times_two_to(x.exponent + y.exponent)


def _cka(x: AbstractSide, y: AbstractSide, settings: MeasureSettings) -> HsicEstimate:
    found = evaluate(x, y, settings, normalize=True)
    if found.is_flat:
        warnings.warn(
            Advice(
                "CKA is 0 divided by 0, and taken as 0: the unbiased estimator leaves the "
                "diagonals out, and without them a side does not vary (all rows equal but one or "
                "two). More rows",
                "or estimator='biased' will tell.",
                "will tell.",
            ),
            DependenceWarning,
            stacklevel=3,
        )
    return found.cka()


def _value_of(estimate: HsicEstimate, what: str, *, is_far: bool) -> float:
    """The value alone, with a warning where its error is not small."""
    if estimate.error <= _WORTH_A_WARNING * abs(estimate.value):
        return estimate.value
    other = "rows drawn at random, in memory" if is_far else "engine='tiled'"
    kind, larger = "an error", f"max_landmarks, or {other} ({estimate.n_samples} rows)"
    if estimate.engine == "block":
        kind, larger = "a standard error", "block_size"
    warnings.warn(
        Advice(
            f"{what} is {estimate.value:.4g} with {kind} of up to {estimate.error:.2g}, more than "
            "1 % of it.",
            f"For a smaller one use a larger {larger}; hsic_estimate has both without a warning.",
            "With fewer rows it is exact.",
        ),
        DependenceWarning,
        stacklevel=3,
    )
    return estimate.value
