"""The supervised paradigm: ``Gamma = H K_Y H``, structured after the kind of target."""

from __future__ import annotations

import warnings

import numpy as np

from .._advice import Advice
from .._arrays import FloatArray
from .._linalg import in_units_near_one, pivoted_cholesky, typical_distance
from ..exceptions import DependenceWarning
from ..gamma import AbstractGamma, ClassTable, Dense, LowRank
from ..kernels import Gaussian
from .targets import Target

_MAX_RANK = 1000  # of K_Y for real targets


def supervised_gamma(target: Target, rng: np.random.Generator | None = None) -> AbstractGamma:
    """``H K_Y H`` for any kind of target.

    ============= =========================================== ==================
    target        K_Y                                         structure
    ============= =========================================== ==================
    classes       YY', Y one-hot, columns weighted on request :class:`ClassTable`
    real          Gaussian at the median distance of y        :class:`LowRank`
    multilabel    YY'                                         :class:`LowRank`
    precomputed   y itself                                    :class:`Dense`
    ============= =========================================== ==================

    Several real columns are standardised first, so that a unit of measurement does not decide
    which of them counts.
    """
    if target.kernel is not None:
        return Dense.centered(target.kernel)
    assert target.values is not None
    if target.kind == "classes":
        return ClassTable.centered(target.values, target.weights)
    if target.kind == "multilabel":
        return LowRank.centered(target.values)
    return _gaussian_gamma(target.values, rng or np.random.default_rng(0))


def _gaussian_gamma(Y: FloatArray, rng: np.random.Generator) -> LowRank:
    """``H K_Y H`` for a Gaussian K_Y that is never formed: pivoted Cholesky, O(n r^2).

    At the median distance K_Y does not depend on the unit of y, which is therefore chosen so that
    no square overflows or vanishes.
    """
    Y = in_units_near_one(Y)
    if Y.shape[1] > 1:
        spread = Y.std(axis=0)
        Y = (Y - Y.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    L, missing = low_rank_gaussian(Y, typical_distance(Y, rng), _MAX_RANK)
    if missing > 1e-6:
        warnings.warn(
            Advice(
                f"The kernel of y has more structure than rank {_MAX_RANK} holds: {missing:.1e} "
                "of its trace is left out.",
                "Fewer output columns, or target='precomputed', keep it all.",
                "Fewer output columns keep it all.",
            ),
            DependenceWarning,
            stacklevel=4,
        )
    return LowRank.centered(L)


def low_rank_gaussian(Y: FloatArray, bandwidth: float, max_rank: int) -> tuple[FloatArray, float]:
    """``K_Y ~ L L'`` for a Gaussian kernel, and the share of its trace that is left out."""
    kernel = Gaussian(bandwidth)

    def column(i: int) -> FloatArray:
        return kernel.f(((Y - Y[i]) ** 2).sum(axis=1))

    return pivoted_cholesky(np.ones(Y.shape[0]), column, max_rank=max_rank)
