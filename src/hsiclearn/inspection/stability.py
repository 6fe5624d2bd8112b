"""How firm a subspace is: how far it turns when it is fitted again on rows drawn anew."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from .._arrays import Array, FloatArray
from .._devices import to_host
from .._estimators import SupervisedHSIC
from .._linalg import nearest_basis, orthonormal_basis, sines_of_angles
from .._solvers import as_generator
from ..exceptions import DegenerateDataError, DependenceWarning
from .fitted import fitted_step, what_was_chosen

__all__ = ["Stability", "bootstrap_stability"]


@dataclass(frozen=True)
class Stability:
    """Principal angles between the fitted subspace and those of the resamples.

    Attributes
    ----------
    angles : ndarray of shape (n_resamples, q)
        In degrees, ascending in each row.
    components : ndarray of shape (n_resamples, q, d)
        Directions of each resample, turned to lie as near to the fitted ones as they can.
    """

    angles: FloatArray
    components: FloatArray = field(repr=False)

    @property
    def typical_angle(self) -> float:
        """Median of the largest angle: 0 is firm; two subspaces that share nothing are at 90."""
        return float(np.median(self.angles[:, -1]))

    @property
    def loading_spread(self) -> FloatArray:
        """Standard deviation of every loading over the resamples, of shape (q, d)."""
        return self.components.std(axis=0)


def bootstrap_stability(
    model: Any,
    X: Array,
    y: Array,
    *,
    n_resamples: int = 50,
    refit: str = "warm",
    random_state: int | np.random.Generator | None = 0,
) -> Stability:
    """Fit again on rows drawn with replacement, and measure how far the subspace turns.

    Small angles do not prove dependence: resamples share rows with the fit, so that the best
    direction of 80 rows of noise in 6 columns still turned by 20 degrees only.

    Parameters
    ----------
    model : SupervisedHSIC, or a pipeline that ends with one
        Fitted on ``X, y``; it is not changed. Earlier steps of a pipeline are not fitted again.
    X, y
        The rows it was fitted on.
    n_resamples : int
    refit : {"warm", "whole"}
        ``"warm"``: with the kernel that was chosen, from the components that were found; quick, and
        about the spread of this optimum. ``"whole"``: bandwidth and start are chosen anew each
        time, which also shows whether another optimum could have been taken; copies of a row
        that is held out favour fine kernels a little. The dimension stays in either case.
    random_state : int, Generator or None

    Returns
    -------
    Stability

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import bootstrap_stability
    >>> X, y, _ = make_planted("sine", 200, 4)
    >>> model = SupervisedHSIC(n_components=1).fit(X, y)
    >>> bootstrap_stability(model, X, y, n_resamples=10).typical_angle < 10
    True
    """
    if refit not in ("warm", "whole"):
        raise ValueError(f"`refit` must be 'warm' or 'whole'. Got {refit!r}.")
    if not isinstance(n_resamples, Integral) or n_resamples < 1:
        raise ValueError(f"`n_resamples` must be an integer >= 1. Got {n_resamples}.")
    step, rows, _ = fitted_step(model, X)
    if not isinstance(step, SupervisedHSIC):
        raise TypeError(
            "Need a SupervisedHSIC: clusters that are found anew have no fixed names to compare "
            f"by. Got {type(step).__name__}."
        )
    again = _again(step, refit)
    y, rng, n = to_host(y), as_generator(random_state), rows.shape[0]
    expected = (n, n) if step.target_ == "precomputed" else (n, *y.shape[1:])
    if y.shape != expected:
        raise ValueError(f"y must have shape {expected}, as in the fit of {n} rows. Got {y.shape}.")
    found = [_refitted(again, rows, y, rng.integers(0, n, n)) for _ in range(n_resamples)]
    spans = [orthonormal_basis(W) for W in (step.components_.T, *found)]
    angles = [np.degrees(np.arcsin(sines_of_angles(spans[0], V))) for V in spans[1:]]
    turned = [(W @ nearest_basis(W.T @ step.components_.T)).T for W in found]  # Procrustes
    return Stability(np.array(angles), np.array(turned))


def _again(step: SupervisedHSIC, refit: str) -> SupervisedHSIC:
    """An unfitted copy; of the same dimension in either case, so that angles can be compared."""
    settings: dict[str, Any] = {"n_components": step.n_components_, "checkpoint": None}
    settings |= {"resume": False, "verbose": 0, "callback": None, "target": step.target_}
    if getattr(step, "n_features_to_select", None) is not None:
        settings["n_features_to_select"] = step.n_features_selected_  # no count is chosen anew
    if refit == "warm":
        settings |= {"kernel": step.kernel_, "init": step.components_, "n_init": 1}
        settings |= what_was_chosen(step)
    return clone(step)._unfollowed().set_params(**settings)


def _refitted(model: SupervisedHSIC, X: Array, y: Array, index: Array) -> FloatArray:
    """W of one resample. That one of many does not converge shows in its angle."""
    some = y[np.ix_(index, index)] if model.target == "precomputed" else y[index]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DependenceWarning)
        try:
            return clone(model).fit(X[index], some).components_.T
        except DegenerateDataError as error:
            raise DegenerateDataError(
                f"Rows drawn with replacement must still vary in X and y. Of {index.size} rows one "
                f"resample does not: {error} Pass more rows, or leave rare classes out."
            ) from error
