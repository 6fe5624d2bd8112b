"""Thirty-odd fits whose answers are kept: every estimator, engine, kind of target and kernel.

``python -m answers.fits`` (from the folder ``tests``) writes the answers of the code as it is.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info, threadpool_limits

from hsiclearn import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    find_views,
    solve,
)
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Cauchy, Custom, Gaussian, Polynomial, RelativeGaussian, Squared

STORED = Path(__file__).parent / "answers.json"


@cache
def wine() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@cache
def iris() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@cache
def cancer() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X[:, :8]), y


@cache
def diabetes() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X), (y - y.mean()) / y.std()


@cache
def many() -> tuple[np.ndarray, np.ndarray]:
    """Six thousand rows: enough for engines in linear time."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((6000, 6))
    return X, (np.hypot(X[:, 0], X[:, 1]) > 1.2).astype(int)


@cache
def wide() -> tuple[np.ndarray, np.ndarray]:
    """More columns than rows, one of them constant."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((60, 90))
    X[:, 5] = 2.0
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


@cache
def grouped(n_samples: int, n_features: int) -> np.ndarray:
    """Two groups far apart in three columns: a search ends there however sums are rounded."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((n_samples, n_features))
    X[:, :3] += 4.0 * (np.arange(n_samples) % 2)[:, None]
    return X


@cache
def views() -> tuple[np.ndarray, np.ndarray]:
    made = make_two_views(n_samples=120, random_state=0)
    return StandardScaler().fit_transform(made.X), np.asarray(made.given)


def stream(X: np.ndarray) -> Callable[[], Iterator[np.ndarray]]:
    return lambda: iter(np.array_split(X, 5))


def custom() -> Custom:
    return Custom(
        lambda b: np.exp(-b / 8.0),
        lambda b: -np.exp(-b / 8.0) / 8.0,
        lambda b: np.exp(-b / 8.0) / 64.0,
        pair="difference",
    )


def supervised(table: Callable[[], tuple[np.ndarray, np.ndarray]], **parameters: object) -> object:
    X, y = table()
    return SupervisedHSIC(**parameters).fit(X, y).components_


def with_target(y: np.ndarray, X: np.ndarray, **parameters: object) -> object:
    return SupervisedHSIC(**parameters).fit(X, y).components_


def solved(kernel: object, **parameters: object) -> object:
    X, y = wine()
    return solve(X, ClassTable.centered(y), kernel, 2, **parameters).W.T


def partly(y: np.ndarray, every: int) -> np.ndarray:
    known = np.full(y.size, -1)
    known[::every] = y[::every]
    return known


def scores() -> np.ndarray:
    """Of an expert who tells one class from the rest, unsurely."""
    rng = np.random.default_rng(0)
    return (iris()[1] == 0)[:, None] + 0.3 * rng.standard_normal((iris()[1].size, 2))


MEDIAN = {"bandwidth": "median"}
FITS: dict[str, Callable[[], object]] = {
    "classes, all defaults": lambda: supervised(wine),
    "classes, larger": lambda: supervised(cancer),
    "classes, balanced": lambda: supervised(wine, class_weight="balanced", **MEDIAN),
    "classes, in linear time": lambda: supervised(many, **MEDIAN),
    "classes, tiles": lambda: supervised(cancer, engine="tiled", **MEDIAN),
    "classes, landmarks asked for": lambda: supervised(cancer, engine="nystrom", **MEDIAN),
    "classes, eigengap": lambda: supervised(iris, n_components="eigengap"),
    "classes, dimension by held-out rows": lambda: supervised(iris, n_components="auto"),
    "classes, projected median": lambda: supervised(wine, bandwidth="median-projected"),
    "classes, wide": lambda: supervised(wide, n_components=1),
    "classes, several starts": lambda: supervised(wine, n_init=4, random_state=1, **MEDIAN),
    "classes, an array to start from": lambda: supervised(wine, init=np.eye(2, 13), bandwidth=3.0),
    "classes, single precision": lambda: with_target(
        wine()[1], wine()[0].astype(np.float32), **MEDIAN
    ),
    "classes, sparse": lambda: with_target(wine()[1], sparse.csr_array(wine()[0]), **MEDIAN),
    "classes, stream": lambda: with_target(many()[1], stream(many()[0]), **MEDIAN),
    "real": lambda: supervised(diabetes),
    "real, several": lambda: with_target(wine()[0][:, :2], wine()[0][:, 2:], **MEDIAN),
    "real, in linear time": lambda: with_target(many()[0][:, 0] ** 2, many()[0], **MEDIAN),
    "labels, several": lambda: with_target(np.eye(3, dtype=int)[wine()[1]], wine()[0], **MEDIAN),
    "precomputed": lambda: with_target(
        np.equal.outer(wine()[1], wine()[1]).astype(float),
        wine()[0],
        target="precomputed",
        **MEDIAN,
    ),
    "polynomial": lambda: supervised(wine, kernel=Polynomial(2)),
    "linear": lambda: supervised(wine, kernel="linear"),
    "squared, negative": lambda: supervised(wine, kernel=-Squared()),
    "Cauchy and Gaussian": lambda: supervised(wine, kernel=2 * Cauchy(3.0) + Gaussian(2.0)),
    "relative Gaussian": lambda: supervised(wine, kernel=RelativeGaussian()),
    "custom kernel": lambda: supervised(wine, kernel=custom()),
    "planted": lambda: with_target(PLANTED.y, PLANTED.X, objective="dependence"),
    "solve, polynomial in linear time": lambda: solved(Polynomial(3), engine="features"),
    "solve, ISM+": lambda: solved(Gaussian(4.0), solver="ism+"),
    "solve, Stiefel": lambda: solved(Gaussian(4.0), solver="stiefel", max_iter=500),
    "solve, a Gamma written out": lambda: (
        solve(iris()[0], Dense(ClassTable.centered(iris()[1]).to_dense()), "multiquadratic", 1).W.T
    ),
    "clusters": lambda: UnsupervisedHSIC(3, random_state=0).fit(iris()[0]).components_,
    "clusters, number chosen": lambda: (
        UnsupervisedHSIC("auto", random_state=0).fit(iris()[0]).components_
    ),
    "clusters, on landmarks": lambda: (
        UnsupervisedHSIC(2, engine="landmarks", init="identity").fit(grouped(500, 6)).components_
    ),
    "clusters, identity": lambda: (
        UnsupervisedHSIC(3, init="identity", kernel="gaussian", random_state=0)
        .fit(iris()[0])
        .components_
    ),
    "clusters, wide": lambda: (
        UnsupervisedHSIC(2, n_components=1, kernel="gaussian").fit(grouped(60, 90)).components_
    ),
    "clusters, as printed": lambda: (
        UnsupervisedHSIC(3, objective="paper", kernel="gaussian", random_state=0)
        .fit(iris()[0])
        .components_
    ),
    "guided by labels": lambda: (
        SemiSupervisedHSIC(3, random_state=0).fit(iris()[0], partly(iris()[1], 10)).components_
    ),
    "guided by scores": lambda: (
        SemiSupervisedHSIC(3, random_state=0).fit(iris()[0], scores()).components_
    ),
    "alternative": lambda: (
        AlternativeHSIC(2, random_state=0).fit(views()[0], views()[1]).components_
    ),
    "alternative, as printed": lambda: (
        AlternativeHSIC(2, objective="paper", kernel="gaussian", random_state=0)
        .fit(views()[0], views()[1])
        .components_
    ),
    "views": lambda: np.concatenate(
        [view.components_ for view in find_views(views()[0], n_views=2)]
    ),
}
PLANTED = make_planted(n_samples=300, random_state=0)


def answer(name: str) -> np.ndarray:
    """The components of a fit; two processes agree on it bit by bit."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(FITS[name]())


def architecture() -> str:
    """Which routines BLAS takes: with others, sums are rounded in another order."""
    return " ".join(sorted({str(info.get("architecture")) for info in threadpool_info()}))


if __name__ == "__main__":
    import sys
    import time

    answers = {}
    for name in FITS:
        begin = time.perf_counter()
        answers[name] = answer(name).tolist()
        print(f"{time.perf_counter() - begin:6.2f} s  {name}", file=sys.stderr)
    STORED.write_text(
        json.dumps({"architecture": architecture(), "answers": answers}, indent=0) + "\n"
    )
