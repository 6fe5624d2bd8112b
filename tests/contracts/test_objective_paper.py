"""The paper's tables of Phi_0 and Phi, written as printed, up to a positive factor."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from hsiclearn import Objective
from hsiclearn.kernels import (
    Gaussian,
    Linear,
    Multiquadratic,
    Polynomial,
    RelativeGaussian,
    Squared,
)
from naive import assert_close, assert_proportional
from registry import GAMMAS, KERNELS, MATRIX, D, Q, W, X

XW = X @ W
SQUARED_DISTANCES = np.sum((XW[:, None] - XW[None]) ** 2, axis=2)
SCALES = RelativeGaussian().row_scales(X)
SIGMA = np.outer(SCALES, SCALES)  # 1 / (sigma_i sigma_j)


def quadratic(S):
    """``X' S X``."""
    return X.T @ S @ X


def laplacian(S):
    """``X' (D_S - S) X``."""
    return X.T @ (np.diag(S.sum(axis=1)) - S) @ X


PHI_0 = {
    "linear": (Linear(), -quadratic(MATRIX)),
    "squared": (Squared(), -laplacian(MATRIX)),
    "polynomial": (Polynomial(4, 0.5), -quadratic(MATRIX)),
    "gaussian": (Gaussian(0.7), laplacian(MATRIX)),
    "multiquadratic": (Multiquadratic(0.5), -laplacian(MATRIX)),
    "relative-gaussian": (RelativeGaussian(), laplacian(SIGMA * MATRIX)),
}

PHI = {
    "linear": (Linear(), -quadratic(MATRIX)),
    "squared": (Squared(), -laplacian(MATRIX)),
    "polynomial": (
        Polynomial(4, 0.5),
        -quadratic(MATRIX * polynomial_kernel(XW, degree=3, gamma=1.0, coef0=0.5)),
    ),
    "gaussian": (Gaussian(0.7), laplacian(MATRIX * rbf_kernel(XW, gamma=0.5 / 0.7**2))),
    "multiquadratic": (
        Multiquadratic(0.5),
        -laplacian(MATRIX / np.sqrt(SQUARED_DISTANCES + 0.25)),
    ),
    "relative-gaussian": (
        RelativeGaussian(),
        laplacian(SIGMA * MATRIX * np.exp(-0.5 * SIGMA * SQUARED_DISTANCES)),
    ),
}

# The factors that the printed forms leave out, from Phi = -c X' L(Gamma o f') X.
FACTORS = {
    "linear": 1.0,
    "squared": 2.0,
    "polynomial": 4.0,
    "gaussian": 1.0 / 0.7**2,
    "multiquadratic": 1.0,
    "relative-gaussian": 1.0,
}


@pytest.mark.parametrize("name", PHI_0)
def test_table_of_phi_0(name):
    kernel, printed = PHI_0[name]
    assert_proportional(Objective(X, MATRIX, kernel).phi_at_zero, printed)


@pytest.mark.parametrize("name", PHI)
def test_table_of_phi(name):
    kernel, printed = PHI[name]
    assert_proportional(Objective(X, MATRIX, kernel).phi(W), printed)


@pytest.mark.parametrize("name", PHI)
def test_scale_of_phi(name):
    """Phi is kept at the scale at which the gradient is ``2 Phi W``."""
    kernel, printed = PHI[name]
    assert_close(Objective(X, MATRIX, kernel).phi(W), FACTORS[name] * printed, 1e-12)


# Every kernel on two Gammas and every Gamma on three kernels: of differences, inner, of both.
AT_ZERO = sorted(
    {(k, g) for k in KERNELS for g in ("classes-unsorted", "dense")}
    | {(k, g) for k in ("gaussian", "polynomial", "sum-mixed-signed") for g in GAMMAS}
)


@pytest.mark.parametrize(
    ("name", "gamma_name"), [case for case in AT_ZERO if case[0] != "polynomial-2-no-offset"]
)
def test_phi_at_zero_is_phi_of_zero(name, gamma_name):
    """From Gamma's structure in O(n d), the same as from all pairs at W = 0."""
    objective = Objective(X, GAMMAS[gamma_name][0], KERNELS[name])
    assert_close(objective.phi_at_zero, objective.phi(np.zeros((D, Q))), 1e-12)


@pytest.mark.parametrize("degree", [2, 3])
def test_phi_at_zero_without_slope_falls_back(degree):
    """f'(0) = 0 for ``b^p``: Phi(0) vanishes, and the paper's ``-X' Gamma X`` stands in."""
    objective = Objective(X, MATRIX, Polynomial(degree, coef0=0.0))
    assert not objective.phi(np.zeros((D, Q))).any()
    assert_close(objective.phi_at_zero, -quadratic(MATRIX), 1e-13)


@pytest.mark.parametrize("kernel", [Linear(), Squared(), -Squared()])
def test_phi_of_a_kernel_without_curvature_is_constant(kernel):
    objective = Objective(X, MATRIX, kernel)
    assert_close(objective.phi(W), objective.phi_at_zero, 1e-13)
    assert not objective.phi_dot(W, W[::-1]).any()


def test_negated_squared_is_linear_for_a_centred_gamma():
    """Zero row sums leave ``X'(D - Gamma)X = -X' Gamma X``: the linear solution."""
    gamma = GAMMAS["classes-unsorted"][0]
    ours = Objective(X, gamma, -Squared()).phi(W)
    assert_proportional(ours, Objective(X, gamma, Linear()).phi(W))


def test_centred_classes_give_phi_0_of_low_rank():
    """With c classes Phi_0 has rank c - 1."""
    phi = Objective(X, GAMMAS["classes-unsorted"][0], Gaussian()).phi_at_zero
    values = np.abs(np.linalg.eigvalsh(phi))
    assert int(np.sum(values > 1e-12 * values.max())) == 2
