"""The change of basis for wide data, and for columns that depend on each other."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._linalg import IDENTITY, Basis, is_wide, may_depend, row_space
from hsiclearn._linalg.basis import _null_space
from hsiclearn._rows import as_rows
from naive import assert_close
from registry import frozen, orthonormal

WIDE = frozen(np.random.default_rng(1).standard_normal((5, 30)))


def reduced_by(X, n_extra):
    """The basis as a matrix, and the data in it."""
    basis, reduced = row_space(X, n_extra)
    return basis.lift(np.eye(reduced.shape[1])), reduced


@pytest.mark.parametrize("n_extra", [0, 1, 4])
def test_gives_the_data_back(n_extra):
    Q, reduced = reduced_by(WIDE, n_extra)
    assert Q.shape == (30, 5 + n_extra)
    assert reduced.shape == (5, 5 + n_extra)
    assert reduced.flags.c_contiguous
    assert_close(Q.T @ Q, np.eye(5 + n_extra), 1e-14)
    assert_close(reduced @ Q.T, WIDE, 1e-14)


def test_the_extra_directions_are_outside_the_row_space():
    Q, reduced = reduced_by(WIDE, 3)
    assert np.max(np.abs(WIDE @ Q[:, 5:])) < 1e-13
    assert np.max(np.abs(reduced[:, 5:])) < 1e-13


@pytest.mark.parametrize(
    ("shape", "n_extra"), [((30, 5), 2), ((5, 5), 0), ((5, 6), 0), ((5, 9), 2), ((10, 10), 0)]
)
def test_none_when_there_is_nothing_to_gain(shape, n_extra):
    """With few columns to save, the decomposition costs more than it brings."""
    X = np.random.default_rng(0).standard_normal(shape)
    assert row_space(X, n_extra)[0].is_identity


def test_half_the_columns_are_a_gain():
    assert reduced_by(WIDE[:, :14], 2)[0].shape == (14, 7)


def test_repeated_rows_do_no_harm():
    rows = WIDE[[0, 1, 1, 0]]
    Q, reduced = reduced_by(rows, 2)
    assert_close(Q.T @ Q, np.eye(6), 1e-14)
    assert_close(reduced @ Q.T, rows, 1e-14)


def test_the_same_basis_every_time():
    first, again = reduced_by(WIDE, 2), reduced_by(WIDE, 2)
    assert first[0].tobytes() == again[0].tobytes()


def test_the_objective_does_not_notice():
    """``cost(Q W_r)`` on the data is ``cost(W_r)`` on the reduced data."""
    Q, reduced = reduced_by(WIDE, 2)
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
    Q, reduced = reduced_by(COPIES, n_extra)
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
    Q, reduced = reduced_by(few / np.linalg.norm(few, axis=0), 2)
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
    assert row_space(X, 2)[0].is_identity


def test_copies_are_seen_in_other_units():
    X = np.hstack([THREE, THREE]) * np.array([1.0, 1.0, 1.0, 60.0, 2.54, 0.1])
    Q, reduced = reduced_by(X, 1)
    assert Q.shape == (6, 5)
    assert np.all(np.abs(reduced @ Q.T - X) <= 1e-12 * np.abs(X).max(axis=0))


def test_no_column_is_lost_beside_a_longer_one():
    X = np.hstack([THREE, THREE]) * 10.0 ** np.arange(0, -12, -2)
    assert row_space(X, 1)[0].is_identity


MASK = np.array([True, False, True, True, False])
B = frozen(np.random.default_rng(4).standard_normal((5, 3)))
SOME = np.random.default_rng(5).standard_normal((8, 5))


def from_rows():
    """The row space of three rows, which are not written out as a basis."""
    R = SOME[:3]
    values, vectors = np.linalg.eigh(R @ R.T)
    return Basis.of_rows(as_rows(R), vectors / np.sqrt(values))


BASES = {
    "identity": IDENTITY,
    "all columns": Basis.of_columns(np.ones(5, dtype=bool)),
    "columns": Basis.of_columns(MASK),
    "orthonormal": Basis.of_matrix(orthonormal(5, 3, seed=1), is_orthonormal=True),
    "any matrix": Basis.of_matrix(B),
    "rows": from_rows(),
}


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_a_subspace_is_seen_alike_from_both_sides(basis):
    """``X (B V) = (X B) V``, for a table and for rows; V comes back from what it lifts to."""
    size = basis.coordinates(np.eye(5)).shape[0]
    V = orthonormal(size, 2, seed=3)
    assert_close(basis.lower(SOME) @ V, SOME @ basis.lift(V), 1e-14)
    assert_close(basis.coordinates(basis.lift(V)), V, 1e-13)


def test_columns_of_rows_are_kept_as_rows():
    kept = BASES["columns"].lower(as_rows(SOME))
    assert kept.shape == (8, 3)
    assert_close(kept.take(np.arange(8)), SOME[:, MASK], 0.0)


def test_a_direction_outside_is_brought_to_the_nearest_inside():
    W = np.eye(5)[:, :1]
    V = BASES["any matrix"].coordinates(W)
    assert np.max(np.abs(B.T @ (B @ V - W))) < 1e-14


def test_only_the_identity_says_so():
    assert [name for name, basis in BASES.items() if basis.is_identity] == [
        "identity",
        "all columns",
    ]


def test_a_basis_in_a_basis():
    """``W = B B' V``, and nothing is added by an identity."""
    outer, inner = BASES["columns"], Basis.of_matrix(frozen(B[:3, :2]))
    chain = outer.then(inner)
    V = np.array([[1.0], [-2.0]])
    assert_close(chain.lift(V), outer.lift(inner.lift(V)), 0.0)
    assert_close(chain.lower(SOME) @ V, SOME @ chain.lift(V), 1e-14)
    assert_close(chain.coordinates(chain.lift(V)), V, 1e-13)
    assert not chain.is_identity
    assert outer.then(IDENTITY) is outer
    assert IDENTITY.then(outer) is outer
    assert IDENTITY.then(IDENTITY) is IDENTITY


def test_rows_are_turned_into_any_basis():
    turned = BASES["any matrix"].lower(as_rows(SOME))
    assert_close(turned.take(np.arange(8)), SOME @ B, 1e-14)


@pytest.mark.parametrize(
    ("n", "d", "n_extra", "wide"),
    [(10, 14, 0, True), (10, 13, 0, False), (8, 14, 2, True), (8, 13, 2, False)],
)
def test_wide_is_two_fifths_more_columns_than_are_needed(n, d, n_extra, wide):
    assert is_wide(n, d, n_extra) is wide
    assert (
        row_space(np.random.default_rng(0).standard_normal((n, d)), n_extra)[0].is_identity
        is not wide
    )


@pytest.mark.parametrize(("correlation", "may"), [(1.0, True), (1 - 0.9e-10, True), (0.999, False)])
def test_columns_may_depend_up_to_rounding(correlation, may):
    """In any units: the smallest eigenvalue of the correlations is ``1 - correlation``."""
    unit = np.array([1.0, 1e6])
    assert (
        may_depend(np.array([[1.0, correlation], [correlation, 1.0]]) * np.outer(unit, unit)) is may
    )
    more = np.array([[1.0, 1.0 - 1.1e-10], [1.0 - 1.1e-10, 1.0]])
    assert not may_depend(more)
    assert may_depend(np.diag([1.0, 0.0]))  # a constant column


def test_of_as_many_rows_as_columns_some_depend():
    """Centred rows span one direction less; that and no more is kept as it is."""
    square = np.random.default_rng(6).standard_normal((5, 5))
    assert row_space(square, 1)[0].is_identity
    Q, reduced = reduced_by(np.tile(square[:, :2], 3)[:, :5], 1)
    assert Q.shape == (5, 4)
    assert_close(reduced @ Q.T, np.tile(square[:, :2], 3)[:, :5], 1e-14)


@pytest.mark.parametrize(
    ("noise", "size"), [(0.0, 1), (1e-15, 1), (1e-12, 0), (1e-9, 0), (1e-3, 0)]
)
def test_a_direction_is_null_where_rows_are_equal_to_the_last_digits(noise, size):
    """In units of the columns: a hundredth of a trillion of a standard deviation is not nothing."""
    X = np.column_stack([THREE[:, :2], 1e5 * (THREE[:, 0] - THREE[:, 1] + noise * THREE[:, 2])])
    N = _null_space(X - X.mean(axis=0))
    assert N.shape == (3, size)
    if size:
        expected = np.array([1.0, -1.0, -1e-5]) / np.linalg.norm([1.0, -1.0, -1e-5])
        assert abs(expected @ N[:, 0]) == pytest.approx(1.0, abs=1e-12)
