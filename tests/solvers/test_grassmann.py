"""Pymanopt's trust region: its tolerance is ours, it is silent, and it can be missing."""

import sys

import numpy as np
import pytest

from hsiclearn import Objective, Status, SupervisedHSIC, solve
from hsiclearn._objective import PairLoops
from hsiclearn._solvers import GrassmannSolver, grassmann, run
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian
from problems import standardised
from registry import orthonormal


def wine(factor=1.0):
    X, y, median = standardised("wine")
    return Objective(X, factor * ClassTable.centered(y), Gaussian(median))


def descend(objective, W, tol=1e-6):
    return run(GrassmannSolver(objective, tol), W, max_iter=100)


@pytest.mark.parametrize("q", [1, 2, 4])
def test_stationary_and_silent(q, capsys):
    outcome = descend(wine(), orthonormal(13, q, seed=0))
    assert outcome.status is Status.CONVERGED
    assert outcome.point.stationarity <= 1e-6
    assert outcome.history[-1].hessian_products > 0
    assert {record.step for record in outcome.history[1:]} == {"pymanopt"}
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("factor", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_the_tolerance_is_free_of_scale(tol, factor):
    outcome = descend(wine(factor), orthonormal(13, 2, seed=0), tol)
    assert outcome.status is Status.CONVERGED
    assert outcome.point.stationarity <= tol
    # A bound read without |Phi| would be met at once, or never.
    assert outcome.history[-1].evaluations <= (9 if tol == 1e-2 else 13)


def test_a_phi_that_shrinks_on_the_way_costs_a_second_run():
    """At the start |Phi| is larger than at the end, so that the first bound is too wide."""
    rng = np.random.default_rng(0)
    objective = Objective(rng.standard_normal((60, 6)), Dense(-np.ones((60, 60))), Gaussian(0.5))
    histories = []
    for seed in range(8):
        outcome = descend(objective, orthonormal(6, 2, seed), tol=1e-3)
        assert outcome.status is Status.CONVERGED
        assert outcome.point.stationarity <= 1e-3
        histories.append(outcome.history)
    assert max(len(history) for history in histories) >= 3


def test_without_a_hessian_gradients_are_differenced():
    X, y, median = standardised("iris")
    objective = Objective(X[::10], ClassTable.centered(y[::10]), Gaussian(median))
    W, Z = orthonormal(4, 2, seed=0), 3.0 * orthonormal(4, 2, seed=1)
    differenced = grassmann._Counted(PairLoops(objective))
    expected = objective.hessian_vector(W, Z)
    np.testing.assert_allclose(differenced.hessian(W, Z), expected, atol=1e-7)
    np.testing.assert_array_equal(differenced.hessian(W, 0.0 * Z), 0.0 * Z)
    assert differenced.products == 2


def test_its_own_budget(monkeypatch):
    monkeypatch.setattr(grassmann, "_ITERATIONS", 2)
    outcome = descend(wine(), orthonormal(13, 2, seed=0))
    assert outcome.status is Status.MAX_ITER
    assert len(outcome.history) == 2


def test_without_pymanopt_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymanopt", None)
    X, y, median = standardised("wine")
    with pytest.raises(MissingExtraError, match=r"pip install 'hsic-learn\[manifold\]'"):
        GrassmannSolver(wine(), 1e-6)
    with pytest.raises(MissingExtraError, match="solver='grassmann' needs pymanopt"):
        solve(X, ClassTable.centered(y), Gaussian(median), 1, solver="grassmann")
    with pytest.raises(MissingExtraError, match="solver='grassmann' needs pymanopt"):
        SupervisedHSIC(n_components=1, solver="grassmann").fit(X, y)
