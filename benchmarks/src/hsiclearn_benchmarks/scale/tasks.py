"""What runs in a process of its own: make the data, fit under the meter, hand back figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hsiclearn import AlternativeHSIC, Objective, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._selection import median_distance
from hsiclearn._solvers.problem import engine_tolerance
from hsiclearn.datasets import make_two_views
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

from .._types import Array, Figures, FloatArray
from ..alone import Meter
from .data import planted_rows, sparse_rows, wide_rows
from .methods import METHODS

__all__ = [
    "fit_clusters",
    "fit_engine",
    "fit_mapped",
    "fit_sparse",
    "fit_table",
    "phi_error",
    "predict_clusters",
]

_WARM = 200  # rows of a fit before the clock runs: what is loaded late is loaded then


def fit_table(meter: Meter, *, method: str, n: int, d: int, q: int, wide: bool = False) -> Figures:
    """One of the methods on planted classes."""
    X, y = wide_rows(n, d) if wide else planted_rows(n, d)
    chosen = METHODS[method]
    target = chosen.target(y)
    chosen.make(min(q, 2)).fit(X[:_WARM, :50], target[:_WARM])
    model = chosen.make(q)
    with meter.running():
        model.fit(X, target)
    return _described(model)


def fit_mapped(meter: Meter, *, path: Path, y: Array, d: int, q: int) -> Figures:
    """A file of float32 rows that is mapped, not read."""
    X = np.memmap(path, dtype=np.float32, mode="r", shape=(y.size, d))
    model = SupervisedHSIC(q, bandwidth="median")
    with meter.running():
        model.fit(X, y)
    return _described(model)


def fit_sparse(meter: Meter, *, n: int, d: int, q: int) -> Figures:
    """A sparse table with more columns than rows."""
    X, y = sparse_rows(n, d)
    model = SupervisedHSIC(q, bandwidth="median")
    with meter.running():
        model.fit(X, y)
    return _described(model)


def fit_engine(
    meter: Meter, *, noise: str, share: float, tol: float, engine: str, n: int, d: int, q: int
) -> Figures:
    """The same table by one engine, the bandwidth a share of the median distance."""
    X, y, bandwidth = _shared_problem(noise, share, n, d)
    model = SupervisedHSIC(q, bandwidth=bandwidth, tol=tol, engine=engine)
    with meter.running():
        model.fit(X, y)
    return _described(model)


def phi_error(
    _: Meter,
    *,
    noise: str,
    share: float,
    tol: float,
    engine: str,
    n: int,
    d: int,
    components: FloatArray,
) -> Figures:
    """How far an engine's Phi is from the exact one at the answer, and what it says itself."""
    X, y, bandwidth = _shared_problem(noise, share, n, d)
    gamma, kernel, W = ClassTable.centered(y), Gaussian(bandwidth), components.T
    rtol = engine_tolerance(tol)
    ours = Objective(X, gamma, kernel, engine, n_components=W.shape[1], rtol=rtol)
    exact = Objective(X, gamma, kernel, "tiled").phi(W)
    return {
        "error": float(np.linalg.norm(ours.phi(W) - exact) / np.linalg.norm(exact)),
        "bound": ours.engine_error(ours.point(W)).relative,
    }


def fit_clusters(meter: Meter, *, kind: str, guided: bool, n: int) -> Figures:
    """A clustering of all rows."""
    X, given, truth = _clustered_rows(kind, n, guided)
    model = _clusterer(guided)
    with meter.running():
        model.fit(X, given)
    return {"labels": model.labels_, "truth": truth} | _described(model)


def predict_clusters(meter: Meter, *, kind: str, guided: bool, n: int, sample: int) -> Figures:
    """A clustering of some rows from all their pairs, and what it predicts for all rows."""
    X, given, _ = _clustered_rows(kind, n, guided)
    some = np.sort(np.random.default_rng(1).choice(n, min(sample, n), replace=False))
    model = _clusterer(guided, engine="tiled")
    with meter.running():
        model.fit(X[some], None if given is None else given[some])
    return {"labels": model.predict(X)}


def _clustered_rows(kind: str, n: int, guided: bool) -> tuple[FloatArray, Array | None, Array]:
    """X, a labelling to stay away from, and the one to be found.

    Without the first there is one clustering in the table: of two that are equally good, two fits
    may rightly find different ones.
    """
    X, given, other = make_two_views(kind, n, n_noise=2, rotated=guided)
    if guided:
        return X, given, other
    return X[:, [0, 1, 4, 5]], None, given


def _clusterer(guided: bool, engine: str = "auto") -> Any:
    estimator = AlternativeHSIC if guided else UnsupervisedHSIC
    return estimator(n_clusters=2, n_components=2, engine=engine)


def _shared_problem(noise: str, share: float, n: int, d: int) -> tuple[FloatArray, Array, float]:
    X, y = planted_rows(n, d, noise=noise)
    return X, y, share * median_distance(X, np.random.default_rng(0))


def _described(model: Any) -> Figures:
    """What our estimators say of a fit; nothing of a rival's."""
    if not hasattr(model, "result_"):
        return {}
    error = model.result_.engine_error
    return {
        "iterations": model.n_iter_,
        "engine": model.engine_,
        "status": model.result_.status.name,
        "relative": error.relative,
        "angle": error.angle,
        "n_features": error.n_features,
        "components": model.components_,
    }
