"""The smallest eigenvalue of an operator."""

import numpy as np
import pytest

from hsiclearn._linalg import smallest_eigenpair
from naive import assert_close
from registry import frozen, orthonormal, symmetric

N = 60


def start(seed=0, size=N):
    return np.random.default_rng(seed).standard_normal(size)


def test_against_a_full_decomposition():
    A = symmetric(N, seed=1)
    values, vectors = np.linalg.eigh(A)
    pair = smallest_eigenpair(lambda v: A @ v, start(), rtol=1e-14)
    assert pair.value == pytest.approx(values[0], rel=1e-12)
    assert abs(pair.vector @ vectors[:, 0]) == pytest.approx(1.0, rel=1e-12)
    assert pair.products <= N


def test_value_and_residual_belong_to_the_vector():
    A = symmetric(N, seed=2)
    pair = smallest_eigenpair(lambda v: A @ v, start(), rtol=0.0, max_products=15)
    v = pair.vector
    assert np.linalg.norm(v) == pytest.approx(1.0, rel=1e-13)
    assert pair.value == pytest.approx(v @ A @ v, rel=1e-12)
    assert pair.residual == pytest.approx(np.linalg.norm(A @ v - pair.value * v), rel=1e-9)
    assert pair.products == 15


@pytest.mark.parametrize("budget", [1, 2, 5, 10, 30])
def test_never_below_the_truth_and_never_further_than_the_residual(budget):
    A = symmetric(N, seed=3)
    values = np.linalg.eigvalsh(A)
    pair = smallest_eigenpair(lambda v: A @ v, start(), max_products=budget)
    assert pair.value >= values[0] - 1e-13
    assert np.min(np.abs(values - pair.value)) <= pair.residual + 1e-13


def test_the_operator_may_act_on_matrices():
    """The operator ``Z -> AZ + ZB`` has eigenvalues ``a_i + b_j``."""
    A, B = symmetric(8, seed=4), symmetric(5, seed=5)
    a, b = np.linalg.eigvalsh(A), np.linalg.eigvalsh(B)
    first = start(6, 40).reshape(8, 5)
    pair = smallest_eigenpair(lambda Z: A @ Z + Z @ B, first, rtol=1e-9)
    assert pair.vector.shape == (8, 5)
    assert pair.value == pytest.approx(a[0] + b[0], rel=1e-10)
    assert_close(A @ pair.vector + pair.vector @ B, pair.value * pair.vector, 1e-6)


def test_a_good_preconditioner_saves_products():
    """A diagonal from 1 to 1e4 plus a little: its inverse diagonal is nearly its inverse."""
    diagonal = np.geomspace(1.0, 1e4, N)
    A = np.diag(diagonal) + 0.1 * symmetric(N, seed=7)
    smallest = np.linalg.eigvalsh(A)[0]
    settings = {"rtol": 1e-4, "min_products": 6}
    plain = smallest_eigenpair(lambda v: A @ v, start(), **settings)
    helped = smallest_eigenpair(
        lambda v: A @ v, start(), precondition=lambda r: r / diagonal, **settings
    )
    assert plain.value == pytest.approx(smallest, rel=1e-4)
    assert helped.value == pytest.approx(smallest, rel=1e-4)
    assert helped.products < plain.products / 2


@pytest.fixture
def hidden():
    """1 .. 2 and one eigenvalue at -1, of which the start holds a thousandth."""
    vectors = orthonormal(N, N, seed=8)
    values = np.concatenate([np.linspace(1.0, 2.0, N - 1), [-1.0]])
    matrix = frozen((vectors * values) @ vectors.T)
    return matrix, vectors[:, 0] + 1e-3 * vectors[:, -1]


def test_a_hidden_eigenvalue_is_found(hidden):
    """The start is nearly an eigenvector already; the search goes on for ``min_products``."""
    A, first = hidden
    value = first @ A @ first / (first @ first)
    residual = np.linalg.norm(A @ first - value * first) / np.linalg.norm(first)
    assert residual < 1e-2 * value  # the rule on the residual alone is met from the first
    assert smallest_eigenpair(lambda v: A @ v, first).value == pytest.approx(-1.0, rel=1e-2)


def test_a_misleading_preconditioner_does_not_hide_it(hidden):
    A, first = hidden
    pair = smallest_eigenpair(
        lambda v: A @ v, first, precondition=lambda r: r * np.geomspace(1.0, 1e-2, N)
    )
    assert pair.value == pytest.approx(-1.0, rel=1e-2)


def test_threshold_ends_the_search():
    A = symmetric(N, seed=9)
    smallest = np.linalg.eigvalsh(A)[0]
    assert smallest < 0
    whole = smallest_eigenpair(lambda v: A @ v, start(), rtol=1e-9)
    early = smallest_eigenpair(lambda v: A @ v, start(), rtol=1e-9, threshold=0.5 * smallest)
    assert smallest <= early.value < 0.5 * smallest
    assert early.products < whole.products
    never = smallest_eigenpair(lambda v: A @ v, start(), rtol=1e-9, threshold=2.0 * smallest)
    assert never.value == whole.value


def test_stops_when_the_whole_space_is_searched():
    A = symmetric(5, seed=10)
    pair = smallest_eigenpair(lambda v: A @ v, start(size=5), rtol=0.0)
    assert pair.products <= 5
    assert pair.value == pytest.approx(np.linalg.eigvalsh(A)[0], rel=1e-12)


def test_an_invariant_start_is_no_breakdown():
    """The first residual is zero: there is no direction left to add."""
    pair = smallest_eigenpair(lambda v: 3.0 * v, start())
    assert pair.value == pytest.approx(3.0, rel=1e-14)


def test_absolute_tolerance_for_values_near_zero():
    """An eigenvalue of 0 never meets a relative rule."""
    A = np.diag(np.concatenate([[0.0], np.linspace(1.0, 2.0, N - 1)]))
    pair = smallest_eigenpair(lambda v: A @ v, start(), rtol=0.0, atol=1e-6)
    assert pair.products < N
    assert abs(pair.value) < 1e-6


def test_a_small_number_of_products_may_be_asked_for():
    found = smallest_eigenpair(lambda v: np.arange(1.0, 21.0) * v, np.ones(20), min_products=3)
    assert found.value >= 1.0
