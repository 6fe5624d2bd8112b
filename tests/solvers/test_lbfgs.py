"""The first-order solver: monotone, stationary where the objective is smooth, settled elsewhere."""

import numpy as np
import pytest

from hsiclearn import Objective, Status, solve
from hsiclearn._objective import AbstractObjective, ClusterObjective
from hsiclearn._solvers import LbfgsSolver, run
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Cauchy, Gaussian, Linear, Polynomial, RelativeGaussian
from problems import WrittenPoint, standardised
from registry import orthonormal


def descend(objective, W, tol=1e-6, max_iter=300):
    return run(LbfgsSolver(objective, tol), W, max_iter=max_iter)


def assert_monotone(history):
    costs = np.array([record.cost for record in history])
    assert np.all(np.diff(costs) <= 1e-12 * np.abs(costs[:-1]))


@pytest.mark.parametrize("q", [1, 3])
@pytest.mark.parametrize(
    "kernel", [Gaussian(4.0), Cauchy(2.0), Polynomial(2), RelativeGaussian()], ids=repr
)
def test_on_a_smooth_objective_it_ends_where_the_spectral_solver_does(kernel, q):
    X, y, _ = standardised("wine")
    gamma = ClassTable.centered(y)
    reference = solve(X, gamma, kernel, q)
    objective = Objective(X, gamma, kernel)
    start = np.linalg.eigh(objective.phi_at_zero)[1][:, :q]
    outcome = descend(objective, start, tol=1e-10)
    assert outcome.status.converged
    assert outcome.point.stationarity <= 1e-6
    assert outcome.point.cost == pytest.approx(reference.cost, rel=1e-9)
    assert_monotone(outcome.history)


@pytest.mark.parametrize("seed", range(6))
def test_any_symmetric_gamma_from_any_start(seed):
    """Indefinite weights and random starts: L-BFGS has to do the work."""
    rng = np.random.default_rng(seed)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    objective = Objective(X, Dense(G + G.T), Gaussian(1.5))
    outcome = descend(objective, orthonormal(6, 2, seed), tol=1e-10)
    assert outcome.status.converged
    assert outcome.point.stationarity <= 1e-6
    assert_monotone(outcome.history)
    assert outcome.history[0].step == "start"
    # All but one of these problems go beyond what spectral steps can do.
    assert seed == 5 or outcome.history[-1].step == "lbfgs"
    W = outcome.point.W
    assert np.linalg.norm(W.T @ W - np.eye(2)) <= 1e-12


def test_a_linear_problem_is_solved_by_one_spectral_step():
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Linear())
    outcome = descend(objective, orthonormal(13, 2, seed=0))
    assert [record.step for record in outcome.history] == ["start", "spectral"]
    expected = np.linalg.eigvalsh(objective.phi_at_zero)[:2].sum()
    assert outcome.point.cost == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_clustering_objectives_with_kinks(normalize, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 5)) + 3.0 * np.eye(5)[rng.integers(0, 3, 80)]
    objective = ClusterObjective(X, RelativeGaussian(), 3, normalize=normalize)
    start = orthonormal(5, 2, seed)
    outcome = descend(objective, start)
    assert outcome.status.converged
    assert outcome.point.cost < objective.cost(start)
    assert_monotone(outcome.history)


class Flat(AbstractObjective):
    """Falls by less and less, along a gradient that promises more; or not at all."""

    X, engine, n_samples, n_features = np.zeros((2, 4)), "dense", 2, 4

    def __init__(self, size):
        self.size = size

    def point(self, W):
        W = np.asarray(W)
        A = np.diag([3.0, 2.0, 1.0, 0.0])
        return WrittenPoint(self, W, -1.0 + self.size * float(np.trace(W.T @ A @ W)), A)


@pytest.mark.parametrize("size", [0.0, 1e-12, -1e-3])
def test_settles_where_nothing_is_to_be_gained(size):
    """At -1e-3 every step along the slope goes up: the point it started from is returned."""
    outcome = descend(Flat(size), orthonormal(4, 2, seed=1))
    assert outcome.status is Status.SETTLED
    assert_monotone(outcome.history)
    assert len(outcome.history) <= 6


def test_every_direction_taken_is_settled_at_once():
    X, y, _ = standardised("iris")
    objective = Objective(X, ClassTable.centered(y), Gaussian(1.0))
    outcome = descend(objective, np.eye(4))
    assert outcome.status is Status.SETTLED
    assert len(outcome.history) == 1


def test_a_phi_that_vanishes_is_settled():
    X = np.arange(6.0)[:, None] * np.array([[1.0, 2.0]])
    objective = ClusterObjective(X, Gaussian(1e-3), 2)
    assert descend(objective, np.eye(2)[:, :1]).status is Status.SETTLED


class Cliff(Flat):
    """Cannot be evaluated beyond a small angle from where a descent starts."""

    def __init__(self, W):
        super().__init__(1.0)
        self.W = W

    def point(self, W):
        if np.linalg.norm(W - self.W @ (self.W.T @ W)) > 0.2:
            raise DegenerateDataError("beyond the cliff")
        return super().point(W)


def test_a_step_beyond_what_can_be_evaluated_is_shortened():
    start = orthonormal(4, 2, seed=1)
    outcome = descend(Cliff(start), start, max_iter=5)
    assert outcome.point.cost < outcome.history[0].cost
    assert_monotone(outcome.history)


def test_the_budget_is_kept():
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(1.0))
    outcome = descend(objective, orthonormal(13, 2, seed=0), max_iter=2)
    assert outcome.status is Status.MAX_ITER
    assert len(outcome.history) == 3


def test_creeping_is_not_worth_it_but_without_worth_it_goes_on():
    X = standardised("wine")[0]
    objective = ClusterObjective(X, RelativeGaussian(7), 3)
    W = orthonormal(X.shape[1], 4, 0)
    patient = descend(objective, W)
    brief = run(LbfgsSolver(objective, 1e-6, worth=1e-2), W, max_iter=300)
    assert brief.status is Status.SETTLED
    assert 10 < len(brief.history) < len(patient.history)
    costs = [record.cost for record in brief.history]
    n = len(costs)
    # It ended at the first step at which the last ten had gained less than a hundredth.
    gains = [(costs[i - 10] - costs[i]) / abs(costs[i]) for i in range(11, n)]
    assert gains[-1] < 1e-2
    assert all(gain >= 1e-2 for gain in gains[:-1])


def test_beside_a_bound_the_same_gains_are_worth_more():
    """A descent towards its bound goes on where, beside the cost, its gains are nothing."""
    X = standardised("wine")[0]
    objective = ClusterObjective(X, RelativeGaussian(7), 3)
    W = orthonormal(X.shape[1], 4, 0)
    lengths = [
        len(run(LbfgsSolver(objective, 1e-6, 1e-2, bound), W, max_iter=300).history)
        for bound in (0.0, objective.lower_bound)
    ]
    assert lengths[0] < lengths[1]
