"""Fitted clusterings that several tests look at; fits are shared, arrays are read-only."""

from __future__ import annotations

from functools import cache

import numpy as np

from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, UnsupervisedHSIC
from hsiclearn.datasets import make_two_views

ESTIMATORS = {
    "unsupervised": UnsupervisedHSIC,
    "semi-supervised": SemiSupervisedHSIC,
    "alternative": AlternativeHSIC,
}
N_TRAIN = 120


@cache
def two_views(n_samples=N_TRAIN + 60, n_clusters=2, kind="blobs", seed=0):
    """X, given and alternative labels; the first 120 rows are for training."""
    views = make_two_views(kind, n_samples, n_clusters, random_state=seed)
    for array in views:
        array.setflags(write=False)
    return views


def two_gaps(n):
    """Two clusterings, one along each of two directions, and starts near these."""
    rng = np.random.default_rng(0)
    given, other = rng.integers(2, size=(2, n))
    rows = rng.standard_normal((n, 4))
    rows[:, 0] += 9.0 * given
    rows[:, 1] += 9.0 * other
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    starts = (np.eye(4)[:2] + 0.1) @ turn
    return rows @ turn, given, other, {"given": starts[:1], "other": starts[1:]}


def guide_of(name, labels, n_known=12):
    """What each estimator takes as y: nothing, the first few labels, or all of them."""
    if name == "unsupervised":
        return None
    return (
        labels if name == "alternative" else np.where(np.arange(len(labels)) < n_known, labels, -1)
    )


def fit(name, *, guided=True, **settings):
    """A fresh fit on the training rows, from the identity unless asked otherwise."""
    X, given, _ = two_views()
    y = guide_of(name, given[:N_TRAIN]) if guided else None
    model = ESTIMATORS[name](**{"init": "identity", **settings})
    return model.fit(X[:N_TRAIN], y)


fitted = cache(fit)
