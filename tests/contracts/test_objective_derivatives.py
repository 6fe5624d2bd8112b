"""Cost, Phi, gradient and Hessian of the objective, for every kernel, by finite differences."""

import numpy as np
import pytest

import naive
from hsiclearn import Objective
from hsiclearn.kernels import Gaussian
from naive import assert_close, derivative
from registry import ENGINES, GAMMAS, KERNELS, OF_DIFFERENCES, Q, W, X, Z, frozen, orthonormal

GAMMA, GAMMA_MATRIX = GAMMAS["sum-of-three"]


@pytest.fixture(params=KERNELS)
def kernel(request):
    return KERNELS[request.param]


@pytest.fixture
def objective(kernel):
    return Objective(X, GAMMA, kernel)


def test_cost_is_the_written_out_sum(objective, kernel):
    expected = -naive.total(X, GAMMA_MATRIX, kernel, W)
    scale = naive.size_of_total(X, GAMMA_MATRIX, kernel, W)
    assert abs(objective.cost(W) - expected) <= 1e-12 * scale


def test_phi_is_the_written_out_sum(objective, kernel):
    assert_close(objective.phi(W), -naive.contract(X, GAMMA_MATRIX, kernel, W), 1e-12)


def test_phi_is_symmetric_to_the_bit(objective):
    phi = objective.phi(W)
    np.testing.assert_array_equal(phi, phi.T)


def test_gradient_is_twice_phi_times_w(objective):
    assert_close(objective.gradient(W), 2.0 * objective.phi(W) @ W, 1e-12)


def test_gradient_by_finite_differences(objective):
    """Entry by entry, at a W on the manifold."""
    measured = np.zeros(W.shape)
    for index in np.ndindex(*W.shape):
        step = np.zeros(W.shape)
        step[index] = 1.0
        measured[index] = derivative(lambda h, step=step: objective.cost(W + h * step))
    assert_close(objective.gradient(W), measured, 1e-8)


def test_hessian_vector_by_finite_differences(objective):
    measured = derivative(lambda h: objective.gradient(W + h * Z))
    assert_close(objective.hessian_vector(W, Z), measured, 1e-8)


def test_hessian_is_linear_and_symmetric(objective):
    Y = orthonormal(*W.shape, seed=5)
    HZ, HY = objective.hessian_vector(W, Z), objective.hessian_vector(W, Y)
    assert_close(objective.hessian_vector(W, 2.0 * Z - 3.0 * Y), 2.0 * HZ - 3.0 * HY, 1e-12)
    assert abs(np.sum(Y * HZ) - np.sum(Z * HY)) <= 1e-12 * np.linalg.norm(HZ)


def test_hessian_is_phi_and_phi_dot(objective):
    expected = 2.0 * (objective.phi(W) @ Z + objective.phi_dot(W, Z))
    assert_close(objective.hessian_vector(W, Z), expected, 1e-12)


def test_phi_dot_by_finite_differences(objective):
    """``Phidot[Z]`` is the derivative of Phi along Z; ``phi_dot`` is that times W."""
    measured = derivative(lambda h: objective.phi(W + h * Z)) @ W
    assert_close(objective.phi_dot(W, Z), measured, 1e-8, np.linalg.norm(objective.phi(W)))


def test_bend_holds_every_phi_dot(objective):
    M = objective.hessian_blocks(W)
    assert M.shape == (Q, Q, *objective.phi(W).shape)
    product = np.einsum("abij,jb->ia", M, Z)
    assert_close(product, objective.phi_dot(W, Z), 1e-12)


@pytest.mark.parametrize("engine_name", ["dense", "tiled", "tiled-7-2"])
def test_every_engine_serves_the_same_objective(engine_name, kernel):
    ours = Objective(X, GAMMA, kernel, engine=ENGINES[engine_name])
    assert ours.engine == engine_name.split("-")[0]
    assert_close(ours.gradient(W), 2.0 * -naive.contract(X, GAMMA_MATRIX, kernel, W) @ W, 1e-12)


def test_only_the_subspace_counts_for_cost_and_phi(objective):
    """``WR`` with R orthogonal spans what W spans: the same cost, the same Phi."""
    R = orthonormal(Q, Q, seed=6)
    assert_close(objective.phi(W @ R), objective.phi(W), 1e-12)
    assert_close(objective.gradient(W @ R), objective.gradient(W) @ R, 1e-12)


def test_the_objective_is_linear_in_gamma_and_kernel(kernel):
    other = GAMMAS["low-rank"][0]
    both = Objective(X, GAMMA + other, kernel).phi(W)
    apart = Objective(X, GAMMA, kernel).phi(W) + Objective(X, other, kernel).phi(W)
    assert_close(both, apart, 1e-12)
    assert_close(
        Objective(X, GAMMA, -2.0 * kernel).phi(W), -2.0 * Objective(X, GAMMA, kernel).phi(W), 1e-13
    )


def test_a_point_holds_cost_and_phi(objective):
    point = objective.point(W)
    scale = naive.size_of_total(X, GAMMA_MATRIX, objective.kernel, W)
    assert abs(point.cost - objective.cost(W)) <= 1e-13 * scale
    np.testing.assert_array_equal(point.phi, objective.phi(W))
    projector = np.eye(len(W)) - W @ W.T
    assert_close(2.0 * point.residual, projector @ objective.gradient(W), 1e-12, point.norm)
    expected = np.linalg.norm(projector @ point.phi @ W) / np.linalg.norm(point.phi)
    assert point.stationarity == pytest.approx(expected, rel=1e-10)


def test_a_points_spectrum(objective):
    point = objective.point(W)
    values = np.linalg.eigvalsh(point.phi)
    gap = point.eigengap(point.spectrum)
    assert gap == pytest.approx(values[Q] - values[Q - 1], abs=1e-12 * point.norm)
    promised = np.trace(W.T @ point.phi @ W) - values[:Q].sum()
    decrease = point.promised_decrease(point.spectrum)
    assert decrease == pytest.approx(promised, abs=1e-12 * point.norm)
    assert decrease >= 0.0


def test_no_gap_when_every_direction_is_taken():
    point = Objective(X, GAMMA, Gaussian()).point(np.eye(4))
    assert point.eigengap(point.spectrum) == np.inf


@pytest.mark.parametrize("name", OF_DIFFERENCES)
def test_differences_do_not_see_the_origin(name):
    """A million added to a column changes nothing but rounding.

    The data are multiples of 2^-20, so that the shifted ones are exact and every difference
    between rows is the same number: what is left is the rounding of the sums.
    """
    rows = np.round(X * 2**20) / 2**20
    shifted = rows + np.array([0.0, 1e6, 0.0, 0.0])
    near, far = (Objective(data, GAMMA, KERNELS[name]) for data in (rows, shifted))
    scale = naive.size_of_total(rows, GAMMA_MATRIX, KERNELS[name], W)
    assert abs(near.cost(W) - far.cost(W)) <= 1e-12 * scale
    assert_close(far.phi(W), near.phi(W), 1e-12)
    assert_close(far.hessian_vector(W, Z), near.hessian_vector(W, Z), 1e-12)
    assert_close(far.phi_at_zero, near.phi_at_zero, 1e-12)


@pytest.mark.parametrize("name", ["gaussian", "polynomial", "sum-mixed"])
def test_a_subset_is_the_objective_of_those_rows(name):
    index = np.array([3, 17, 5, 0, 21, 8, 9])
    part = Objective(X, GAMMA, KERNELS[name]).subset(index)
    assert part.n_samples == len(index)
    expected = -naive.contract(X[index], GAMMA_MATRIX[np.ix_(index, index)], KERNELS[name], W)
    assert_close(part.phi(W), expected, 1e-12)


def test_integers_and_lists_are_data_too():
    rows = [[1, 2], [3, 5], [0, 1]]
    gamma = [[1, 0, 1], [0, 2, 0], [1, 0, 1]]
    frame = [[1.0], [0.0]]
    expected = -naive.total(
        np.array(rows, float), np.array(gamma, float), Gaussian(), np.array(frame)
    )
    assert Objective(rows, gamma, "gaussian").cost(frame) == pytest.approx(expected, rel=1e-14)


def test_worked_example():
    """Two points 2 apart on the line, Gamma = [[1, -1], [-1, 1]], Gaussian of bandwidth 1.

    beta_12 = 4, f = e^-2, so cost = -(2 - 2 e^-2). S_12 = e^-2/2, D_S - S is e^-2/2 times
    [[1, -1], [-1, 1]] up to the diagonal that cancels, and Phi = -2 (e^-2/2)(2^2) = -4 e^-2.
    """
    objective = Objective([[1.0], [-1.0]], [[1.0, -1.0], [-1.0, 1.0]], Gaussian())
    one = np.ones((1, 1))
    assert objective.cost(one) == pytest.approx(-2.0 + 2.0 * np.exp(-2.0), rel=1e-15)
    assert objective.phi(one)[0, 0] == pytest.approx(-4.0 * np.exp(-2.0), rel=1e-14)
    assert objective.gradient(one)[0, 0] == pytest.approx(-8.0 * np.exp(-2.0), rel=1e-14)


def test_inputs_are_left_alone(kernel):
    rows, frame = frozen(X), frozen(W)
    before = rows.tobytes(), frame.tobytes()
    Objective(rows, GAMMA, kernel).point(frame)
    assert (rows.tobytes(), frame.tobytes()) == before
