"""Gradients of all rows with the curvature of some: where they lead, and when they are not used."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import Objective, Status, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._objective import objective as home
from hsiclearn._rows import TurnedRows, as_rows
from hsiclearn._solvers import SpectralSolver, stages
from hsiclearn._solvers._base import run
from hsiclearn._solvers.corrections import cheap_look, corrected
from hsiclearn.gamma import ClassTable, GaussianColumn
from hsiclearn.kernels import Gaussian
from registry import orthonormal

N, D, TOL = 8000, 5, 1e-6
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D))
NOISE = RNG.standard_normal((N, 2))
CODES = (X[:, 0] + 0.5 * NOISE[:, 0] > 0) + 2 * (X[:, 1] + 0.5 * NOISE[:, 1] > 0.5)
REAL = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * NOISE[:, 0]
GAMMAS = {"classes": ClassTable.centered(CODES), "real": GaussianColumn(REAL, 1.0)}
KERNEL = Gaussian(2.0)


@pytest.fixture(autouse=True)
def _few_rows_are_many(monkeypatch):
    monkeypatch.setattr(stages, "_SAMPLE", 1000)
    monkeypatch.setattr(home, "_STAND_IN_FROM", N)
    monkeypatch.setattr(home, "_LEAST", 2000)


def objective(name="classes"):
    return Objective(X, GAMMAS[name], KERNEL, "nystrom")


@cache
def answer(name):
    """The optimum of all rows, by a descent that has seen nothing but all rows."""
    return run(SpectralSolver(objective(name), 1e-9), orthonormal(D, 2, seed=1), max_iter=100)


def near(name, turn=0.03):
    W = answer(name).point.W
    return np.linalg.qr(W + turn * orthonormal(D, 2, seed=3))[0]


@pytest.mark.parametrize("name", GAMMAS)
def test_they_end_at_the_optimum_of_all_rows(name):
    all_rows, start = objective(name), near(name)
    W, cost = corrected(all_rows, start, TOL)
    assert all_rows.point(start).stationarity > 1e-3
    assert all_rows.point(W).stationarity <= TOL
    assert sine_of_largest_angle(W, answer(name).point.W) < 1e-5
    assert cost == pytest.approx(answer(name).point.cost, rel=1e-6)


@pytest.mark.parametrize("name", GAMMAS)
def test_a_staged_fit_ends_where_one_on_all_rows_does(name, monkeypatch):
    staged = solve(X, GAMMAS[name], KERNEL, 2, engine="nystrom", tol=1e-7)
    monkeypatch.setattr(stages, "_SAMPLE", N)
    monkeypatch.setattr(home, "_STAND_IN_FROM", N + 1)
    direct = solve(X, GAMMAS[name], KERNEL, 2, engine="nystrom", tol=1e-7)
    assert staged.certificate.verified
    assert direct.certificate.verified
    assert staged.certificate.eigengap > 1e-2
    assert sine_of_largest_angle(staged.W, direct.W) < 1e-6
    assert staged.cost == pytest.approx(direct.cost, rel=1e-9)


def test_secants_shrink_the_gradient_faster_than_a_sample_alone(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "hsiclearn._solvers.corrections.tell",
        lambda _, words: seen.append(float(words.split()[-1])),
    )
    corrected(objective(), near("classes"), 1e-10)
    shares = [b / a for a, b in pairwise(seen)]
    assert len(shares) >= 3
    assert shares[2] < shares[0]


def test_a_sample_that_misleads_is_not_followed(monkeypatch):
    """Curvature of an unrelated target: the first step shrinks no gradient."""
    all_rows, start = objective(), near("classes")
    other = Objective(X[:2000], GAMMAS["classes"].take(np.arange(2000)).scaled(-1.0), KERNEL)
    all_rows._stand_in.append(other)
    W, cost = corrected(all_rows, start, TOL)
    np.testing.assert_array_equal(W, start)
    assert cost == pytest.approx(all_rows.cost(start), rel=1e-6)


def test_a_look_at_all_rows_tells_what_a_point_does():
    all_rows, W = objective(), near("classes")
    look = cheap_look(all_rows, W, TOL)
    assert look.cost == pytest.approx(all_rows.cost(W), rel=1e-6)
    assert look.stationarity == pytest.approx(all_rows.point(W).stationarity, rel=0.1)


def test_a_tolerance_beyond_single_precision_takes_double():
    W, _ = corrected(objective(), near("classes"), 1e-11)
    assert objective().point(W).stationarity < 1e-10


TABLES = {
    "sparse": sparse.csr_array(X),
    "stream": lambda: (X[i : i + 900] for i in range(0, N, 900)),
    "single precision": X.astype(np.float32),
    "turned": TurnedRows(as_rows(X), np.eye(D)),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", GAMMAS)
def test_rows_of_any_kind(name, table):
    tol = 1e-5 if table == "single precision" else TOL
    result = solve(TABLES[table], GAMMAS[name], KERNEL, 2, engine="nystrom", tol=tol)
    assert result.certificate.verified
    assert sine_of_largest_angle(result.W, answer(name).point.W) < 1e-3


def test_a_run_that_was_cut_goes_on_to_the_same_bits(tmp_path):
    path = tmp_path / "run.npz"
    arguments = {"engine": "nystrom", "checkpoint": path, "init": near("real", turn=0.3)}
    whole = solve(X, GAMMAS["real"], KERNEL, 2, **arguments)
    again = solve(X, GAMMAS["real"], KERNEL, 2, resume=True, **arguments)
    np.testing.assert_array_equal(whole.W, again.W)
    assert whole.cost == again.cost
    costs = [record.cost for record in whole.history]
    assert all(a >= b for a, b in pairwise(costs))


def test_the_answer_does_not_depend_on_the_cores(monkeypatch):
    found = []
    for cores in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", cores)
        found.append(solve(X, GAMMAS["real"], KERNEL, 2, engine="nystrom"))
    assert found[0].status is Status.CONVERGED
    np.testing.assert_array_equal(found[0].W, found[1].W)
    assert found[0].cost == found[1].cost
    assert found[0].certificate == found[1].certificate
