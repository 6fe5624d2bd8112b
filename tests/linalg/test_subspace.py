"""Angles, bases and signs."""

import array_api_strict
import numpy as np
import pytest

from hsiclearn.linalg import fix_signs, orthonormal_basis, sine_of_largest_angle
from registry import orthonormal


def rotated(W, angle):
    """W with its last column turned by ``angle`` out of its span."""
    outside = np.linalg.qr(np.concatenate([W, np.eye(len(W))], axis=1))[0][:, W.shape[1]]
    turned = W.copy()
    turned[:, -1] = np.cos(angle) * W[:, -1] + np.sin(angle) * outside
    return turned


@pytest.mark.parametrize("angle", [1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_sine_resolves_small_angles(angle):
    """Where the arc cosine of a singular value could not: cos(1e-9) rounds to 1."""
    W = orthonormal(20, 3, seed=1)
    V = rotated(W, angle) @ orthonormal(3, 3, seed=2)
    assert sine_of_largest_angle(W, V) == pytest.approx(np.sin(angle), rel=1e-3)


def test_sine_of_the_largest_of_several_angles():
    E = np.eye(6)
    V = np.stack([np.cos(0.3) * E[0] + np.sin(0.3) * E[3], np.cos(0.8) * E[1] + np.sin(0.8) * E[4]])
    assert sine_of_largest_angle(E[:, :2], V.T) == pytest.approx(np.sin(0.8), rel=1e-14)


def test_sine_of_equal_and_of_orthogonal_spans():
    W = orthonormal(8, 3, seed=3)
    assert sine_of_largest_angle(W, W @ orthonormal(3, 3, seed=4)) < 1e-15
    both = orthonormal(8, 6, seed=5)
    assert sine_of_largest_angle(both[:, :3], both[:, 3:]) == pytest.approx(1.0, rel=1e-14)
    assert sine_of_largest_angle(both[:, :3], both[:, 3:]) <= 1.0


def test_sine_is_symmetric_and_blind_to_the_basis():
    W, V = orthonormal(9, 2, seed=6), orthonormal(9, 2, seed=7)
    sine = sine_of_largest_angle(W, V)
    assert sine_of_largest_angle(V, W) == pytest.approx(sine, rel=1e-13)
    assert sine_of_largest_angle(W @ orthonormal(2, 2, seed=8), V) == pytest.approx(sine, rel=1e-13)


def test_sine_in_a_strict_array_library():
    W, V = orthonormal(9, 2, seed=6), orthonormal(9, 2, seed=7)
    strict = sine_of_largest_angle(*(array_api_strict.asarray(A, copy=True) for A in (W, V)))
    assert strict == pytest.approx(sine_of_largest_angle(W, V), rel=1e-14)


def test_basis_is_orthonormal_and_spans_the_same():
    A = np.random.default_rng(9).standard_normal((10, 3))
    basis = orthonormal_basis(A)
    np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(basis @ (basis.T @ A), A, atol=1e-13)


def test_signs_make_the_largest_entry_positive():
    W = np.array([[0.6, 0.1], [-0.8, 0.3], [0.0, 0.95]])
    np.testing.assert_array_equal(fix_signs(W), W * [-1.0, 1.0])


@pytest.mark.parametrize("signs", [[1, 1, 1], [-1, 1, -1], [-1, -1, -1]])
def test_signs_do_not_depend_on_those_given(signs):
    W = orthonormal(12, 3, seed=10)
    fixed = fix_signs(W * signs)
    assert fixed.tobytes() == fix_signs(W).tobytes()
    assert fix_signs(fixed).tobytes() == fixed.tobytes()
    np.testing.assert_array_equal(np.abs(fixed), np.abs(W))


@pytest.mark.parametrize("rounding", [0.0, 1e-15, -1e-15])
def test_signs_of_a_tie_go_by_the_first_entry(rounding):
    """(a, -a): which is larger is rounding, so the first one counts."""
    a = np.sqrt(0.5)
    fixed = fix_signs(np.array([[-a], [a * (1 + rounding)]]))
    assert fixed[0, 0] > 0 > fixed[1, 0]
