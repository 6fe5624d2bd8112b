"""What the measure hands back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._arrays import FloatArray


@dataclass(frozen=True)
class HsicEstimate:
    """HSIC or CKA, and how exact it is.

    Attributes
    ----------
    value : float
        The estimate.
    error : float
        Largest difference between ``value`` and what all pairs of rows would have given: 0 for the
        exact engines, a bound for ``"nystrom"``. For ``"block"`` it is the standard error instead.
    guaranteed : bool
        Whether ``error`` is proven. It is not for ``"block"``, nor for landmarks of a kernel that
        is not known to be positive definite.
    estimator : str
        ``"biased"`` or ``"unbiased"``.
    engine : str
        ``"dense"``, ``"tiled"``, ``"nystrom"`` or ``"block"``.
    reason : str
        Why that engine, in words.
    n_samples : int
        Each row as often as ``sample_weight`` says; a float where their sum is no whole number.
    n_features_x, n_features_y : int or None
        Features of each side, for ``"nystrom"``.
    kernel_x, kernel_y : str
        The kernels in force, with their bandwidths.
    device : str or None
        Where the sums were made, of arrays that are on a device, such as ``"cuda:0, NVIDIA H200"``.
        What is here are numbers of the host.
    """

    value: float
    error: float
    guaranteed: bool
    estimator: str
    engine: str
    reason: str
    n_samples: int | float
    n_features_x: int | None
    n_features_y: int | None
    kernel_x: str
    kernel_y: str
    device: str | None = None

    def __float__(self) -> float:
        """The value."""
        return self.value

    def times_two_to(self, exponent: int) -> HsicEstimate:
        """The same in another unit, or an error where a double cannot hold it."""
        if exponent == 0:
            return self
        value = back_from_units(self.value, exponent)
        return replace(self, value=value, error=float(np.ldexp(self.error, exponent)))


@dataclass(frozen=True)
class HsicTestResult:
    """A test of independence.

    Attributes
    ----------
    statistic : float
        HSIC of X and Y.
    pvalue : float
        The chance of a statistic as large if X and Y were independent.
    null : distribution or array
        Of the statistic under independence. ``method="gamma"``: a record ``(a, loc, scale)`` with
        ``sf``, ``mean``, ``var``, ``std`` and ``frozen()``, which makes a distribution of
        ``scipy.stats`` of it. ``method="permutation"``: the values drawn. Engine ``"block"``: a
        frozen Student's t.
        None where a side is constant, so that nothing can vary.
    method : str
        ``"gamma"``, ``"permutation"`` or, for the engine ``"block"``, ``"normal"``.
    estimate : HsicEstimate
        The statistic with its error, its engine and the kernels.
    """

    statistic: float
    pvalue: float
    null: Any | FloatArray = field(repr=False)
    method: str
    estimate: HsicEstimate = field(repr=False)

    @property
    def estimator(self) -> str:
        """``"biased"`` or ``"unbiased"``."""
        return self.estimate.estimator

    @property
    def engine(self) -> str:
        """Who computed the statistic."""
        return self.estimate.engine

    @property
    def device(self) -> str | None:
        """Where it was computed, as in :class:`HsicEstimate`."""
        return self.estimate.device

    @property
    def error(self) -> float:
        """Of the statistic, as in :class:`HsicEstimate`."""
        return self.estimate.error

    @property
    def n_samples(self) -> int | float:
        """Rows of each side, as in :class:`HsicEstimate`."""
        return self.estimate.n_samples


def back_from_units(value: float, exponent: int) -> float:
    """``2^exponent value``, or an error where a double cannot hold it."""
    if exponent == 0 or value == 0.0:
        return value
    try:
        turned = math.ldexp(value, exponent)
    except OverflowError:
        turned = math.inf
    if not np.finfo(float).tiny <= abs(turned) <= np.finfo(float).max:
        power = math.log10(abs(value)) + exponent * math.log10(2.0)
        raise ValueError(
            f"HSIC of these data is about 1e{power:+.0f}, which is no double. Scale X or Y: cka "
            "and the p-value of hsic_test do not change."
        )
    return turned
