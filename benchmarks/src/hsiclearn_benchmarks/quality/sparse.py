"""Planted targets of a few columns among many: whether exactly these are found."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import Planted, make_planted

from .._types import Array, Figures, FloatArray
from ..parts import Goal, Part, markdown
from ..units import Unit, problems
from .methods import OURS
from .rivals import RecursiveFeatureMachine, hsic_lasso_columns
from .suite import Suite, our_code, rivals_code

__all__ = ["FINDERS", "Finder", "find_support", "measure_sparse", "sparse_rows"]

_KINDS = ("xor", "ring", "sine", "product")
_ROWS, _COLUMNS, _RELEVANT = 300, 100, 5
_SEEDS = range(10)
_ENOUGH = 9  # of 10 supports


@dataclass(frozen=True)
class Finder:
    """Who finds columns: of X, y, how many are wanted, and in how many directions."""

    title: str
    find: Callable[[FloatArray, Array, int, int], Sequence[int]]
    code: Callable[[], str]


def _ours(X: FloatArray, y: Array, k: int, q: int) -> list[int]:
    model = SupervisedHSIC(n_components=q, n_features_to_select=k).fit(X, y)
    return model.get_support(indices=True).tolist()


def _rfm(X: FloatArray, y: Array, k: int, q: int) -> list[int]:
    """The columns with the largest entries on the diagonal of the learnt matrix."""
    matrix = RecursiveFeatureMachine(n_components=q).fit(X, y).matrix_
    return np.argsort(-np.diag(matrix), kind="stable")[:k].tolist()


FINDERS: dict[str, Finder] = {
    OURS: Finder("SupervisedHSIC", _ours, our_code),
    "rfm": Finder("RFM", _rfm, rivals_code),
    "hsic-lasso": Finder(
        "HSIC Lasso",
        lambda X, y, k, q: hsic_lasso_columns(X, y, k),
        lambda: rivals_code("pyHSICLasso"),
    ),
}


def sparse_rows(kind: str, seed: int) -> Planted:
    """Rows, the target, and its directions, in 5 columns of 100.

    Directions are orthonormal, and each of the 5 columns has the same part in their span: were they
    drawn at random, some column would now and then have next to none, and no method could find it.
    On the line of the sine the parts are ``+-1 / sqrt(5)``; in a plane they are the corners of a
    pentagon, turned at random.
    """
    X, y, W = make_planted(kind, _ROWS, _COLUMNS, n_noise=_COLUMNS - _RELEVANT, random_state=seed)
    rng = np.random.default_rng([seed, _COLUMNS])
    even = _even_directions(W.shape[1], rng)
    # The first columns are turned, so that what was X @ W is now X @ even: they stay normal.
    X[:, :_RELEVANT] @= _completed(W[:_RELEVANT]) @ _completed(even).T
    order = rng.permutation(_COLUMNS)
    W = np.vstack([even, np.zeros((_COLUMNS - _RELEVANT, W.shape[1]))])
    return Planted(X[:, order], y, W[order])


def _even_directions(q: int, rng: np.random.Generator) -> FloatArray:
    """Orthonormal directions of 5 columns, rows of one length, in random order and sign."""
    signs = rng.choice([-1.0, 1.0], size=(_RELEVANT, 1))
    if q == 1:
        return signs / np.sqrt(_RELEVANT)
    turns = 2.0 * np.pi * (rng.permutation(_RELEVANT) / _RELEVANT + rng.random())
    return signs * np.sqrt(2.0 / _RELEVANT) * np.column_stack([np.cos(turns), np.sin(turns)])


def _completed(W: FloatArray) -> FloatArray:
    """An orthogonal matrix whose first columns are W."""
    return np.hstack([W, null_space(W.T)])


def find_support(*, method: str, kind: str, seed: int) -> Figures:
    """How many of the columns found matter, whether they are all that do, and the seconds."""
    X, y, W = sparse_rows(kind, seed)
    X = StandardScaler().fit_transform(X)
    began = time.perf_counter()
    found = FINDERS[method].find(X, y, _RELEVANT, W.shape[1])
    seconds = time.perf_counter() - began
    truth = set(np.flatnonzero(W.any(axis=1)).tolist())
    return {
        "hits": len(truth & set(found)),
        "exact": int(truth == set(found)),
        "seconds": seconds,
    }


def measure_sparse(suite: Suite) -> Part:
    """Ours beside those who select columns."""
    units = _units(suite.some(_SEEDS))
    found = suite.run("sparse", [unit for some in units.values() for unit in some])
    figures = {key: [found[unit.name] for unit in some] for key, some in units.items()}
    rows = [
        [finder.title, *(_text(figures[method, kind]) for kind in _KINDS)]
        for method, finder in FINDERS.items()
    ]
    return Part(
        f"Exact supports: {_RELEVANT} columns of {_COLUMNS} that matter, {_ROWS} rows",
        markdown([f"found exactly, of {len(suite.some(_SEEDS))}", *_KINDS], rows),
        [
            Goal(f"exact supports of {kind}", _exact(figures[OURS, kind]), _ENOUGH, at_most=False)
            for kind in _KINDS
        ],
        [
            "How often the columns found are exactly those that matter; in brackets how many of "
            f"these {_RELEVANT} are among them, and the seconds of a fit, in the mean. All are "
            "told how many to look for.",
            *problems(found),
        ],
    )


def _units(seeds: Sequence[int]) -> dict[tuple[str, str], list[Unit]]:
    """By method and kind, one a seed."""
    return {
        (method, kind): [
            Unit(
                f"{kind}, {method}, seed {seed}",
                find_support,
                {"method": method, "kind": kind, "seed": seed},
                finder.code(),
            )
            for seed in seeds
        ]
        for method, finder in FINDERS.items()
        for kind in _KINDS
    }


def _exact(figures: Sequence[Figures]) -> int | None:
    """None unless all are there."""
    failed = any("problem" in f for f in figures)
    return None if failed else sum(f["exact"] for f in figures)


def _text(figures: Sequence[Figures]) -> str:
    exact = _exact(figures)
    if exact is None:
        return "failed"
    hits, seconds = (np.mean([f[key] for f in figures]) for key in ("hits", "seconds"))
    return f"{exact} ({hits:.1f}, {seconds:.2g} s)"
