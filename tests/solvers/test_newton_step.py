"""The trust-region step against the quadratic model it claims to minimise."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._solvers.spectral import newton_step
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import standardised


@pytest.fixture
def point():
    X, y, median = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(0.5 * median))
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((13, 2)))[0]
    return objective.point(W)


def model_decrease(hessian, gradient, Z):
    return -(np.vdot(gradient, Z) + 0.5 * np.vdot(Z, hessian.apply(Z)))


@pytest.mark.parametrize("radius", [0.1, 10.0, 1e6])
def test_promise_equals_the_model(point, radius):
    gradient = 2 * point.residual
    step = newton_step(point.hessian, gradient, radius, forcing=1e-8)
    expected = model_decrease(point.hessian, gradient, step.Z)
    assert step.predicted == pytest.approx(expected, rel=1e-8)
    assert step.predicted > 0
    assert np.abs(point.W.T @ step.Z).max() <= 1e-10 * np.abs(step.Z).max()


def test_inside_the_region_it_solves_newtons_equation():
    X, y, median = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(median))
    near = np.linalg.eigh(objective.phi_at_zero)[1][:, :2]
    for _ in range(2):
        near = np.linalg.eigh(objective.phi(near))[1][:, :2]
    point = objective.point(near)
    gradient = 2 * point.residual
    step = newton_step(point.hessian, gradient, 1e9, forcing=1e-10)
    assert not step.at_boundary
    residual = point.hessian.apply(step.Z) + gradient
    assert np.linalg.norm(residual) <= 1e-8 * np.linalg.norm(gradient)


def test_the_radius_is_kept(point):
    gradient = 2 * point.residual
    hessian = point.hessian
    step = newton_step(hessian, gradient, 1.0, forcing=1e-8)
    assert step.at_boundary
    # |Z|_M^2 = <Z, M Z>: recover M Z from M^-1 by solving in the coordinates of the spectrum.
    split = hessian.point.split
    M = np.abs(2 * (split.outer[:, None] - split.inner))
    M = np.maximum(M, 1e-2 * M.max())
    C = split.B.T @ step.Z @ split.S
    assert np.sqrt((M * C**2).sum()) == pytest.approx(1.0, rel=1e-8)
