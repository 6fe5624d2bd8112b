"""Pymanopt's trust region: its tolerance is ours, it is silent, and it can be missing."""

import sys

import numpy as np
import pytest

from hsiclearn import Objective, Status, SupervisedHSIC, solve
from hsiclearn._objective import PairLoops
from hsiclearn._solvers import GrassmannSolver, grassmann, run
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian, Linear
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


# By hand -----------------------------------------------------------------------------------------


def diagonal():
    """Phi has the eigenvalues -5, -3, -2, -1, at every W."""
    return Objective(np.eye(4), Dense(np.diag([5.0, 3.0, 2.0, 1.0])), Linear())


def started(W=None):
    solver = GrassmannSolver(diagonal(), 1e-6)
    solver.start(orthonormal(4, 2, seed=0) if W is None else W)
    return solver


@pytest.mark.parametrize(("max_iter", "iterations"), [(1, 1000), (100, 1000), (300, 3000)])
def test_the_budget_of_three_runs(max_iter, iterations):
    solver = started()
    solver.max_iter = max_iter
    assert solver._iterations == iterations
    assert solver.trials == iterations + 2
    assert solver.budget == 1 + 3 * (iterations + 2)


@pytest.mark.parametrize(
    ("angle", "iterations", "status"),
    [
        (0.0, 1000, Status.CONVERGED),
        (0.01, 1000, Status.MAX_ITER),
        (0.01, 999, None),  # lower, and nearer
        (0.1, 5, Status.STALLED),  # where it was
        (0.2, 5, Status.STALLED),
    ],
)
def test_how_a_run_of_another_library_ended(angle, iterations, status, monkeypatch):
    def turned(angle):
        return np.cos(angle) * np.eye(4)[:, :1] + np.sin(angle) * np.eye(4)[:, 1:2]

    asked = []

    def run(functions, W, bound, most):
        asked.append((W, bound, most))
        functions.cost(W), functions.cost(W), functions.hessian(W, W)
        return turned(angle), iterations

    monkeypatch.setattr(grassmann, "_trust_region", run)
    solver = started(turned(0.1))
    taken = solver.step()
    [(W, bound, most)] = asked
    np.testing.assert_array_equal(W, turned(0.1))
    assert bound == pytest.approx(0.9 * 2.0 * 1e-6 * np.linalg.norm([5.0, 3.0, 2.0, 1.0]))
    assert most == 1000
    assert taken.status is status
    assert (taken.evaluations, taken.products, taken.iterations) == (3, 1, iterations)
    assert solver._point is taken.point
    settled = solver.settles()
    assert (settled is Status.CONVERGED) == (angle == 0.0)
    if angle == 0.0:
        assert solver.step().status is Status.CONVERGED
        assert len(asked) == 1


def test_where_its_own_step_fails_the_lowest_is_returned(monkeypatch):
    counted = grassmann._Counted(diagonal())
    W, lower = orthonormal(4, 2, seed=0), np.eye(4, 2)

    def fails(self, problem, *, initial_point):
        for V in seen:
            counted.cost(V)
        raise np.linalg.LinAlgError

    monkeypatch.setattr("pymanopt.optimizers.TrustRegions.run", fails)
    seen = []
    assert grassmann._trust_region(counted, W, 1.0, 5) == (W, 0)
    seen = [W, lower, W]
    found, iterations = grassmann._trust_region(counted, W, 1.0, 5)
    assert found is lower
    assert iterations == 3
    np.testing.assert_array_equal(counted.gradient(lower), -2.0 * np.diag([5, 3, 2, 1]) @ lower)
