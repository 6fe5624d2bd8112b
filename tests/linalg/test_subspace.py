"""Angles, bases and signs."""

import array_api_strict
import numpy as np
import pytest
from scipy.linalg import subspace_angles

from hsiclearn._linalg import (
    fix_signs,
    nearest_basis,
    orthonormal_basis,
    sine_of_largest_angle,
    sines_of_angles,
)
from hsiclearn._linalg.subspace import completed, independent_columns
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


@pytest.mark.parametrize(("d", "p", "q"), [(9, 1, 1), (9, 3, 3), (9, 4, 2), (5, 4, 4), (4, 4, 4)])
def test_sines_are_those_of_scipys_angles(d, p, q):
    """Also between spans of different dimension, and where they must share directions."""
    W, V = orthonormal(d, p, seed=11), orthonormal(d, q, seed=12)
    sines = sines_of_angles(W, V)
    assert sines.shape == (q,)
    assert (np.diff(sines) >= 0).all()
    assert sines.max() <= 1.0
    np.testing.assert_allclose(sines, np.sort(np.sin(subspace_angles(W, V))), atol=1e-13)
    assert sines[-1] == sine_of_largest_angle(W, V)


def test_sines_of_angles_that_are_known():
    E = np.eye(6)
    V = np.stack([np.cos(0.8) * E[1] + np.sin(0.8) * E[4], np.cos(1e-9) * E[0] + 1e-9 * E[3]])
    mixed = V.T @ orthonormal(2, 2, seed=13)
    np.testing.assert_allclose(sines_of_angles(E[:, :2], mixed), [1e-9, np.sin(0.8)], rtol=1e-6)
    np.testing.assert_array_equal(sines_of_angles(E[:, :2], E[:, 2:4]), [1.0, 1.0])


def test_sines_in_a_strict_array_library():
    W, V = orthonormal(9, 2, seed=6), orthonormal(9, 2, seed=7)
    strict = sines_of_angles(*(array_api_strict.asarray(A, copy=True) for A in (W, V)))
    np.testing.assert_allclose(np.asarray(strict), sines_of_angles(W, V), rtol=1e-13)


def test_the_nearest_basis_is_orthonormal_and_nearer_than_any_other():
    A = np.random.default_rng(14).standard_normal((7, 3))
    nearest = nearest_basis(A)
    np.testing.assert_allclose(nearest.T @ nearest, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(nearest @ (nearest.T @ A), A, atol=1e-13)
    for seed in range(20):
        other = nearest @ orthonormal(3, 3, seed)
        assert np.linalg.norm(A - nearest) < np.linalg.norm(A - other)
    W = orthonormal(7, 3, seed=15)
    np.testing.assert_allclose(nearest_basis(W * [2.0, 0.5, 3.0]), W, atol=1e-13)


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


def test_columns_that_depend_on_others_are_replaced_by_random_ones():
    W = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1e-13, 0.0]])
    assert independent_columns(W).shape == (4, 2)
    assert sine_of_largest_angle(independent_columns(W), np.eye(4, 2)) <= 1e-12
    found = completed(W)
    assert found.shape == (4, 3)
    np.testing.assert_allclose(found.T @ found, np.eye(3), atol=1e-14)
    assert sine_of_largest_angle(found, np.eye(4, 2)) <= 1e-12  # what was there is there
    np.testing.assert_array_equal(found, completed(W))
    independent = np.eye(4, 2) * np.array([1.0, 1e-11])
    assert completed(independent) is independent
    assert independent_columns(np.zeros((4, 2))).shape == (4, 0)
    assert completed(np.zeros((4, 2))).shape == (4, 2)


@pytest.mark.parametrize(("short", "ties"), [(0.5e-8, True), (2e-8, False)])
def test_entries_tie_up_to_a_hundred_millionth(short, ties):
    """The first of two that tie is made positive, else the larger."""
    W = np.array([[-0.5 * (1.0 - short), -0.5], [0.5, 0.5 * (1.0 - short)]])
    np.testing.assert_array_equal(fix_signs(W), W * [-1.0 if ties else 1.0, -1.0])
    np.testing.assert_array_equal(fix_signs(np.zeros((2, 1))), 0.0)


@pytest.mark.parametrize("share", [0.5e-12, 2e-12])
def test_a_column_is_independent_beyond_a_trillionth(share):
    W = np.eye(4, 2) * np.array([3.0, 3.0 * share])
    assert independent_columns(W).shape == (4, 2 if share > 1e-12 else 1)
    found = completed(W)
    assert (found is W) == (share > 1e-12)
    if found is not W:
        drawn = np.random.default_rng(0).standard_normal((4, 1))
        assert sine_of_largest_angle(found, drawn / np.linalg.norm(drawn)) <= 1e-14
