"""Directions that are made to predict, and those a regression changes along."""

import numpy as np
import pytest

from hsiclearn._linalg import orthonormal_basis, sine_of_largest_angle
from hsiclearn._solvers import gradient_directions, sharpened

rng = np.random.default_rng(0)
X = rng.standard_normal((400, 8))
PLANE = np.eye(8)[:, :2]
Y = np.column_stack([X[:, 0] * X[:, 1], np.sin(2.0 * X[:, 0])])
Y += 0.1 * rng.standard_normal(Y.shape)


def angle(A):
    return sine_of_largest_angle(orthonormal_basis(A), PLANE)


def test_a_start_that_is_near_is_brought_nearer():
    start = orthonormal_basis(PLANE + 0.2 * rng.standard_normal((8, 2)))
    found = sharpened(X, Y, start)
    assert angle(found.A) < 0.3 * angle(start)
    assert found.losses[-1] < 0.5 * found.losses[0]
    assert found.has_settled


def test_the_loss_never_rises_and_the_map_has_unit_size():
    found = sharpened(X, Y, PLANE)
    assert (np.diff(found.losses) <= 1e-12).all()
    assert len(found.losses) == len(found.gradients)
    assert np.linalg.norm(found.A) == pytest.approx(np.sqrt(2.0))
    assert found.bandwidth > 0.0


def test_a_budget_that_runs_out_is_told():
    start = np.eye(8)[:, 2:4]
    found = sharpened(X, Y, start, max_iter=2)
    assert not found.has_settled
    assert len(found.losses) == 3


def test_two_descents_are_equal_to_the_bit():
    one, other = (sharpened(X, Y, PLANE) for _ in range(2))
    assert one.A.tobytes() == other.A.tobytes()


def test_rows_in_one_place_are_no_error():
    assert np.isfinite(
        sharpened(np.zeros((20, 3)), rng.standard_normal((20, 1)), np.eye(3)).A
    ).all()


def test_gradients_find_the_columns_that_matter():
    assert angle(gradient_directions(X, Y, 2)) < 0.1


def test_gradients_of_nothing_are_no_error():
    assert np.isfinite(gradient_directions(X[:30], np.zeros((30, 1)), 2)).all()


def test_gradients_count_rows_by_weight():
    v = rng.integers(1, 4, 120)
    rows = np.repeat(np.arange(120), v)
    weighted = gradient_directions(X[:120], Y[:120], 2, v.astype(float))
    repeated = gradient_directions(X[rows], Y[rows], 2)
    signs = np.sign(np.einsum("ij,ij->j", weighted, repeated))
    np.testing.assert_allclose(weighted * signs, repeated, atol=1e-8)
