"""Ratios from one run: against plain numpy, scikit-learn and pymanopt.

Machines differ and are noisy, so nothing here is a bare time to compare with another day's: the
two sides of a ratio take turns in the same process, and the median of the turns is printed.

    python -m hsiclearn_benchmarks.core [numpy] [memory] [sklearn] [pymanopt]
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np
import pymanopt
from pymanopt.manifolds import Grassmann
from pymanopt.optimizers import ConjugateGradient, TrustRegions
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from hsiclearn import Objective, SupervisedHSIC
from hsiclearn._engines import single_threaded_blas
from hsiclearn._selection import median_distance
from hsiclearn._solvers import SpectralSolver, run
from hsiclearn._solvers.starts import phi_zero
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

from ._types import Array

Thunk = Callable[[], Any]


def turns(*sides: Thunk, seconds: float = 2.0, at_least: int = 3) -> list[float]:
    """Median time of each side, measured in turns.

    The pause lets the threads of the last side's BLAS fall asleep: they spin for a while, on the
    cores the next side needs. The untimed call after it wakes the machine up again.
    """
    times: list[list[float]] = [[] for _ in sides]
    began = time.perf_counter()
    while len(times[0]) < at_least or time.perf_counter() - began < seconds:
        for record, side in zip(times, sides, strict=True):
            time.sleep(0.1)
            side()
            start = time.perf_counter()
            side()
            record.append(time.perf_counter() - start)
    return [float(np.median(record)) for record in times]


def planted(n: int, d: int, n_classes: int = 5, seed: int = 0) -> tuple[Array, Array]:
    """Gaussian classes with different means."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    return rng.standard_normal((n, d)) + 1.5 * np.eye(n_classes, d)[y], y


def paper_phi(X: Array, W: Array, gamma: Array, bandwidth: float) -> Array:
    """``X'(D_Psi - Psi)X``, ``Psi = Gamma o K_XW``: the paper's formula in plain numpy.

    Kindly: Gamma is given, distances come from one product, D is never a matrix.
    """
    P = X @ W
    square = (P * P).sum(axis=1)
    K = np.exp(-(square[:, None] + square - 2 * P @ P.T) / (2 * bandwidth**2))
    psi = gamma * K
    return X.T @ (psi.sum(axis=1)[:, None] * X - psi @ X)


def in_turn(function: Callable[[Array], object], frames: list[Array]) -> Thunk:
    """Call ``function`` on one frame after the other."""
    supply = cycle(frames)
    return lambda: function(next(supply))


def bench_numpy() -> None:
    """One evaluation of Phi, tiled against the formula in plain numpy."""
    print("\nOne exact Phi, d = 50, q = 4, 5 classes, float64: plain numpy / tiled")
    for n in (2000, 4000, 8000):
        X, y = planted(n, 50)
        rng = np.random.default_rng(1)
        # Two frames in turn: the engine keeps what it computed at the last one.
        frames = [np.linalg.qr(rng.standard_normal((50, 4)))[0] for _ in range(2)]
        objective = Objective(X, ClassTable.centered(y), Gaussian(10.0), "tiled")
        gamma = objective.gamma.to_dense()
        W = frames[0]
        ours = objective.phi(W) * 100.0  # the paper leaves out the factor 1/s^2
        assert np.abs(ours - paper_phi(X, W, gamma, 10.0)).max() <= 1e-9 * np.abs(ours).max()
        plain, tiled = turns(
            in_turn(partial(paper_phi, X, gamma=gamma, bandwidth=10.0), frames),
            in_turn(objective.phi, frames),
        )
        print(f"  n = {n:5}: {plain * 1e3:8.1f} ms / {tiled * 1e3:7.1f} ms = {plain / tiled:5.1f}x")


MEMORY_SCRIPT = """
from pathlib import Path
from hsiclearn_benchmarks.core import planted
from hsiclearn import SupervisedHSIC

def memory(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))

# lazily loaded code is counted before
SupervisedHSIC(n_components=2, bandwidth="median").fit(*planted(500, 50))
X, y = planted(32_000, 50)
Path("/proc/self/clear_refs").write_text("5")  # reset the high-water mark
before = memory("VmRSS")
model = SupervisedHSIC(n_components=2, bandwidth="median").fit(X, y)
print(memory("VmHWM") - before, model.engine_, model.n_iter_, model.converged_)
"""


def bench_memory() -> None:
    """Peak extra memory of a whole fit at n = 32,000."""
    print("\nPeak memory of a fit beyond the data, n = 32,000, d = 50, q = 2")
    if not sys.platform.startswith("linux"):
        print("  measured on Linux only")
        return
    out = subprocess.run(
        [sys.executable, "-c", MEMORY_SCRIPT], capture_output=True, text=True, check=True
    )
    extra, engine, steps, converged = out.stdout.split()
    print(f"  {float(extra):.0f} MB ({engine} engine, {steps} steps, converged: {converged})")


def paper_sized() -> dict[str, tuple[Array, Array, tuple[int, ...]]]:
    """Data of the paper's sizes: wine itself, and planted classes of the other shapes."""
    wine = load_wine(return_X_y=True)
    shapes = {"683 x 9": (683, 9, 2, (2, 4)), "1728 x 6": (1728, 6, 4, (2, 4))}
    sets = {"178 x 13": (*wine, (2, 4))}
    for name, (n, d, n_classes, qs) in shapes.items():
        sets[name] = (*planted(n, d, n_classes), qs)
    X, y = planted(624, 960, 20)
    # Faces have smooth spectra: mix the columns so that these have one too.
    mixing = np.random.default_rng(2).standard_normal((960, 960)) / np.arange(1, 961)[:, None]
    sets["624 x 960"] = (X @ mixing, y, (2, 20))
    return sets


def bench_sklearn() -> None:
    """Whole fits at the median bandwidth beside LDA and PCA."""
    print("\nfit() at bandwidth='median', beside LDA and PCA (same number of components)")
    for name, (raw, y, qs) in paper_sized().items():
        X = StandardScaler().fit_transform(raw)
        for q in qs:
            ours, lda, pca = turns(
                partial(SupervisedHSIC(n_components=q, bandwidth="median").fit, X, y),
                partial(LinearDiscriminantAnalysis().fit, X, y),
                partial(PCA(n_components=q).fit, X),
            )
            print(
                f"  {name:>9}, q = {q:2}: {ours * 1e3:8.2f} ms, LDA {lda * 1e3:7.2f} ms, "
                f"PCA {pca * 1e3:7.2f} ms: {ours / lda:5.2f}x LDA, {ours / pca:6.2f}x PCA"
            )


def pymanopt_rivals(objective: Objective, W: Array, gradient_norm: float) -> dict[str, Thunk]:
    """Trust region and conjugate gradient on the Grassmann manifold, analytic derivatives.

    They may stop where our solver does: at the same norm of the Riemannian gradient.
    """
    manifold = Grassmann(*W.shape)
    function: Any = pymanopt.function.numpy(manifold)

    def cost(V: Array) -> float:
        return objective.cost(V)

    def gradient(V: Array) -> Array:
        return objective.gradient(V)

    def hessian(V: Array, Z: Array) -> Array:
        return objective.hessian_vector(V, Z)

    problem = pymanopt.Problem(
        manifold,
        function(cost),
        euclidean_gradient=function(gradient),
        euclidean_hessian=function(hessian),
    )
    options = {"verbosity": 0, "min_gradient_norm": gradient_norm, "max_time": 60}
    return {
        "trust region": lambda: TrustRegions(**options).run(problem, initial_point=W),
        "conjugate gradient": lambda: ConjugateGradient(**options).run(problem, initial_point=W),
    }


def bench_pymanopt() -> None:
    """The same objective, engine, start and accuracy; only the method differs."""
    print("\npymanopt on the same objective, engine and start, to the same gradient norm")
    digits = load_digits(return_X_y=True)
    sets = {
        "wine": (*load_wine(return_X_y=True), 2),
        "breast cancer": (*load_breast_cancer(return_X_y=True), 2),
        "planted 1000 x 20": (*planted(1000, 20), 4),
        "digits": (*digits, 4),
    }
    for name, (raw, y, q) in sets.items():
        X = StandardScaler().fit_transform(raw)
        median = median_distance(X, np.random.default_rng(0))
        for share in (1.0, 0.5):
            objective = Objective(X, ClassTable.centered(y), Gaussian(share * median))
            with single_threaded_blas():
                compare_with_pymanopt(f"{name}, q = {q}, {share} median", objective, q)


def compare_with_pymanopt(label: str, objective: Objective, q: int) -> None:
    W = phi_zero(objective, q)
    ours = run(SpectralSolver(objective, 1e-6), W, max_iter=100)
    norm = 2e-6 * ours.point.norm
    seconds = turns(lambda: run(SpectralSolver(objective, 1e-6), W, max_iter=100), seconds=1.0)[0]
    cells = []
    for method, rival in pymanopt_rivals(objective, W, norm).items():
        start = time.perf_counter()
        outcome = rival()
        took = time.perf_counter() - start
        difference = (outcome.cost - ours.point.cost) / abs(ours.point.cost)
        cells.append(f"{method} {took / seconds:6.1f}x the time, cost {difference:+.1e}")
    print(f"  {label:>34}: {seconds * 1e3:7.1f} ms; " + "; ".join(cells))


BENCHES = {
    "numpy": bench_numpy,
    "memory": bench_memory,
    "sklearn": bench_sklearn,
    "pymanopt": bench_pymanopt,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for chosen in sys.argv[1:] or BENCHES:
        BENCHES[chosen]()
