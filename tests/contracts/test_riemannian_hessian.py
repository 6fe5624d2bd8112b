"""The Hessian on the manifold, against the manifold itself."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear, Polynomial
from naive import assert_close, derivative
from registry import GAMMAS, KERNELS, W, X, frozen, orthonormal, symmetric

GAMMA = GAMMAS["classes-unsorted"][0]


def horizontal(W, seed):
    """A random direction with ``W'Z = 0``."""
    Z = np.random.default_rng(seed).standard_normal(W.shape)
    return Z - W @ (W.T @ Z)


def retract(W, Z, t):
    """``(W + tZ)(I + t^2 Z'Z)^(-1/2)``, the polar retraction."""
    values, vectors = np.linalg.eigh(np.eye(W.shape[1]) + t**2 * Z.T @ Z)
    return (W + t * Z) @ (vectors / np.sqrt(values)) @ vectors.T


def riemannian_gradient(objective, W):
    """``(I - WW') 2 Phi W``."""
    gradient = objective.gradient(W)
    return gradient - W @ (W.T @ gradient)


@pytest.mark.parametrize("name", KERNELS)
def test_equals_the_change_of_the_gradient(name):
    objective = Objective(X, GAMMA, KERNELS[name])
    Z = horizontal(W, seed=1)
    change = derivative(lambda t: riemannian_gradient(objective, retract(W, Z, t)))
    measured = change - W @ (W.T @ change)
    assert_close(objective.point(W).hessian.apply(Z), measured, 1e-8)


@pytest.mark.parametrize("name", KERNELS)
def test_equals_the_formula(name):
    """``P(2 Phi Z + 2 Phidot W) - 2 Z (W' Phi W)``."""
    objective = Objective(X, GAMMA, KERNELS[name])
    Z = horizontal(W, seed=2)
    phi = objective.phi(W)
    euclidean = objective.hessian_vector(W, Z)
    expected = euclidean - W @ (W.T @ euclidean) - 2.0 * Z @ (W.T @ phi @ W)
    assert_close(objective.point(W).hessian.apply(Z), expected, 1e-11)


@pytest.mark.parametrize("name", KERNELS)
def test_second_derivative_of_the_cost_at_a_curve(name):
    """Along the retraction ``cost'' = <Z, Hess[Z]>`` (the retraction is of second order)."""
    objective = Objective(X, GAMMA, KERNELS[name])
    Z = horizontal(W, seed=3)
    slope = lambda t: derivative(lambda h: objective.cost(retract(W, Z, t + h)))  # noqa: E731
    measured = derivative(slope, h=1e-3)
    Hess = objective.point(W).hessian.apply(Z)
    assert abs(np.sum(Z * Hess) - measured) <= 1e-6 * np.linalg.norm(Z) * np.linalg.norm(Hess)


@pytest.fixture(scope="module", params=["gaussian", "polynomial", "sum-mixed"])
def medium(request):
    """30 features, 4 directions: small enough to assemble, too large to do so unasked."""
    rng = np.random.default_rng(50)
    rows = frozen(rng.standard_normal((40, 30)) / 3.0)
    gamma = ClassTable.centered(rng.integers(0, 3, 40))
    return Objective(rows, gamma, KERNELS[request.param]), orthonormal(30, 4, seed=51)


def test_the_assembled_matrix_equals_the_operator(medium):
    objective, frame = medium
    Z = horizontal(frame, seed=4)
    by_operator, by_matrix = objective.point(frame).hessian, objective.point(frame).hessian
    applied = by_operator.apply(Z)
    assert by_operator.products == 1
    assert by_matrix.smallest_curvature.products == 0  # assembles the matrix
    assert by_matrix.products == 1
    assert_close(by_matrix.apply(Z), applied, 1e-11)
    assert by_matrix.products == 1  # and products are free from then on


def test_smallest_curvature_is_that_of_the_operator(medium):
    """Against the operator applied to a basis of the horizontal space, and diagonalised."""
    objective, frame = medium
    values, _ = diagonalised(objective.point(frame).hessian)
    smallest = objective.point(frame).hessian.smallest_curvature
    assert smallest.value == pytest.approx(values[0], rel=1e-9)
    Z = smallest.vector
    assert np.linalg.norm(Z) == pytest.approx(1.0, rel=1e-12)
    assert np.max(np.abs(frame.T @ Z)) < 1e-12
    Hess = objective.point(frame).hessian.apply(Z)
    assert_close(Hess, values[0] * Z, 1e-8)


def diagonalised(hessian, apply=None):
    """Eigenvalues of a Hessian from its products with a basis of the horizontal space."""
    frame = hessian.point.W
    apply = hessian.apply if apply is None else apply
    d, q = frame.shape
    complement = np.linalg.qr(np.concatenate([frame, np.eye(d)], axis=1))[0][:, q:]
    columns = []
    for i in range(d - q):
        for j in range(q):
            unit = np.zeros((d - q, q))
            unit[i, j] = 1.0
            columns.append((complement.T @ apply(complement @ unit)).ravel())
    matrix = np.array(columns)
    assert_close(matrix, matrix.T, 1e-10)
    return np.linalg.eigh(matrix)


@pytest.fixture(scope="module")
def large():
    """30 features, 14 directions: the Hessian stays an operator."""
    rng = np.random.default_rng(52)
    rows = frozen(rng.standard_normal((30, 30)) / 3.0)
    return Objective(rows, symmetric(30, seed=53), Gaussian(2.0)), orthonormal(30, 14, seed=54)


def test_smallest_curvature_of_a_large_hessian(large):
    objective, frame = large
    values, _ = diagonalised(objective.point(frame).hessian)
    smallest = objective.point(frame).hessian.smallest_curvature
    assert 0 < smallest.products <= 200
    assert values[0] <= smallest.value + 1e-9 * abs(values[0])  # a Ritz value is never below
    assert smallest.value == pytest.approx(values[0], rel=0.05)


def test_phi_dot_of_a_large_hessian(large):
    objective, frame = large
    hessian = objective.point(frame).hessian
    values, _ = diagonalised(hessian, lambda Z: hessian.horizontal(objective.phi_dot(frame, Z)))
    size = abs(values[0])
    assert hessian.phi_dot_exceeds(values[0] - 0.2 * size)
    assert not hessian.phi_dot_exceeds(values[0] + 0.2 * size)


def test_phi_dot_of_a_small_hessian(medium):
    objective, frame = medium
    hessian = objective.point(frame).hessian
    values, _ = diagonalised(hessian, lambda Z: hessian.horizontal(objective.phi_dot(frame, Z)))
    size = abs(values[0])
    assert hessian.phi_dot_exceeds(values[0] - 1e-6 * size)
    assert not hessian.phi_dot_exceeds(values[0] + 1e-6 * size)


def test_no_horizontal_direction_when_all_are_taken():
    hessian = Objective(X, GAMMA, Gaussian()).point(np.eye(4)).hessian
    assert hessian.smallest_curvature is None
    assert hessian.phi_dot_exceeds(1e300)


def test_curvature_at_a_linear_optimum():
    """Without Phidot the eigenvalues are ``2 (outer_i - inner_j)``: twice the gap is smallest.

    The Euclidean Hessian would be negative there.
    """
    matrix = symmetric(len(X), seed=7)
    objective = Objective(X, matrix, Linear())
    values, vectors = np.linalg.eigh(-X.T @ matrix @ X)
    point = objective.point(vectors[:, :2])
    assert point.stationarity < 1e-14
    assert point.hessian.smallest_curvature.value == pytest.approx(2 * (values[2] - values[1]))
    assert values[0] < 0


def test_a_wrong_eigenspace_is_a_saddle():
    matrix = symmetric(len(X), seed=7)
    values, vectors = np.linalg.eigh(-X.T @ matrix @ X)
    hessian = Objective(X, matrix, Linear()).point(vectors[:, [0, 2]]).hessian
    assert hessian.smallest_curvature.value == pytest.approx(2 * (values[1] - values[2]))
    assert hessian.point.split.gap == pytest.approx(values[1] - values[2])


def test_preconditioner_inverts_a_hessian_without_phi_dot():
    """At the lowest eigenspace of a constant Phi the diagonal is all there is."""
    matrix = symmetric(len(X), seed=7)
    values, vectors = np.linalg.eigh(-X.T @ matrix @ X)
    frame = vectors[:, :2]
    differences = values[2:, None] - values[None, :2]
    assert differences.min() > 1e-2 * differences.max()  # no entry is at the floor
    hessian = Objective(X, matrix, Linear()).point(frame).hessian
    R = horizontal(frame, seed=8)
    assert_close(hessian.apply(hessian.precondition(R)), R, 1e-10)


@pytest.mark.parametrize("name", ["gaussian", "polynomial"])
def test_preconditioner_is_positive_definite_and_symmetric(name):
    """Also where W is not the lowest eigenspace and the differences change sign."""
    hessian = Objective(X, GAMMA, KERNELS[name]).point(W).hessian
    Y, Z = horizontal(W, seed=9), horizontal(W, seed=10)
    assert np.sum(Z * hessian.precondition(Z)) > 0
    left, right = np.sum(Y * hessian.precondition(Z)), np.sum(Z * hessian.precondition(Y))
    assert left == pytest.approx(right, rel=1e-10)
    assert np.max(np.abs(W.T @ hessian.precondition(Z))) < 1e-12 * np.linalg.norm(
        hessian.precondition(Z)
    )


def test_preconditioner_with_part_of_the_spectrum():
    """Beyond 200 features B holds the lowest part: one by one inside, their mean outside.

    Phi is diagonal here, and W its first two unit vectors.
    """
    d = 240
    diagonal = np.linspace(-11.0, 5.0, d)
    rows = np.diag(np.sqrt(np.abs(diagonal)))
    objective = Objective(rows, np.diag(-np.sign(diagonal)), Polynomial(1, 0.0))
    frame = np.eye(d)[:, :2]
    assert_close(objective.phi(frame), np.diag(diagonal), 1e-13)
    hessian = objective.point(frame).hessian
    split = hessian.point.split
    assert split.B.shape[1] < d - 2
    assert_close(split.inner, diagonal[:2], 1e-13)
    assert split.outer[0] >= diagonal[2]
    R = horizontal(frame, seed=11) @ split.S
    inside = split.B @ (split.B.T @ R)
    floor = 2e-2 * np.max(split.outer[:, None] - split.inner)
    known = np.maximum(2.0 * np.abs(split.outer[:, None] - split.inner), floor)
    expected = split.B @ (split.B.T @ R / known) + (R - inside) / (2.0 * (split.rest - split.inner))
    assert_close(hessian.precondition(R @ split.S.T), expected @ split.S.T, 1e-12)


def test_one_direction_among_some_hundred_features():
    """q = 1 and d = 300: small enough to be assembled, too large for a basis of the complement."""
    rng = np.random.default_rng(12)
    rows, codes = rng.standard_normal((80, 300)), rng.integers(0, 3, 80)
    objective = Objective(rows, ClassTable.centered(codes), Gaussian(20.0))
    frame = np.linalg.qr(rng.standard_normal((300, 1)))[0]
    hessian = objective.point(frame).hessian
    Z = horizontal(frame, seed=13)
    outer = hessian.horizontal(objective.hessian_vector(frame, Z))
    assert_close(hessian.apply(Z), outer - 2.0 * Z @ hessian.point.rayleigh, 1e-12)
