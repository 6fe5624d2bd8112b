"""Fits that are only compared: three digits of the cost, by gradients alone."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._engines import rough_engine
from hsiclearn._solvers import SpectralSolver, rough_fit, run
from hsiclearn._solvers.rough import _has_cheap_hessian, _retracted, rough_descent
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from naive import assert_close
from problems import ring, standardised
from registry import orthonormal


def problem(name, scale, engine=rough_engine, rows=400):
    X, y, median = standardised(name)
    return Objective(X[:rows], ClassTable.centered(y[:rows]), Gaussian(scale * median), engine)


@pytest.mark.parametrize("name", ["wine", "digits"])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_three_digits_of_the_cost(name, scale):
    """From one start, beside the solver that ends at a stationary point."""
    rough, exact = problem(name, scale), problem(name, scale, "dense")
    W = orthonormal(rough.n_features, 2, seed=1)
    settled = run(SpectralSolver(exact, 1e-6), W, max_iter=100).point
    found = rough_descent(rough, W, gain=1e-4, max_iter=200)
    assert found.cost == pytest.approx(exact.cost(found.W), rel=1e-5)
    if found.cost > settled.cost:  # another minimum may be lower
        assert found.cost == pytest.approx(settled.cost, rel=2e-3)


def test_a_smaller_gain_goes_further():
    objective = problem("digits", 0.5, "dense")
    W = orthonormal(objective.n_features, 2, seed=1)
    costs = [rough_descent(objective, W, gain=g, max_iter=200).cost for g in (1e-2, 1e-4, 1e-8)]
    assert objective.cost(W) > costs[0] > costs[1] > costs[2]


def test_ends_where_there_is_no_gradient():
    """As many directions as features: every basis spans the same space."""
    X, y, _ = ring(n_samples=100, n_features=4)
    objective, W = Objective(X, ClassTable.centered(y), Gaussian(1.0)), orthonormal(4, 4, seed=0)
    found = rough_descent(objective, W, gain=1e-12, max_iter=50)
    assert found.cost == pytest.approx(objective.cost(W), rel=1e-12)


def test_the_retraction_is_the_polar_factor():
    W = orthonormal(7, 3, seed=0)
    Z = np.random.default_rng(1).standard_normal((7, 3))
    Z -= W @ (W.T @ Z)
    U, _, Vh = np.linalg.svd(W + Z, full_matrices=False)
    assert_close(_retracted(W, Z), U @ Vh, 1e-12)


def test_newton_where_its_hessian_is_cheap():
    assert _has_cheap_hessian(1000, 10, 2)  # few unknowns
    assert _has_cheap_hessian(200, 60, 2)  # some, and few rows
    assert not _has_cheap_hessian(1000, 60, 2)
    assert not _has_cheap_hessian(50, 300, 2)  # a matrix of 600 unknowns


def test_both_ways_lead_to_about_the_same_cost(monkeypatch):
    objective = problem("wine", 0.5)
    W = orthonormal(13, 2, seed=3)
    by_newton = rough_fit(objective, W, 1e-4)
    monkeypatch.setattr("hsiclearn._solvers.rough._has_cheap_hessian", lambda *shape: False)
    by_gradients = rough_fit(objective, W, 1e-4)
    assert by_newton.cost == pytest.approx(by_gradients.cost, rel=1e-3)
    assert np.abs(by_newton.W - by_gradients.W).max() > 0.0
