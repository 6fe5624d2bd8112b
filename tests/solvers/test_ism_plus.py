"""Algorithm 1 of the paper, to the letter."""

import numpy as np
import pytest

from hsiclearn import Objective, Status, solve
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear, Polynomial
from problems import standardised


def test_each_iterate_is_the_lowest_eigenspace_of_the_one_before():
    """Replayed with the formulas of the paper's tables, in plain numpy."""
    X, y, median = standardised("wine")
    Y = np.eye(3)[y]
    H = np.eye(len(y)) - 1.0 / len(y)
    G = H @ Y @ Y.T @ H
    W = np.linalg.eigh(X.T @ (np.diag(G.sum(axis=1)) - G) @ X)[1][:, :2]
    costs = []
    for _ in range(4):
        P = X @ W
        K = np.exp(-((P[:, None] - P) ** 2).sum(axis=2) / (2 * median**2))
        costs.append(-np.sum(G * K))
        Psi = G * K
        W = np.linalg.eigh(X.T @ (np.diag(Psi.sum(axis=1)) - Psi) @ X)[1][:, :2]

    result = solve(X, ClassTable.centered(y), Gaussian(median), 2, solver="ism+", tol=1e-9)
    np.testing.assert_allclose([r.cost for r in result.history[:4]], costs, rtol=1e-10)


def test_it_stops_when_the_eigenvalues_settle_and_says_what_that_proves():
    X, y, median = standardised("wine")
    result = solve(X, ClassTable.centered(y), Gaussian(median), 2, solver="ism+", tol=0.01)
    assert result.status is Status.EIGENVALUES_SETTLED
    assert "does not prove optimality" in result.status.value
    assert result.n_iter == 2
    assert result.certificate.stationarity > 1e-6


def test_a_cycle_is_detected_and_the_best_of_it_returned():
    X, y, median = standardised("wine")
    with pytest.warns(NotConvergedWarning, match="Algorithm 1 cycles"):
        result = solve(
            X, ClassTable.centered(y), Gaussian(median), 1, solver="ism+", tol=1e-10, max_iter=200
        )
    costs = [record.cost for record in result.history]
    assert result.status is Status.CYCLING
    assert result.history[-1].angle > 0.1  # far from settling, yet back where it was
    assert result.cost == min(costs)


@pytest.mark.parametrize(("name", "q", "share"), [("breast_cancer", 2, 1.0), ("iris", 2, 0.25)])
def test_slow_convergence_is_not_called_a_cycle(name, q, share):
    X, y, median = standardised(name)
    gamma, kernel = ClassTable.centered(y), Gaussian(share * median)
    result = solve(X, gamma, kernel, q, solver="ism+", tol=1e-9)
    assert result.status is Status.EIGENVALUES_SETTLED
    assert result.cost == pytest.approx(solve(X, gamma, kernel, q).cost, rel=1e-6)


def test_linear_kernel_needs_one_step():
    X, y, _ = standardised("wine")
    result = solve(X, ClassTable.centered(y), Linear(), 2, solver="ism+")
    best = np.linalg.eigvalsh(Objective(X, ClassTable.centered(y), Linear()).phi_at_zero)
    assert result.cost == pytest.approx(best[:2].sum(), rel=1e-12)


def test_eigenvalues_whose_squares_overflow_settle_as_well():
    """Entries of 1e66 to the fourth power: the norm of the eigenvalues is taken in their unit."""
    rng = np.random.default_rng(0)
    X, gamma = rng.standard_normal((20, 3)), ClassTable.centered(np.arange(20) % 2)
    found, same = (solve(a * X, gamma, Polynomial(2, 0.0), 2, solver="ism+") for a in (1e66, 1.0))
    assert found.status is same.status
    assert found.n_iter == same.n_iter
