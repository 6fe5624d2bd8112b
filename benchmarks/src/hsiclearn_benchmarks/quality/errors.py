"""The error of a method on rows it has not seen: what every figure of the sets comes from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from .._types import Array, Figures, FloatArray
from .methods import METHODS
from .sets import SETS, QualitySet, load_rows

__all__ = ["N_FOLDS", "cross_validate", "losses", "outer_folds"]

N_FOLDS = 5


def cross_validate(*, data: str, method: str, seed: int) -> Figures:
    """Errors in per cent of each fold, by both predictors, and the seconds of each reduction.

    The error of a real target is the mean square over the variance of the target on all rows.
    """
    settings = SETS[data]
    X, y = load_rows(data)
    unit = 1.0 if settings.has_classes else float(np.var(y))
    found: Figures = {"seconds": [], "svm": [], "neighbours": []}
    for train, test in outer_folds(settings, X, y, seed):
        scaler = StandardScaler().fit(X[train])
        reducer, seconds = _reduced(settings, method, scaler.transform(X[train]), y[train])
        seen, unseen = (reducer.transform(scaler.transform(X[rows])) for rows in (train, test))
        svm, neighbours = losses(settings, seen, unseen, y[train], y[test])
        found["seconds"].append(seconds)
        found["svm"].append(100.0 * svm / unit)
        found["neighbours"].append(100.0 * neighbours / unit)
    found["error"] = np.mean([found["svm"], found["neighbours"]], axis=0).tolist()
    return found


def outer_folds(
    settings: QualitySet, X: FloatArray, y: Array, seed: int
) -> Iterator[tuple[Array, Array]]:
    """Rows to fit on and rows to be judged by."""
    kind = StratifiedKFold if settings.has_classes else KFold
    yield from kind(N_FOLDS, shuffle=True, random_state=seed).split(X, y)


def _reduced(settings: QualitySet, method: str, X: FloatArray, y: Array) -> tuple[Any, float]:
    """A fitted transformer, and the seconds that took."""
    chosen = METHODS[method]
    n_classes = int(y.max()) + 1 if settings.has_classes else 0
    target = chosen.target(y) if settings.has_classes else y
    transformer = chosen.make(settings.q, n_classes)
    began = time.perf_counter()
    transformer.fit(X, target)
    return transformer, time.perf_counter() - began


def losses(
    settings: QualitySet, seen: FloatArray, unseen: FloatArray, y: Array, truth: Array
) -> Iterator[float]:
    """Share of wrong classes, or mean square, of a support vector machine and of neighbours."""
    if settings.has_classes:
        for classifier in (SVC(), KNeighborsClassifier(5)):
            yield float(np.mean(classifier.fit(seen, y).predict(unseen) != truth))
        return
    mean, scale = y.mean(), y.std()  # the width of SVR's tube is in units of the target
    for regressor in (SVR(), KNeighborsRegressor(5)):
        predicted = regressor.fit(seen, (y - mean) / scale).predict(unseen)
        yield float(np.mean((mean + scale * predicted - truth) ** 2))
