"""The error of predicting each row from the others: against refits, and its derivatives."""

import numpy as np
import pytest

from hsiclearn._objective import PredictionLoss

rng = np.random.default_rng(0)
X, A = rng.standard_normal((60, 4)), rng.standard_normal((4, 2))
Y = rng.standard_normal((60, 3)) + X[:, :1] ** 2
Y -= Y.mean(axis=0)
RIDGE = 0.01


@pytest.fixture(params=[1, 20, 60])
def problem(request):
    return PredictionLoss(X, Y, X[: request.param])


def kernel(a, b):
    return np.exp(-0.5 * ((a[:, None] - b) ** 2).sum(axis=2))


def test_the_loss_is_that_of_refits_without_each_row(problem):
    Z, landmarks = X @ A, problem.landmarks @ A
    C, Q = kernel(Z, landmarks), kernel(landmarks, landmarks) + 1e-6 * np.eye(len(landmarks))
    missed = 0.0
    for i in range(60):
        rest = np.arange(60) != i
        weights = np.linalg.solve(C[rest].T @ C[rest] + 60 * RIDGE * Q, C[rest].T @ Y[rest])
        missed += np.sum((Y[i] - C[i] @ weights) ** 2)
    assert problem.at(A, RIDGE).loss == pytest.approx(missed / np.sum(Y**2), rel=1e-9)


def test_the_gradient_is_that_of_finite_differences(problem):
    found, step = problem.at(A, RIDGE), 1e-6
    for place in np.ndindex(A.shape):
        Z = np.zeros_like(A)
        Z[place] = step
        slope = (problem.at(A + Z, RIDGE).loss - problem.at(A - Z, RIDGE).loss) / (2 * step)
        assert found.gradient[place] == pytest.approx(slope, abs=1e-6)


def test_it_is_so_where_a_ridge_is_small_and_landmarks_are_near_each_other():
    near = PredictionLoss(X, Y, X[:40])  # kernel values of 40 landmarks, numerically of rank 10
    ridge, B = 1e-6, 0.2 * A
    slope = near.at(B, ridge).gradient
    Z = slope / np.linalg.norm(slope)
    rise = near.at(B + 1e-5 * Z, ridge).loss - near.at(B - 1e-5 * Z, ridge).loss
    assert rise / 2e-5 == pytest.approx(np.linalg.norm(slope), rel=1e-4)


def test_so_is_the_derivative_by_the_logarithm_of_the_ridge(problem):
    up, down = (problem.at(A, RIDGE * np.exp(s)).loss for s in (1e-6, -1e-6))
    assert problem.at(A, RIDGE).by_ridge == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_no_turn_of_the_subspace_changes_it(problem):
    turn = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    assert problem.at(A @ turn, RIDGE).loss == pytest.approx(problem.at(A, RIDGE).loss, rel=1e-9)
