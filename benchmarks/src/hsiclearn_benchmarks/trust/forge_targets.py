"""Good files to forge, how each is read, and how what comes out is used."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import hsiclearn
from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

from .forge import Archive

__all__ = ["Target", "checkpoints", "models"]

_N = 40
Problem = tuple[Any, Any, Any, int]


@dataclass(frozen=True)
class Target:
    """A good file taken apart, a path for its forgeries, and two functions.

    ``read`` raises the documented error or returns something; ``use`` yields answers of that.
    """

    name: str
    archive: Archive
    path: Path
    read: Callable[[Path], Any]
    use: Callable[[Any], Iterator[Any]]


def models(folder: Path) -> list[Target]:
    """Of each estimator, a pipeline of numbers and one of a table, saved."""
    made = []
    for name, (model, X, y) in _models().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fits that are small on purpose
            fitted = model.fit(X, y)
        path = hsiclearn.save(fitted, folder / f"{name}.hsic", notes={"rows": [1, 2.5, "a"]})
        archive = Archive.of(path.read_bytes())
        made.append(Target(name, archive, path, hsiclearn.load, partial(_used, X=X)))
    return made


def _models() -> dict[str, tuple[Any, Any, Any]]:
    import pandas as pd
    from sklearn.cluster import KMeans
    from sklearn.compose import make_column_transformer
    from sklearn.decomposition import PCA
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline, make_union
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    X, y, _ = make_planted("ring", _N, 3)
    views, given, _ = make_two_views("blobs", _N)
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
        town=np.where(X[:, 0] > 0, "Ulm", "Köln"), size=np.where(X[:, 1] > 0, "S", "L")
    )
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
        (OneHotEncoder(sparse_output=False), ["town"]),
        (OrdinalEncoder(), ["size"]),
        remainder="passthrough",
    )
    few: dict[str, Any] = {"init": "identity", "max_iter": 20}
    known = np.where(np.arange(_N) < 9, np.array(["left", "right"])[given], "-1")
    supervised = SupervisedHSIC(2, bandwidth=1.0)
    return {
        "supervised": (supervised, X, y),
        "unsupervised": (UnsupervisedHSIC(2, **few), views, None),
        "semi-supervised": (SemiSupervisedHSIC(2, 2, **few), views, known),
        "alternative": (AlternativeHSIC(2, **few), views, given),
        "numbers": (make_pipeline(StandardScaler(), supervised, PCA(1), Ridge()), X, y),
        "union": (make_pipeline(make_union(supervised, PCA(2)), KMeans(2, n_init=1)), X, y),
        "table": (make_pipeline(columns, supervised, KNeighborsClassifier(3)), table, y),
    }


def _used(model: Any, X: Any) -> Iterator[Any]:
    """What a user does with a model; a ValueError is the worst that may come."""
    if not hasattr(model, "steps"):  # scikit-learn takes long to print a pipeline
        repr(model)
    for name in ("transform", "predict"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # steps of scikit-learn warn as they are made to
            warnings.filterwarnings("error", module="hsiclearn")
            try:
                yield getattr(model, name)(X) if hasattr(model, name) else 0.0
            except ValueError:
                yield 0.0


class _PowerCutError(Exception):
    """Ends a fit that a checkpoint was asked of."""


def checkpoints(folder: Path) -> list[Target]:
    """Of fits that were cut off after some steps, and of one that had ended."""
    X, y, _ = make_planted("ring", _N, 4)
    problem = X, ClassTable.centered(y), Gaussian(1.0), 2
    targets = []
    nystrom = {"engine": "nystrom", "tol": 1e-9}  # whose state has one array more
    for name, steps, options in (
        *(("3 steps", 3, {}), ("3 starts", 6, {"n_init": 3}), ("all steps", 10**9, {})),
        *(("5 steps of nystrom", 5, nystrom), ("all steps of nystrom", 10**9, nystrom)),
    ):
        path = folder / f"{name}.npz"
        _cut_off(problem, path, steps, options)
        read = partial(_resumed, problem=problem, options=options)
        archive = Archive.of(path.read_bytes())
        targets.append(Target(f"checkpoint of {name}", archive, path, read, _judged))
    return targets


def _cut_off(problem: Problem, path: Path, steps: int, options: dict[str, Any]) -> None:
    from hsiclearn._solvers import Settings, minimise

    left = steps

    def cut(record: Any) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise _PowerCutError

    with suppress(_PowerCutError):
        minimise(*problem, Settings(checkpoint=path, callback=cut, **options))


def _resumed(path: Path, problem: Problem, options: dict[str, Any]) -> Any:
    return hsiclearn.solve(*problem, checkpoint=path, resume=True, **options)


def _judged(result: Any) -> Iterator[Any]:
    """The answer of a resumed fit: finite, its directions orthonormal."""
    W = result.W
    if np.linalg.norm(W.T @ W - np.eye(W.shape[1])) > 1e-8:
        raise ArithmeticError("W is not orthonormal")
    yield from (W, result.cost)
