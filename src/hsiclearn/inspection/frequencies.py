"""How often each column is selected, when the selection is made again on fewer rows."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from .._arrays import Array, FloatArray
from .._devices import to_host
from .._estimators import SupervisedHSIC
from .._solvers import as_generator
from ..exceptions import DependenceWarning, SpreadWarning
from .fitted import fitted_step, what_was_chosen

__all__ = ["selection_frequencies"]


def selection_frequencies(
    model: Any,
    X: Array,
    y: Array,
    *,
    n_resamples: int = 20,
    random_state: int | np.random.Generator | None = 0,
) -> FloatArray:
    """Select again on halves of the rows, and count how often each column is chosen.

    A column that is chosen nearly always carries something; of the k columns that are found in
    noise, each is chosen in a share of about k over the number of columns. Halves are drawn without
    replacement: a row that is there twice would favour columns that tell rows apart.

    Parameters
    ----------
    model : SupervisedHSIC with ``n_features_to_select``, or a pipeline that ends with one
        Fitted on ``X, y``; it is not changed. Count, kernel and dimension stay as they were chosen.
    X, y
        The rows it was fitted on.
    n_resamples : int
    random_state : int, Generator or None

    Returns
    -------
    ndarray of shape (n_features,)
        Between 0 and 1; the sum is the number of columns selected.

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import selection_frequencies
    >>> X, y, _ = make_planted("sine", 150, 6, n_noise=4)
    >>> model = SupervisedHSIC(1, n_features_to_select=2, bandwidth=1.0).fit(X, y)
    >>> selection_frequencies(model, X, y, n_resamples=2)[:2].tolist()
    [1.0, 1.0]
    """
    if not isinstance(n_resamples, Integral) or n_resamples < 1:
        raise ValueError(f"`n_resamples` must be an integer >= 1. Got {n_resamples}.")
    step, rows, _ = fitted_step(model, X)
    if not isinstance(step, SupervisedHSIC) or step.n_features_to_select is None:
        raise TypeError(
            "Need a SupervisedHSIC that was told n_features_to_select. Got "
            f"{type(step).__name__}, which selected no columns."
        )
    n, y, rng = rows.shape[0], to_host(y), as_generator(random_state)
    if y.shape[:1] != (n,):
        raise ValueError(f"y must have an entry for each of the {n} rows. Got shape {y.shape}.")
    settings: dict[str, Any] = {"n_components": step.n_components_, "target": step.target_}
    settings |= {"n_features_to_select": step.n_features_selected_, "kernel": step.kernel_}
    settings |= what_was_chosen(step)
    settings |= {"checkpoint": None, "resume": False, "verbose": 0, "callback": None}
    again = clone(step)._unfollowed().set_params(**settings)
    counts = np.zeros(rows.shape[1])
    for _ in range(n_resamples):
        index = np.sort(rng.permutation(n)[: n // 2])
        some = y[np.ix_(index, index)] if step.target_ == "precomputed" else y[index]
        with warnings.catch_warnings():
            for category in (ConvergenceWarning, DependenceWarning, SpreadWarning):
                warnings.simplefilter("ignore", category)
            counts += clone(again).fit(rows[index], some).support_
    return counts / n_resamples
