"""Low-rank factors by greedy pivoting."""

import numpy as np
import pytest

from hsiclearn._linalg import pivoted_cholesky
from naive import assert_close
from registry import frozen

POINTS = np.random.default_rng(1).standard_normal((80, 2))
K = frozen(np.exp(-0.5 * np.sum((POINTS[:, None] - POINTS[None]) ** 2, axis=2)))


def factor(matrix, **settings):
    return pivoted_cholesky(np.diag(matrix), lambda i: matrix[:, i].copy(), **settings)


@pytest.mark.parametrize("rtol", [1e-2, 1e-6, 1e-10])
def test_reaches_the_share_asked_for(rtol):
    L, missing = factor(K, rtol=rtol)
    error = K - L @ L.T
    assert missing <= rtol
    assert np.trace(error) / np.trace(K) == pytest.approx(missing, abs=1e-13)
    assert np.max(np.abs(error)) <= rtol * np.trace(K) + 1e-12
    assert L.shape[1] < 80


def test_tighter_tolerance_takes_more_columns():
    ranks = [factor(K, rtol=rtol)[0].shape[1] for rtol in (1e-1, 1e-3, 1e-6, 1e-9)]
    assert ranks == sorted(set(ranks))


def test_what_is_left_is_positive_semi_definite():
    L, _ = factor(K, max_rank=6)
    assert np.linalg.eigvalsh(K - L @ L.T)[0] > -1e-12


@pytest.mark.parametrize("max_rank", [1, 5, 20])
def test_rank_is_bounded_and_the_share_is_told(max_rank):
    L, missing = factor(K, max_rank=max_rank)
    assert L.shape == (80, max_rank)
    assert missing == pytest.approx(np.trace(K - L @ L.T) / np.trace(K), rel=1e-10)


def test_first_pivot_is_the_largest_diagonal_entry():
    A = np.array([[1.0, 0.5, 0.2], [0.5, 4.0, 1.0], [0.2, 1.0, 2.0]])
    L, _ = factor(A, max_rank=1)
    np.testing.assert_allclose(L[:, 0], A[:, 1] / 2.0, rtol=1e-15)


def test_exact_on_a_matrix_of_low_rank():
    U = np.random.default_rng(2).standard_normal((50, 3))
    L, missing = factor(U @ U.T)
    assert L.shape[1] == 3
    assert missing < 1e-10
    assert_close(L @ L.T, U @ U.T, 1e-13)


def test_full_rank_beyond_the_first_block_of_columns():
    """90 columns: the factor outgrows the space set aside for it twice."""
    A = np.diag(np.linspace(1.0, 2.0, 90)) + 0.01
    L, missing = factor(A, rtol=0.0)
    assert L.shape == (90, 90)
    assert missing == 0.0
    assert_close(L @ L.T, A, 1e-14)


def test_nothing_to_factor():
    L, missing = factor(np.zeros((4, 4)))
    assert L.shape == (4, 0)
    assert missing == 0.0


def test_the_diagonal_is_left_alone():
    diagonal = frozen(np.diag(K))
    pivoted_cholesky(diagonal, lambda i: K[:, i].copy(), max_rank=3)
    np.testing.assert_array_equal(diagonal, 1.0)


def test_rows_count_by_their_weights():
    """In the trace and so in when it ends, not in what is taken first."""
    weights = np.arange(80.0)
    L, missing = factor(K, rtol=1e-3, weights=weights)
    share = weights @ np.diag(K - L @ L.T) / weights.sum()
    assert missing == pytest.approx(share, rel=1e-9)
    assert missing <= 1e-3
    before = L[:, :-1]
    assert weights @ np.diag(K - before @ before.T) / weights.sum() > 1e-3
    L, missing = factor(K, weights=np.r_[1.0, np.zeros(79)], rtol=0.0)
    assert L.shape[1] == 1  # the first row is the first pivot, of equal ones
    assert missing == 0.0


@pytest.mark.parametrize("rank", [31, 32, 33, 64, 65])
def test_a_factor_that_outgrows_its_space_is_the_same(rank):
    n = 70
    A = np.diag(np.linspace(1.0, 2.0, n)) + 0.01
    L, _ = factor(A, max_rank=rank, rtol=0.0)
    whole, _ = factor(A, rtol=0.0)
    np.testing.assert_array_equal(L, whole[:, :rank])
    assert L.base is None
