"""The change of basis for wide data, and for columns that depend on each other."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._linalg import reduce_to_row_space
from naive import assert_close
from registry import frozen, orthonormal

WIDE = frozen(np.random.default_rng(1).standard_normal((5, 30)))


@pytest.mark.parametrize("n_extra", [0, 1, 4])
def test_gives_the_data_back(n_extra):
    Q, reduced = reduce_to_row_space(WIDE, n_extra)
    assert Q.shape == (30, 5 + n_extra)
    assert reduced.shape == (5, 5 + n_extra)
    assert reduced.flags.c_contiguous
    assert_close(Q.T @ Q, np.eye(5 + n_extra), 1e-14)
    assert_close(reduced @ Q.T, WIDE, 1e-14)


def test_the_extra_directions_are_outside_the_row_space():
    Q, reduced = reduce_to_row_space(WIDE, 3)
    assert np.max(np.abs(WIDE @ Q[:, 5:])) < 1e-13
    assert np.max(np.abs(reduced[:, 5:])) < 1e-13


@pytest.mark.parametrize(
    ("shape", "n_extra"), [((30, 5), 2), ((5, 5), 0), ((5, 6), 0), ((5, 9), 2), ((10, 10), 0)]
)
def test_none_when_there_is_nothing_to_gain(shape, n_extra):
    """With few columns to save, the decomposition costs more than it brings."""
    X = np.random.default_rng(0).standard_normal(shape)
    assert reduce_to_row_space(X, n_extra) is None


def test_half_the_columns_are_a_gain():
    assert reduce_to_row_space(WIDE[:, :14], 2)[0].shape == (14, 7)


def test_repeated_rows_do_no_harm():
    rows = WIDE[[0, 1, 1, 0]]
    Q, reduced = reduce_to_row_space(rows, 2)
    assert_close(Q.T @ Q, np.eye(6), 1e-14)
    assert_close(reduced @ Q.T, rows, 1e-14)


def test_the_same_basis_every_time():
    first, again = reduce_to_row_space(WIDE, 2), reduce_to_row_space(WIDE, 2)
    assert first[0].tobytes() == again[0].tobytes()


def test_the_objective_does_not_notice():
    """``cost(Q W_r)`` on the data is ``cost(W_r)`` on the reduced data."""
    Q, reduced = reduce_to_row_space(WIDE, 2)
    frame = orthonormal(7, 2, seed=2)
    gamma = np.diag(np.arange(5.0)) - 1.0
    whole, small = Objective(WIDE, gamma, "gaussian"), Objective(reduced, gamma, "gaussian")
    assert small.cost(frame) == pytest.approx(whole.cost(Q @ frame), rel=1e-13)
    assert_close(Q @ small.gradient(frame), whole.gradient(Q @ frame), 1e-12)


THREE = np.random.default_rng(3).standard_normal((40, 3))
COPIES = frozen(np.hstack([THREE, 1e3 * THREE, -THREE, THREE[:, :1] + THREE[:, 1:2]]) + 0.25)


@pytest.mark.parametrize("n_extra", [1, 2])
def test_columns_that_depend_on_others_are_left_out(n_extra):
    """What is kept: three directions that vary, the mean, and ``n_extra`` others."""
    Q, reduced = reduce_to_row_space(COPIES, n_extra)
    size = 4 + n_extra
    assert Q.shape == (10, size)
    assert_close(Q.T @ Q, np.eye(size), 1e-14)
    assert_close(reduced @ Q.T, COPIES, 1e-14)
    assert np.ptp(reduced[:, 3]) == 0.0
    assert np.all(reduced[:, 4:] == 0.0)
    assert reduced.flags.c_contiguous


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
def test_nor_does_it_notice_that_columns_are_missing(kernel):
    """Inner products see the mean, differences do not."""
    few = COPIES - COPIES.mean(axis=0) + 0.1
    Q, reduced = reduce_to_row_space(few / np.linalg.norm(few, axis=0), 2)
    frame = orthonormal(6, 2, seed=2)
    gamma = np.outer(THREE[:, 0], THREE[:, 0])
    whole = Objective(few / np.linalg.norm(few, axis=0), gamma, kernel)
    small = Objective(reduced, gamma, kernel)
    assert small.cost(frame) == pytest.approx(whole.cost(Q @ frame), rel=1e-12)
    assert_close(Q @ small.gradient(frame), whole.gradient(Q @ frame), 1e-12)


@pytest.mark.parametrize(
    "X",
    [
        np.hstack([THREE, THREE[:, :2]]),  # two too many, both of which q = 2 may use
        np.hstack([THREE, THREE + 1e-9 * THREE[::-1]]),  # nearly is not exactly
        THREE * 10.0 ** np.array([0, -8, -16]),  # a small unit is no copy
        np.ones((40, 5)),  # nothing varies
        np.zeros((40, 5)),
    ],
)
def test_only_exact_copies_are_left_out(X):
    assert reduce_to_row_space(X, 2) is None


def test_copies_are_seen_in_other_units():
    X = np.hstack([THREE, THREE]) * np.array([1.0, 1.0, 1.0, 60.0, 2.54, 0.1])
    Q, reduced = reduce_to_row_space(X, 1)
    assert Q.shape == (6, 5)
    assert np.all(np.abs(reduced @ Q.T - X) <= 1e-12 * np.abs(X).max(axis=0))


def test_no_column_is_lost_beside_a_longer_one():
    X = np.hstack([THREE, THREE]) * 10.0 ** np.arange(0, -12, -2)
    assert reduce_to_row_space(X, 1) is None
