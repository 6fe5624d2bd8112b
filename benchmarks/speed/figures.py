"""Figures that guard the speed: only public names, so that they can be had of any commit.

Each is one thing a user waits for, or one sum over pairs behind it.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from hsiclearn import (
    AlternativeHSIC,
    Objective,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    certify,
    hsic_test,
    solve,
)
from hsiclearn.datasets import make_two_views
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian


def planted(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Five classes with different means."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return rng.standard_normal((n, d)) + 1.5 * np.eye(5, d)[y], y


class Sums:
    """One evaluation; the frame changes, because engines keep what they computed at the last."""

    params = ("dense", "tiled", "nystrom")
    param_names = ("engine",)

    def setup(self, engine: str) -> None:
        X, y = planted({"dense": 400, "tiled": 4000, "nystrom": 50_000}[engine], 20)
        rng = np.random.default_rng(1)
        self.frames = [np.linalg.qr(rng.standard_normal((20, 2)))[0] for _ in range(2)]
        gamma = ClassTable.centered(y)
        self.objective = Objective(X, gamma, Gaussian(6.0), engine, n_components=2)

    def time_phi(self, engine: str) -> None:
        for W in self.frames:
            self.objective.phi(W)

    def time_hessian_vector(self, engine: str) -> None:
        for W in self.frames:
            self.objective.hessian_vector(W, self.frames[1])


class Fits:
    """Whole fits on tables of the paper's size and of many rows."""

    def setup(self) -> None:
        X, self.y = load_wine(return_X_y=True)
        self.X = StandardScaler().fit_transform(X)
        self.many = planted(20_000, 50)

    def time_default(self) -> None:
        SupervisedHSIC().fit(self.X, self.y)

    def time_median_bandwidth(self) -> None:
        SupervisedHSIC(bandwidth="median").fit(self.X, self.y)

    def time_algorithm_1(self) -> None:
        solve(self.X, ClassTable.centered(self.y), Gaussian(4.0), 2, solver="ism+", tol=1e-2)

    def time_many_rows(self) -> None:
        SupervisedHSIC(4, bandwidth="median").fit(*self.many)

    def peakmem_many_rows(self) -> None:
        SupervisedHSIC(4, bandwidth="median").fit(*self.many)


class Answers:
    """What is done with a fit."""

    def setup(self) -> None:
        X, y = load_wine(return_X_y=True)
        self.X, self.y = StandardScaler().fit_transform(X), y
        self.model = SupervisedHSIC(bandwidth="median").fit(self.X, y)
        self.objective = Objective(self.X, ClassTable.centered(y), Gaussian(self.model.bandwidth_))
        self.rows = np.tile(self.X, (500, 1))

    def time_certify(self) -> None:
        certify(self.objective, self.model.components_.T)

    def time_transform(self) -> None:
        self.model.transform(self.rows)

    def time_hsic_test(self) -> None:
        hsic_test(self.X, self.y)


class Clusterings:
    """A search from many starts each."""

    timeout = 300

    def setup(self) -> None:
        self.X, self.given, _ = make_two_views("moons", 200, n_noise=0)
        self.known = np.where(np.arange(200) < 10, self.given, -1)

    def time_unsupervised(self) -> None:
        UnsupervisedHSIC(2, 2).fit(self.X)

    def time_semi_supervised(self) -> None:
        SemiSupervisedHSIC(2, 2).fit(self.X, self.known)

    def time_alternative(self) -> None:
        AlternativeHSIC(2, 2).fit(self.X, self.given)


def timeraw_import() -> str:
    """Everything, from the start of the interpreter."""
    return "import hsiclearn; hsiclearn.SupervisedHSIC"
