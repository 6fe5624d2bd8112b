"""Dimension growth: one column after the other, those before it fixed."""

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._linalg import null_space_of
from hsiclearn._solvers import DimensionGrowthSolver, dimension_growth, run
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian
from problems import Uphill, standardised
from registry import orthonormal


def wine(share=1.0):
    X, y, median = standardised("wine")
    return Objective(X, ClassTable.centered(y), Gaussian(share * median))


def grow(objective, W, tol=1e-6, max_iter=100):
    return run(DimensionGrowthSolver(objective, tol), W, max_iter=max_iter)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_one_column_is_stationary(share):
    outcome = grow(wine(share), orthonormal(13, 1, seed=0))
    assert outcome.status is Status.CONVERGED
    assert outcome.point.stationarity <= 1e-6
    assert [record.step for record in outcome.history] == ["start", "column"]


def test_the_last_of_two_columns_is_the_best_given_the_first():
    """As a whole the frame is not stationary: that is what greed costs."""
    objective = wine(0.5)
    point = grow(objective, orthonormal(13, 2, seed=0)).point
    assert np.linalg.norm(point.residual[:, 1]) <= 1e-6 * point.norm
    assert point.stationarity > 1e-3
    first, second = point.W[:, :1], point.W[:, 1:]
    for direction in null_space_of(point.W).T:
        for angle in (-0.01, 0.01):
            turned = np.cos(angle) * second + np.sin(angle) * direction[:, None]
            assert objective.cost(np.hstack([first, turned])) > point.cost


def test_the_columns_before_stay_as_they_were_found():
    objective, W = wine(), orthonormal(13, 3, seed=2)
    three, two, one = (grow(objective, W[:, :q]).point.W for q in (3, 2, 1))
    np.testing.assert_allclose(three[:, :2], two, atol=1e-12)
    np.testing.assert_array_equal(two[:, :1], one)


def test_a_record_per_column_of_the_frame_completed_by_the_start():
    objective, W = wine(), orthonormal(13, 3, seed=0)
    outcome = grow(objective, W)
    assert [record.step for record in outcome.history] == ["start"] + ["column"] * 3
    assert outcome.history[0].cost == objective.cost(W)
    V = outcome.point.W[:, :1]
    completed = np.linalg.qr(np.hstack([V, W[:, 1:]]))[0]
    assert outcome.history[1].cost == pytest.approx(objective.cost(completed), rel=1e-12)


def test_a_start_inside_the_span_of_the_columns_grown_is_replaced():
    objective, first = wine(), grow(wine(), orthonormal(13, 1, seed=0)).point.W
    other = null_space_of(first)[:, :1]
    outcome = grow(objective, np.hstack([np.sqrt(0.5) * (first + other), first]), tol=1e-5)
    assert outcome.status is Status.CONVERGED
    W = outcome.point.W
    assert np.linalg.norm(W.T @ W - np.eye(2)) <= 1e-12
    best = grow(objective, orthonormal(13, 2, seed=0)).point.cost
    assert outcome.point.cost == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_indefinite_weights_and_many_bends(seed):
    rng = np.random.default_rng(seed)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    objective = Objective(X, Dense(G + G.T), Gaussian(1.5))
    outcome = grow(objective, orthonormal(6, 2, seed))
    assert outcome.status is Status.CONVERGED
    assert np.linalg.norm(outcome.point.residual[:, 1]) <= 1e-6 * outcome.point.norm
    assert outcome.history[-1].evaluations < 400


def test_the_budget_of_a_column(monkeypatch):
    monkeypatch.setattr(dimension_growth, "_MOVES", 2)
    outcome = grow(wine(), orthonormal(13, 2, seed=0))
    assert outcome.status is Status.MAX_ITER
    assert len(outcome.history) == 3


def test_max_iter_counts_columns():
    outcome = grow(wine(), orthonormal(13, 3, seed=0), max_iter=1)
    assert outcome.status is Status.MAX_ITER
    assert outcome.point.W.shape == (13, 3)
    assert len(outcome.history) == 2


def test_a_column_that_cannot_fall_is_called_stalled():
    outcome = grow(Uphill(), orthonormal(4, 2, seed=0))
    assert outcome.status is Status.STALLED
    assert len(outcome.history) == 3
