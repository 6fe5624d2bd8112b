"""The error of predicting each row from the others: against refits, and its derivatives."""

import numpy as np
import pytest

from hsiclearn._objective import PredictionLoss, prediction

rng = np.random.default_rng(0)
X, A = rng.standard_normal((60, 4)), rng.standard_normal((4, 2))
Y = rng.standard_normal((60, 3)) + X[:, :1] ** 2
Y -= Y.mean(axis=0)
RIDGE = 0.01


V = rng.integers(0, 4, 60) * 0.5


@pytest.fixture(params=[1, 20, 60, "weighted"])
def problem(request):
    if request.param == "weighted":
        return PredictionLoss(X, Y - V @ Y / V.sum(), X[:20], V)
    return PredictionLoss(X, Y, X[: request.param])


def kernel(a, b):
    return np.exp(-0.5 * ((a[:, None] - b) ** 2).sum(axis=2))


def test_the_loss_is_that_of_refits_without_each_row(problem):
    """Where rows have weights, refits to as many copies, without all of those of a row."""
    Z, landmarks, Y = X @ A, problem.landmarks @ A, problem.Y
    v = np.ones(60) if problem.weights is None else problem.weights
    C, Q = kernel(Z, landmarks), kernel(landmarks, landmarks) + 1e-6 * np.eye(len(landmarks))
    missed = 0.0
    for i in range(60):
        left = np.where(np.arange(60) != i, v, 0.0)
        CV = C.T * left
        weights = np.linalg.solve(CV @ C + v.sum() * RIDGE * Q, CV @ Y)
        missed += v[i] * np.sum((Y[i] - C[i] @ weights) ** 2)
    total = np.sum(v[:, None] * Y**2)
    assert problem.at(A, RIDGE).loss == pytest.approx(missed / total, rel=1e-9)


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


@pytest.mark.parametrize(
    ("lowest", "lift"),
    [
        (0.1, 0.0),
        (-5e-7, 1e-6),
        (-5e-5, 1e-4),
        (-5e-3, 1e-2),
        (-0.5, 1.0),
        (-50.0, 1e2),
        (-5e3, 1e4),
    ],
)
def test_a_kernel_of_landmarks_that_is_not_definite_is_lifted_as_far_as_it_takes(lowest, lift):
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    Q = turn @ np.diag([lowest, 1.0, 2.0]) @ turn.T
    L = prediction._root(Q)
    np.testing.assert_allclose(L @ L.T - Q, lift * np.eye(3), atol=1e-12 * max(abs(lowest), 1.0))
    np.testing.assert_array_equal(L, np.tril(L))


def test_a_kernel_of_landmarks_that_no_lift_helps_is_an_error():
    with pytest.raises(FloatingPointError, match="not finite"):
        prediction._root(np.array([[-1e9]]))


def test_of_a_row_that_predicts_itself_alone_a_millionth_is_left():
    """A landmark far off, without a ridge: its own share is 1 but for the jitter."""
    C, Q = np.eye(2), np.eye(2)
    weights = prediction._fitted(C, Q, Y[:2], 1e-9)
    np.testing.assert_allclose(weights[2], [1e-6, 1e-6])
    np.testing.assert_allclose(prediction._fitted(C, Q, Y[:2], 1e-3)[2], 1e-3 / 1.001)
    loss = PredictionLoss(np.array([[0.0], [9.0]]), np.array([[1.0], [-1.0]]), np.array([[0.0]]))
    assert np.isfinite(loss.at(np.eye(1), 0.0).loss)


def test_nothing_to_predict_is_no_loss():
    found = PredictionLoss(X, 0.0 * Y, X[:5]).at(A, RIDGE)
    assert found.loss == 0.0
    np.testing.assert_array_equal(found.gradient, np.zeros_like(A))
