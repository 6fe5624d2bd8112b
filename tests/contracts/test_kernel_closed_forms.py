"""The values of each kernel against scikit-learn's, or against the formula written out."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RationalQuadratic as SklearnRationalQuadratic
from sklearn.metrics.pairwise import (
    euclidean_distances,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
)

from hsiclearn.kernels import (
    DIFFERENCE,
    INNER,
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
)
from naive import assert_close
from registry import W, X

XW = X @ W
DISTANCE = euclidean_distances(XW)


def matrix_of(kernel):
    """``K_ij`` from the pair type's own beta."""
    return kernel.f(kernel.pair.beta(*kernel.pair.beta_factors(XW)))


def test_linear():
    assert_close(matrix_of(Linear()), linear_kernel(XW), 1e-14)


@pytest.mark.parametrize(("degree", "coef0"), [(1, 0.0), (2, 1.0), (3, 1.0), (4, 0.5), (7, 2.0)])
def test_polynomial(degree, coef0):
    expected = polynomial_kernel(XW, degree=degree, gamma=1.0, coef0=coef0)
    assert_close(matrix_of(Polynomial(degree, coef0)), expected, 1e-13)


@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 4.0])
def test_gaussian(bandwidth):
    expected = rbf_kernel(XW, gamma=0.5 / bandwidth**2)
    assert_close(matrix_of(Gaussian(bandwidth)), expected, 1e-13)


@pytest.mark.parametrize(("bandwidth", "alpha"), [(1.0, 1.0), (0.5, 2.0), (2.0, 0.3)])
def test_rational_quadratic(bandwidth, alpha):
    expected = SklearnRationalQuadratic(length_scale=bandwidth, alpha=alpha)(XW)
    assert_close(matrix_of(RationalQuadratic(bandwidth, alpha)), expected, 1e-13)


def test_rational_quadratic_tends_to_the_gaussian():
    assert_close(matrix_of(RationalQuadratic(1.5, 1e7)), matrix_of(Gaussian(1.5)), 1e-5)


@pytest.mark.parametrize("bandwidth", [0.7, 2.0])
def test_cauchy(bandwidth):
    assert_close(matrix_of(Cauchy(bandwidth)), 1.0 / (1.0 + (DISTANCE / bandwidth) ** 2), 1e-13)


def test_squared():
    assert_close(matrix_of(Squared()), DISTANCE**2, 1e-13)


@pytest.mark.parametrize("c", [0.5, 2.0])
def test_multiquadratics_are_inverse_to_each_other(c):
    expected = np.hypot(DISTANCE, c)
    assert_close(matrix_of(Multiquadratic(c)), expected, 1e-13)
    assert_close(matrix_of(InverseMultiquadratic(c)), 1.0 / expected, 1e-13)


def test_relative_gaussian_at_unit_scale_is_the_gaussian():
    assert_close(matrix_of(RelativeGaussian()), rbf_kernel(XW, gamma=0.5), 1e-13)


# The two pair types ---------------------------------------------------------------------------


def test_beta_of_inner_products():
    assert_close(INNER.beta(*INNER.beta_factors(XW)), X @ W @ W.T @ X.T, 1e-14)


def test_beta_of_differences():
    expected = np.sum((XW[:, None] - XW[None]) ** 2, axis=2)
    assert_close(DIFFERENCE.beta(*DIFFERENCE.beta_factors(XW)), expected, 1e-14)


def test_distances_are_never_negative():
    """|a|^2 + |b|^2 - 2ab of rows far from the origin rounds below zero; beta does not."""
    far = XW + 1e6
    left, right = DIFFERENCE.beta_factors(far)
    assert (left @ right.T).min() < 0
    assert DIFFERENCE.beta(left, right).min() == 0.0


def test_beta_in_a_workspace_is_the_same():
    left, right = DIFFERENCE.beta_factors(XW)
    workspace = np.empty(600)
    out = DIFFERENCE.beta(left, right, workspace)
    np.testing.assert_array_equal(out, DIFFERENCE.beta(left, right))
    assert np.shares_memory(out, workspace)
