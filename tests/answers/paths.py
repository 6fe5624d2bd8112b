"""Descents and searches of which every step is kept: how they got there, not only where.

``python -m answers.paths`` (from the folder ``tests``) writes the steps of the code as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy
from threadpoolctl import threadpool_limits

from answers.fits import architecture
from hsiclearn import Objective, certify
from hsiclearn._linalg import (
    DenseSymmetric,
    OperatorSymmetric,
    gaussian_kernel,
    pivoted_cholesky,
    smallest_eigenpair,
    top_eigenpairs,
)
from hsiclearn._linalg.krylov import block_krylov, restarted_krylov
from hsiclearn._linalg.warm import moved_top
from hsiclearn._objective import ClusterObjective, Guidance
from hsiclearn._solvers import LbfgsSolver, rough_fit, run, sharpened
from hsiclearn._solvers.problem import SOLVERS
from hsiclearn._solvers.rough import rough_descent
from hsiclearn._solvers.spectral import SpectralSolver
from hsiclearn._solvers.starts import START_NAMES, start_from_name
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import AbstractKernel, Gaussian, Linear, Polynomial, RelativeGaussian
from problems import ring, standardised
from registry import orthonormal, symmetric

STORED = Path(__file__).parent / "paths.json"
Row = list[str | int | float]


def classes(name: str, share: float, rows: int = 200) -> Objective:
    X, y, median = standardised(name)
    return Objective(X[:rows], ClassTable.centered(y[:rows]), Gaussian(share * median), "dense")


def rings(rows: int, kernel: AbstractKernel) -> Objective:
    X, y, _ = ring(rows)
    return Objective(X, ClassTable.centered(y), kernel, "dense")


def indefinite(seed: int) -> Objective:
    rng = np.random.default_rng(seed)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    return Objective(X, Dense(G + G.T), Gaussian(1.5), "dense")


def saddle() -> tuple[Objective, np.ndarray]:
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Linear())
    return objective, np.linalg.eigh(objective.phi_at_zero)[1][:, [0, 4]]


def clusters(normalize: str, kernel: AbstractKernel) -> ClusterObjective:
    X, y, _ = standardised("iris")
    U = np.eye(3)[y[::3]] - np.eye(3)[y[::3]].mean(axis=0)
    return ClusterObjective(X[::3], kernel, 2, [Guidance(U, 0.3)], normalize)


def steps(solver: object, W: np.ndarray, max_iter: int = 60) -> list[Row]:
    """Every record, the verdict, and what a certificate says where there is one to be had."""
    outcome = run(solver, W, max_iter=max_iter)
    rows: list[Row] = [
        [r.step, r.cost, r.gradient, r.angle, r.evaluations, r.hessian_products, r.iterations]
        for r in outcome.history
    ]
    return [*rows, [outcome.status.name, outcome.point.cost, outcome.point.stationarity]]


def by(solver: str, objective: Objective, q: int, tol: float = 1e-4, **settings: int) -> list[Row]:
    W = orthonormal(objective.n_features, q, seed=q)
    return steps(SOLVERS[solver](objective, tol), W, **settings)


def descents_that_are_cut(objective: Objective, q: int) -> list[Row]:
    """The cost after 1, 2, ... steps, and where a gain of so little ends it."""
    W = orthonormal(objective.n_features, q, seed=1)
    cut = [rough_descent(objective, W, gain=0.0, max_iter=k).cost for k in (1, 2, 3, 5, 8, 14)]
    gains = [rough_descent(objective, W, gain=g, max_iter=60).cost for g in (1e-1, 1e-2, 1e-3)]
    return [[*cut, *gains, rough_fit(objective, W, 1e-3).cost]]


def starts(objective: Objective) -> list[Row]:
    rng = np.random.default_rng
    return [
        [name, q, objective.cost(start_from_name(name, objective, q, rng(q)))]
        for name in START_NAMES
        for q in (1, 2, 4)
    ]


def predicting() -> list[Row]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 5))
    y = np.sin(2.0 * X[:, :1]) + 0.1 * rng.standard_normal((150, 1))
    found = sharpened(X, y, orthonormal(5, 1, seed=0))
    return [list(found.losses), list(found.gradients), [found.bandwidth, int(found.has_settled)]]


def certificates() -> list[Row]:
    objective, W = saddle()
    places = [(objective, W), (objective, np.roll(W, 1, axis=0))]
    places += [(indefinite(seed), orthonormal(6, 2, seed)) for seed in (0, 1)]
    figures = "orthogonality stationarity curvature second_order eigengap is_lowest theorem1"
    return [
        [float(getattr(c, name)) + 1.0 for name in figures.split()]
        for c in (certify(objective, W) for objective, W in places)
    ]


class Counted:
    """Products, and how many columns each had."""

    def __init__(self, A: np.ndarray) -> None:
        self._A, self.widths = A, list[int]()

    def __call__(self, V: np.ndarray) -> np.ndarray:
        self.widths.append(V.shape[1])
        return self._A @ V


def products() -> list[Row]:
    """How many products, of how many columns, a search for eigenvectors takes."""
    n, k = 320, 3
    Q = orthonormal(n, n, seed=1)
    values = np.concatenate([[-1.0, -0.97, -0.93], -0.8 * 0.97 ** np.arange(n - k)])
    A = (Q * values) @ Q.T
    crowded = symmetric(n, seed=2) / np.sqrt(n)
    near = np.linalg.qr(Q[:, : k + 1] + 1e-3 * orthonormal(n, k + 1, seed=3))[0]
    found: list[Row] = []
    for M in (A, crowded):
        for guess in (None, near):
            start = orthonormal(n, k + 2, seed=4) if guess is None else near
            searches: dict[str, Callable[[Counted], object]] = {
                "block": lambda f, s=start: block_krylov(f, s, n_exact=2, atol=1e-5),
                "restarted": lambda f, s=start: restarted_krylov(
                    f, s, n_exact=2, atol=1e-6, max_products=60
                ),
                "moved": lambda f, s=start: moved_top(lambda V: -f(V), s, k, 1e-5, 40),
                "top": lambda f, g=guess: top_eigenpairs(lambda V: -f(V), n, k, g, 1e-6),
                "lowest": lambda f, g=guess: OperatorSymmetric(f, n).lowest(k, g),
                "split": lambda f: OperatorSymmetric(f, n).split(near),
                "resolved": lambda f: OperatorSymmetric(f, n).resolved(2, lambda: None),
            }
            for name, search in searches.items():
                counted = Counted(M)
                search(counted)
                found.append([name, len(counted.widths), sum(counted.widths)])
    for M in (A, crowded):
        dense = DenseSymmetric(M).split(near)
        found.append([dense.outer.size, float(dense.rest), float(dense.gap)])
        found.append([float(v) for v in dense.diagonal(1e-2)[1]])
    return found


def curvatures() -> list[Row]:
    """How a search for the smallest eigenvalue ends, by its rules one at a time."""
    n = 90
    Q = orthonormal(n, n, seed=1)
    values = np.concatenate([[-0.5, -0.45], np.linspace(0.0, 4.0, n - 2)])
    A = (Q * values) @ Q.T
    start = Q[:, 40] + 0.1 * Q @ np.ones(n) / np.sqrt(n)
    halves = 1.0 / (0.6 + np.abs(values))

    def precondition(r: np.ndarray) -> np.ndarray:
        return Q @ (halves * (Q.T @ r))

    rules: list[dict[str, object]] = [
        {},
        {"rtol": 0.1},
        {"rtol": 1e-4, "max_products": 40},
        {"atol": 0.1},
        {"threshold": -0.1},
        {"threshold": -0.6},
        {"settled_above": 0.0},
        {"settled_above": -1.0, "rtol": 1e-3},
        {"min_products": 2, "atol": 1.0},
        {"max_products": 5},
        {"precondition": precondition, "rtol": 1e-3},
    ]
    found = [smallest_eigenpair(lambda v: A @ v, start, **rule) for rule in rules]  # type: ignore
    return [[pair.products, pair.value + 1.0, pair.residual] for pair in found]


def pivots() -> list[Row]:
    """Columns that a Cholesky factor takes, and what it leaves."""
    x = np.linspace(0.0, 3.0, 70)[:, None]
    K = gaussian_kernel(x, x, 0.4)
    settings = [(1e-2, None), (1e-6, None), (1e-12, None), (1e-6, 3)]
    found = [
        pivoted_cholesky(np.diag(K), lambda i: K[:, i], rtol=r, max_rank=m) for r, m in settings
    ]
    return [[L.shape[1], float(np.abs(L).sum()), rest + 1.0] for L, rest in found]


def by_features(q: int, tol: float) -> list[Row]:
    """Landmarks that are chosen anew as W turns."""
    X, y, _ = ring(700)
    objective = Objective(X, ClassTable.centered(y), Gaussian(0.8), "nystrom", rtol=1e-6)
    return steps(SpectralSolver(objective, tol), orthonormal(6, q, seed=q))


def wide() -> list[Row]:
    """d q > 400 and d > 200: Krylov spectra, Hessian products and a search for the curvature."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 120)
    X = rng.standard_normal((120, 230)) + 3.0 * np.eye(4, 230)[y]
    objective = Objective(X, ClassTable.centered(y), Gaussian(16.0), "dense")
    return steps(SpectralSolver(objective, 1e-5), orthonormal(230, 2, seed=1))


PATHS: dict[str, Callable[[], list[Row]]] = {
    **{
        f"{solver}, wine, {share} of the median, {q}": (
            lambda s=solver, a=share, q=q: by(s, classes("wine", a), q)
        )
        for solver in ("spectral", "ism+", "stiefel")
        for share, q in ((1.0, 2), (0.3, 1))
    },
    "dg": lambda: by("dg", classes("wine", 1.0), 2, 1e-2),
    "spectral, four directions": lambda: by("spectral", classes("wine", 0.25), 4, 1e-6),
    "spectral, a polynomial": lambda: steps(
        SpectralSolver(
            rings(300, Polynomial(2)), 1e-5
        ),
        orthonormal(6, 2, seed=2),
    ),
    "spectral, from a saddle": lambda: steps(SpectralSolver(saddle()[0], 1e-6), saddle()[1]),
    "spectral, while it is worth it": lambda: steps(
        SpectralSolver(classes("wine", 0.3), 1e-8, worth=1e-3), orthonormal(13, 2, seed=2)
    ),
    **{
        f"{solver}, indefinite {seed}": (lambda s=solver, k=seed: by(s, indefinite(k), 2))
        for solver in ("spectral", "stiefel", "ism+")
        for seed in (0, 3)
    },
    **{
        f"lbfgs, indefinite {seed}": (
            lambda k=seed: steps(LbfgsSolver(indefinite(k), 1e-4), orthonormal(6, 2, seed=k))
        )
        for seed in (1, 2)
    },
    **{
        f"lbfgs, clusters {normalize}": (
            lambda n=normalize, k=kernel: steps(
                LbfgsSolver(clusters(n, k), 1e-4, worth=1e-4), orthonormal(4, 2, seed=1)
            )
        )
        for normalize, kernel in (("degree", RelativeGaussian()), ("none", Gaussian(1.0)))
    },
    "rough, wine": lambda: descents_that_are_cut(classes("wine", 0.5), 2),
    "rough, digits": lambda: descents_that_are_cut(classes("digits", 0.5, 120), 2),
    "starts, wine": lambda: starts(classes("wine", 1.0)),
    "starts, ring": lambda: starts(
        rings(150, Gaussian(1.0))
    ),
    "predicting": predicting,
    "certificates": certificates,
    "products": products,
    "curvatures": curvatures,
    "pivots": pivots,
    "features, two directions": lambda: by_features(2, 1e-5),
    "features, one direction": lambda: by_features(1, 1e-4),
    "wide": wide,
}  # fmt: skip


def path(name: str) -> list[Row]:
    """The steps of a search."""
    with threadpool_limits(1):
        return PATHS[name]()


if __name__ == "__main__":
    import sys
    import time

    paths = {}
    for name in PATHS:
        begin = time.perf_counter()
        paths[name] = path(name)
        print(
            f"{time.perf_counter() - begin:6.2f} s  {len(paths[name]):4}  {name}", file=sys.stderr
        )
    lines = ",\n".join(
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in paths.items()
    )
    where = f'"architecture": {json.dumps(architecture())}, "scipy": "{scipy.__version__[:4]}"'
    text = f'{{{where}, "paths": {{\n{lines}\n}}}}\n'
    STORED.write_text(text)
