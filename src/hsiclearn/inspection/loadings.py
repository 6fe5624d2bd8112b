"""What the directions are made of.

A loading is per unit of its column, so it can be read only where columns share a unit: here each
counts as ``w_j s_j``, s_j the standard deviation of column j. A direction along which rows hardly
spread hardly enters the kernel, yet its loadings are as large as any: so the importance of a
feature in the whole subspace counts each direction by its variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._devices import here
from .._estimators import BaseHSIC
from .._linalg import column_importances
from .._measure import cka, hsic_test
from ..exceptions import DegenerateDataError
from .fitted import deviations, fitted_step

__all__ = ["Components", "describe_components", "feature_importances", "feature_shares"]

_KERNEL_OF = {
    "classes": "delta",
    "real": "gaussian",
    "multilabel": "linear",
    "precomputed": "precomputed",
}  # the kernel of y for each kind of target
_OF_THE_TEST = ("method", "n_permutations")  # which cka has not


@dataclass(frozen=True)
class Components:
    """One entry per direction, one column per feature; ``print`` makes a line per direction.

    Attributes
    ----------
    feature_names : list of str
    shares : ndarray of shape (q, d)
        The part each feature has in each direction; rows sum to 1.
    importances : ndarray of shape (d,)
        The part each feature has in the whole subspace; sums to 1. Directions count by their
        variance; unlike ``shares`` it does not depend on which basis of the subspace was chosen.
    statistics, pvalues : ndarray of shape (q,)
        HSIC of each projected column with the target, unbiased, and the p-value of its test.
    cka : ndarray of shape (q,)
        The same normalised: at most 1, about 0 where there is no dependence.
    """

    feature_names: list[str]
    shares: FloatArray
    importances: FloatArray
    statistics: FloatArray
    pvalues: FloatArray
    cka: FloatArray

    def __str__(self) -> str:
        """A line per direction: how strong, and the three features it is made of most."""
        lines = []
        for k, share in enumerate(self.shares):
            top = np.argsort(-share, kind="stable")[:3]
            made_of = ", ".join(f"{self.feature_names[j]} {share[j]:.0%}" for j in top)
            strength = f"CKA {self.cka[k]:.3f}, p = {self.pvalues[k]:.2g}"
            lines.append(f"component {k + 1}: {strength}; {made_of}")
        return "\n".join(lines)


def feature_shares(model: Any, X: Array) -> FloatArray:
    """The part each feature has in each direction, on a standardised scale.

    ``(w_j s_j)^2 / sum_j (w_j s_j)^2``, s_j the standard deviation of column j.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows that tell how much each column varies; as they go into ``model``.

    Returns
    -------
    ndarray of shape (n_components, n_features)
        Rows sum to 1.
    """
    step, rows, _ = fitted_step(model, X)
    return _rows_to_one(_squares(step, rows))


def feature_importances(model: Any, X: Array) -> FloatArray:
    """The part each feature has in the subspace, on a standardised scale.

    ``s_j^2 (W S W')_jj`` over its sum, s_j the standard deviation of column j and S the covariance
    of the projected rows: a direction counts by its variance, and the figures are the same for
    every basis W of the subspace.

    Parameters
    ----------
    model, X
        As in :func:`feature_shares`.

    Returns
    -------
    ndarray of shape (n_features,)
        Sums to 1.

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import feature_importances
    >>> X, y, W = make_planted("sine", 150, 4)
    >>> model = SupervisedHSIC(n_components=1).fit(X, y)
    >>> int(feature_importances(model, X).argmax()) == int((W[:, 0] ** 2).argmax())
    True
    """
    step, rows, _ = fitted_step(model, X)
    return _importances(step, rows)


def describe_components(model: Any, X: Array, y: Array, **settings: Any) -> Components:
    """What each direction is made of, and how much it depends on the target by itself.

    Pass rows that the model was not fitted on: on its own rows every p-value is too small, since
    the directions were chosen to depend on y there. A direction may also matter only together
    with another (XOR), and then its own p-value need not be small.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.
    X : array-like or sparse matrix of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Of the kind the model was fitted to, a kernel matrix if that was one. Several real columns
        are not standardised here.
    **settings
        Passed on to :func:`hsiclearn.hsic_test`, such as ``method="permutation"``; kernels,
        bandwidths, estimator and engine also to :func:`hsiclearn.cka`.

    Returns
    -------
    Components

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import describe_components
    >>> X, y, _ = make_planted("sine", 300, 4)
    >>> model = SupervisedHSIC(n_components=1).fit(X[:150], y[:150])
    >>> bool(describe_components(model, X[150:], y[150:]).pvalues[0] < 1e-6)
    True
    """
    step, rows, names = fitted_step(model, X)
    kernel_y = _KERNEL_OF.get(getattr(step, "target_", ""), "auto")
    y = here(y)
    settings = {"kernel_y": kernel_y, "estimator": "unbiased"} | settings
    shared = {name: value for name, value in settings.items() if name not in _OF_THE_TEST}
    columns = np.asarray(rows @ step.components_.T).T
    tests = [hsic_test(z, y, **settings) for z in columns]
    return Components(
        feature_names=names,
        shares=_rows_to_one(_squares(step, rows)),
        importances=_importances(step, rows),
        statistics=np.array([test.statistic for test in tests]),
        pvalues=np.array([test.pvalue for test in tests]),
        cka=np.array([cka(z, y, **shared) for z in columns]),
    )


def _squares(step: BaseHSIC, rows: Array) -> FloatArray:
    """``(w_j s_j)^2``, a row per direction."""
    return np.square(step.components_ * deviations(rows))


def _importances(step: BaseHSIC, rows: Array) -> FloatArray:
    """``s_j^2 (W S W')_jj`` over its sum, or an error where none varies."""
    W = step.components_.T
    S = np.atleast_2d(np.cov(rows @ W, rowvar=False, bias=True, dtype=np.float64))
    return _rows_to_one(column_importances(W, S, deviations(rows))[None])[0]


def _rows_to_one(squares: FloatArray) -> FloatArray:
    """Every row over its sum."""
    total = squares.sum(axis=1, keepdims=True)
    if not np.all(total > 0.0):
        raise DegenerateDataError(
            "Shares are of what varies, but on these rows all columns are constant that direction "
            f"{int(np.argmin(total)) + 1} is made of. Pass more rows, or fit fewer components."
        )
    return squares / total
