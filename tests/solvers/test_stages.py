"""A sample first, where rows are many: also from a start that is given."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hsiclearn import Objective, Status, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._solvers import Run
from hsiclearn._solvers.problem import Settings
from hsiclearn._solvers.stages import Stages, by_gradients, made_exact, on_a_sample
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import ring
from registry import orthonormal

X, y, TRUTH = ring(n_samples=2000, n_features=5, seed=1)
GAMMA, KERNEL = ClassTable.centered(y), Gaussian(1.0)
SETTINGS = Settings(engine="nystrom")


@cache
def best():
    return solve(X, GAMMA, KERNEL, 2, engine="nystrom", init=TRUTH)


RANDOM = orthonormal(5, 2, seed=2)


@pytest.fixture(autouse=True)
def _few_rows_are_many(monkeypatch):
    monkeypatch.setattr("hsiclearn._solvers.stages._SAMPLE", 400)


class Watched:
    """Notes how many rows every stage has, and how many starts."""

    def __init__(self, settings):
        self._stages, self.seen = Stages(settings), []

    def run(self, objective, starts, tol, *, is_near=False):
        self.seen.append((objective.n_samples, len(starts), tol))
        return self._stages.run(objective, starts, tol, is_near=is_near)


def after_a_sample(starts, settings=SETTINGS, engine="nystrom", rows=2000):
    stages = Watched(settings)
    objective = Objective(X[:rows], ClassTable.centered(y[:rows]), KERNEL, engine)
    _, found = on_a_sample(objective, starts, stages, settings, np.random.default_rng(0))
    return found, stages.seen


def test_a_given_start_goes_through_a_sample():
    [(name, W)], seen = after_a_sample([("array", RANDOM)])
    assert name == "array"
    assert [rows for rows, _, _ in seen] == [400]
    assert sine_of_largest_angle(RANDOM, best().W) > 0.5
    assert sine_of_largest_angle(W, best().W) < 0.2  # as near as 400 rows can tell


def test_a_start_nearer_than_a_sample_can_tell_is_kept():
    """At the optimum of all rows a sample would only lead away."""
    starts = [("array", best().W)]
    found, seen = after_a_sample(starts)
    assert found is starts
    assert seen == []


def test_of_several_starts_the_sample_keeps_the_best():
    """Even if one of them is good: which one is what the sample tells."""
    [(name, W)], seen = after_a_sample([("random", RANDOM), ("array", best().W)])
    assert [(rows, starts) for rows, starts, _ in seen] == [(400, 2)]
    assert name in ("random", "array")
    assert sine_of_largest_angle(W, best().W) < 0.2


def test_a_sample_is_not_solved_beyond_its_noise():
    _, [(_, _, tol)] = after_a_sample([("array", RANDOM)])
    assert tol == pytest.approx(0.1 * np.sqrt(5 / 400))
    _, [(_, _, tol)] = after_a_sample([("array", RANDOM)], replace(SETTINGS, tol=0.05))
    assert tol == 0.05


@pytest.mark.parametrize(
    ("settings", "engine", "rows"),
    [
        (SETTINGS, "dense", 2000),  # all pairs: rows are few
        (SETTINGS, "nystrom", 1600),  # not more than four samples
        (replace(SETTINGS, solver="ism+"), "nystrom", 2000),  # as printed
    ],
)
def test_no_sample_where_there_is_no_need(settings, engine, rows):
    starts = [("array", RANDOM)]
    found, seen = after_a_sample(starts, settings, engine, rows)
    assert found is starts
    assert seen == []


def test_a_stalled_run_is_refined_where_no_angle_is_left():
    """Where q = d there is none to divide by."""
    few = Objective(X[:150, :2], ClassTable.centered(y[:150]), KERNEL, "nystrom", rtol=1e-3)
    point = few.point(np.eye(2))
    stages = Watched(SETTINGS)
    run, error = made_exact(Run(point, Status.STALLED, (), "array"), stages, SETTINGS)
    assert run.status is Status.CONVERGED
    assert stages.seen
    assert error.angle == 0.0
    assert error.relative < 0.9 * point.objective.engine_error(point).relative


def test_the_answer_is_that_of_all_rows(capsys):
    result = solve(X, GAMMA, KERNEL, 2, engine="nystrom", init=RANDOM, verbose=1)
    stages = [line for line in capsys.readouterr().out.splitlines() if "engine" in line]
    assert [line.split()[0] for line in stages[:2]] == ["400", "2000"]
    assert result.converged
    assert result.start == "array"
    assert sine_of_largest_angle(result.W, best().W) < 1e-4


def wide_problem():
    """60 rows, 400 columns, a start near the answer and the answer."""
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 2
    table = rng.standard_normal((60, 400)) + 2.0 * np.eye(1, 400) * codes[:, None]
    objective = Objective(table, ClassTable.centered(codes), Gaussian(20.0))
    start = solve(table, objective.gamma, objective.kernel, 1, tol=1e-2).W
    return objective, start


def test_a_near_start_is_made_nearer_by_gradients_where_phi_is_large():
    objective, W = wide_problem()
    near = Settings(init=W, is_near=True)
    [(name, nearer)] = by_gradients(objective, [("array", W)], near)
    assert name == "array"
    assert objective.cost(nearer) < objective.cost(W)
    assert objective.point(nearer).stationarity < 0.1 * objective.point(W).stationarity


@pytest.mark.parametrize(
    "settings",
    [Settings(), Settings(is_near=True, solver="stiefel")],
    ids=["far", "another solver"],
)
def test_other_starts_are_left_as_they_are(settings):
    objective, W = wide_problem()
    starts = [("array", W)]
    assert by_gradients(objective, starts, settings) is starts


def test_few_columns_are_left_to_newton():
    starts = [("array", TRUTH)]
    objective = Objective(X[:300], ClassTable.centered(y[:300]), KERNEL)
    assert by_gradients(objective, starts, Settings(is_near=True)) is starts
