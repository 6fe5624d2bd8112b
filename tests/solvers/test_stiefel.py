"""Wen and Yin's feasible method: the curve, the step lengths, the verdicts."""

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._solvers import StiefelSolver, run
from hsiclearn._solvers.stiefel import cayley
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian
from problems import Uphill, standardised
from registry import orthonormal


def wine(share=1.0):
    X, y, median = standardised("wine")
    return Objective(X, ClassTable.centered(y), Gaussian(share * median))


def descend(objective, W, tol=1e-6, max_iter=500):
    return run(StiefelSolver(objective, tol), W, max_iter=max_iter)


@pytest.mark.parametrize("length", [1e-4, 0.1, 30.0])
@pytest.mark.parametrize("q", [1, 3])
def test_the_small_system_gives_the_curve_of_the_large_one(q, length):
    W = orthonormal(7, q, seed=0)
    B = np.random.default_rng(1).standard_normal((7, 7))
    G = (B + B.T) @ W
    A = G @ W.T - W @ G.T
    expected = np.linalg.solve(np.eye(7) + 0.5 * length * A, W - 0.5 * length * (A @ W))
    moved = cayley(W, G - W @ (W.T @ G), length)
    np.testing.assert_allclose(moved, expected, atol=1e-12)
    assert np.linalg.norm(moved.T @ moved - np.eye(q)) <= 1e-13


def test_a_frame_that_drifted_is_brought_back():
    W = orthonormal(7, 2, seed=0) + 1e-9
    moved = cayley(W, np.zeros((7, 2)), 1.0)
    assert np.linalg.norm(moved.T @ moved - np.eye(2)) <= 1e-14
    np.testing.assert_allclose(moved, W, atol=1e-8)


def test_the_curve_falls_at_the_rate_of_the_squared_gradient():
    objective, W = wine(), orthonormal(13, 2, seed=0)
    R = 2.0 * objective.point(W).residual
    t = 1e-7 / np.linalg.norm(R)
    rate = (objective.cost(cayley(W, R, t)) - objective.cost(cayley(W, R, -t))) / (2 * t)
    assert rate == pytest.approx(-(np.linalg.norm(R) ** 2), rel=1e-5)


@pytest.mark.parametrize("share", [0.5, 1.0])
@pytest.mark.parametrize("q", [1, 2])
def test_it_ends_at_a_stationary_point_in_few_steps(q, share):
    outcome = descend(wine(share), orthonormal(13, q, seed=0))
    assert outcome.status is Status.CONVERGED
    assert outcome.point.stationarity <= 1e-6
    assert len(outcome.history) < 40  # plain gradient descent needs hundreds


@pytest.mark.parametrize("seed", range(4))
def test_indefinite_weights_and_many_bends(seed):
    rng = np.random.default_rng(seed)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    outcome = descend(Objective(X, Dense(G + G.T), Gaussian(1.5)), orthonormal(6, 2, seed))
    assert outcome.status is Status.CONVERGED
    assert outcome.point.stationarity <= 1e-6
    assert outcome.point.cost < outcome.history[0].cost


def test_the_cost_is_compared_with_an_average_of_those_before():
    """Zhang and Hager: so it may rise, but never above the reference."""
    solver = StiefelSolver(wine(), 1e-6)
    costs = [record.cost for record in run(solver, orthonormal(13, 4, 0), max_iter=500).history]
    reference, weight = costs[0], 1.0
    for cost in costs[1:]:
        assert cost <= reference + 1e-12 * abs(cost)
        reference = (0.85 * weight * reference + cost) / (0.85 * weight + 1.0)
        weight = 0.85 * weight + 1.0
    assert np.any(np.diff(costs) > 1e-9 * abs(costs[-1]))
    assert solver._reference == pytest.approx(reference, rel=1e-14)


def test_out_of_budget_the_lowest_point_is_returned():
    outcome = descend(wine(), orthonormal(13, 4, seed=0), max_iter=5)
    assert outcome.status is Status.MAX_ITER
    assert outcome.point.cost == min(record.cost for record in outcome.history)
    assert len(outcome.history) == 6


def test_where_no_step_falls_it_is_called_stalled():
    outcome = descend(Uphill(), orthonormal(4, 2, seed=0))
    assert outcome.status is Status.STALLED
    assert len(outcome.history) == 1
