"""The objective: what is measured of a method on a data set. Nothing else computes figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from hsiclearn import Record

from .._types import Array, Figures, FloatArray
from ..processes import Watch
from .data import DATA
from .methods import Reduced, Reducer, Report
from .solvers import CLUSTERERS, REDUCERS

__all__ = ["MEASURES", "standardised"]

_SEEDS = range(10)  # of k-means


@cache
def standardised(name: str) -> tuple[FloatArray, Array]:
    """The rows behind the printed figures, columns standardised."""
    X, y = DATA[name].load()
    return StandardScaler().fit_transform(X), y


def supervised(method: str, data: str, watch: Watch) -> Figures:
    """Error on the training rows, in per cent: the paper's own figure."""
    X, y = standardised(data)
    shift = _trace(y)  # The paper's K has a zero diagonal, ours has ones: sum_i Gamma_ii more.

    def shifted(record: Record) -> None:
        watch.report(replace(record, cost=record.cost + shift))

    found, model, seconds = _fitted(REDUCERS[method], X, y, DATA[data].q, watch, shifted)
    score = 100.0 * float(np.mean(model.predict(_projected(X, found)) != y))
    cost = None if found.cost is None else found.cost + shift
    return _figures(seconds, cost, score, found.iterations, found.status)


def unsupervised(method: str, data: str, watch: Watch) -> Figures:
    """NMI with the classes, geometric mean, median over seeds of k-means."""
    X, y = standardised(data)
    settings, clusterer = DATA[data], CLUSTERERS[method]
    with threadpool_limits(1):
        clusterer.prepare()
        watch.start()
        found = clusterer.cluster(X, settings.k, settings.q_unsupervised, watch.report)
        seconds = watch.stop()
        scores = [
            normalized_mutual_info_score(y, found.labels(seed), average_method="geometric")
            for seed in _SEEDS
        ]
    score = float(np.median(scores))
    return _figures(seconds, found.cost, score, found.iterations, found.status)


def heldout(method: str, data: str, watch: Watch) -> Figures:
    """Error on rows not used to fit, in per cent: stratified folds over all rows."""
    settings, reducer = DATA[data], REDUCERS[method]
    X, y = settings.load_all()
    folds = StratifiedKFold(settings.folds, shuffle=True, random_state=0)
    errors, seconds = [], 0.0
    for train, test in folds.split(X, y):
        scaler = StandardScaler().fit(X[train])
        rows = scaler.transform(X[train])
        found, model, took = _fitted(reducer, rows, y[train], settings.q, watch, lambda _: None)
        seconds += took
        predicted = model.predict(_projected(scaler.transform(X[test]), found))
        errors.append(np.mean(predicted != y[test]))
    return _figures(seconds, None, 100.0 * float(np.mean(errors)), None, "")


MEASURES: dict[str, Callable[[str, str, Watch], Figures]] = {
    "supervised": supervised,
    "unsupervised": unsupervised,
    "heldout": heldout,
}


def _fitted(
    reducer: Reducer, X: FloatArray, y: Array, q: int, watch: Watch, report: Report
) -> tuple[Reduced, Any, float]:
    """The subspace, a classifier in it, and the seconds of what the method itself does.

    That is the reduction; for methods that do not reduce, the classifier.
    """
    classifier = reducer.classifier()
    with threadpool_limits(1):
        reducer.prepare()
        watch.start()
        found = reducer.reduce(X, y, q, report)
        if found.W is None:
            classifier.fit(X, y)
        seconds = watch.stop()
        if found.W is not None:
            classifier.fit(X @ found.W, y)
    return found, classifier, seconds


def _trace(y: Array) -> float:
    """``sum_i Gamma_ii`` of ``Gamma = H Y Y' H``."""
    counts = np.unique(y, return_counts=True)[1]
    return float(np.sum(counts * (1.0 - counts / y.size)))


def _projected(X: FloatArray, found: Reduced) -> FloatArray:
    return X if found.W is None else X @ found.W


def _figures(
    seconds: float, cost: float | None, score: float, iterations: float | None, status: str
) -> Figures:
    """None where there is none."""
    return {
        "seconds": seconds,
        "cost": cost,
        "score": score,
        "iterations": iterations,
        "status": status,
    }
