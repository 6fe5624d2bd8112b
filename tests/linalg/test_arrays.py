"""A symmetric array: where its routines change, and the preconditioner made of its halves."""

import numpy as np
import pytest

from hsiclearn._linalg import DenseSymmetric, SplitSpectrum, symmetric
from hsiclearn._linalg.eigen import lowest_eigenpairs, start_block
from hsiclearn._linalg.symmetric import above, compressed, null_space_of
from naive import assert_close
from registry import orthonormal
from registry import symmetric as random_symmetric


@pytest.mark.parametrize(("d", "size"), [(200, 200), (201, 3)])
def test_up_to_200_rows_all_eigenpairs_cost_no_more(d, size):
    A = random_symmetric(d, seed=1)
    assert lowest_eigenpairs(A, 3).values.shape == (size,)
    assert DenseSymmetric(A).lowest(3).values.shape == ({200: 200, 201: 21}[d],)
    guess = orthonormal(d, 2, seed=2)
    assert DenseSymmetric(A).improved(guess, 1.0).values.shape == (size,)


@pytest.mark.parametrize(("d", "columns", "searched"), [(240, 19, True), (240, 20, False)])
def test_an_improvement_is_searched_where_twelve_blocks_fit(d, columns, searched, monkeypatch):
    """For a guess and one more; else a dense routine has as many."""
    calls = []

    def spy(times, start, **settings):
        calls.append((start, settings))

    monkeypatch.setattr(symmetric, "block_krylov", spy)
    A, guess = random_symmetric(d, seed=3), orthonormal(d, columns, seed=4)
    found = DenseSymmetric(A).improved(guess, 1e-3)
    assert found.values.shape == (columns + 1,)
    assert bool(calls) is searched
    if searched:
        start, settings = calls[0]
        np.testing.assert_array_equal(start, start_block(d, columns + 1, guess))
        assert settings == {"n_exact": columns, "atol": pytest.approx(1e-3 * np.linalg.norm(A))}


def test_of_a_guess_of_all_columns_there_is_no_one_more():
    A = random_symmetric(201, seed=3)
    assert DenseSymmetric(A).improved(np.eye(201), 1.0).values.shape == (201,)


@pytest.mark.parametrize(("gap", "tied"), [(1.5e-9, False), (0.5e-9, True)])
@pytest.mark.parametrize("d", [9, 210])
def test_a_tie_is_a_billionth_of_the_norm_or_of_the_scale(gap, tied, d):
    values = np.r_[-1.0, 0.0, gap, np.linspace(1.0, 2.0, d - 3)]
    A = np.diag(values)
    seen = []

    def ties():
        seen.append(1)
        return DenseSymmetric(np.diag(np.arange(d, 0.0, -1.0)))

    chosen = DenseSymmetric(A).resolved(2, ties, scale=1.0)
    assert bool(seen) is tied
    expected = np.eye(d)[:, [0, 2 if tied else 1]]
    assert_close(np.abs(chosen), expected, 1e-7)
    seen.clear()
    DenseSymmetric(A / np.linalg.norm(A)).resolved(2, ties)
    assert seen, "beside the norm a billionth is nothing"


@pytest.mark.parametrize(("d", "all_of_them"), [(200, True), (201, False)])
def test_without_a_tie_a_large_array_is_not_decomposed_whole(d, all_of_them):
    matrix = DenseSymmetric(np.diag(np.arange(float(d))))
    matrix.resolved(2, lambda: pytest.fail("there is no tie"))
    assert ("_all" in vars(matrix)) is all_of_them


def test_a_tie_at_the_edge_is_left_and_one_beyond_is_resolved():
    """Eigenvalues 0, 0 | 1 and 0 | 0, 1: only the second is a choice."""
    A, T = np.diag([0.0, 0.0, 1.0, 1.0]), np.diag([4.0, 1.0, 3.0, 2.0])
    fail = lambda: pytest.fail("no tie")  # noqa: E731
    assert_close(np.abs(DenseSymmetric(A).resolved(2, fail)), np.eye(4, 2), 1e-15)
    assert DenseSymmetric(A).resolved(4, fail).shape == (4, 4)
    other = lambda: DenseSymmetric(T)  # noqa: E731
    assert_close(np.abs(DenseSymmetric(A).resolved(1, other)), np.eye(4)[:, [1]], 1e-15)
    assert_close(np.abs(DenseSymmetric(A).resolved(3, other))[:, 2:], np.eye(4)[:, [3]], 1e-15)
    assert_close(np.abs(DenseSymmetric(np.zeros((4, 4))).resolved(1, other)), np.eye(4)[:, [1]], 0)


# The preconditioner -------------------------------------------------------------------------------


def halves(d, q, kept, rest=5.0):
    """A split of a diagonal matrix with ``kept`` of the directions outside."""
    W, B = np.eye(d)[:, :q], np.eye(d)[:, q : q + kept]
    S = orthonormal(q, q, seed=1)
    inner, outer = np.arange(float(q)), 10.0 + np.arange(kept)
    return W, SplitSpectrum(S, inner, B, outer, rest, 2.0)


@pytest.mark.parametrize("kept", [6, 2])
def test_it_divides_by_twice_the_differences_of_eigenvalues(kept):
    """Along the directions known; along the others by twice the distance from their mean."""
    W, split = halves(8, 2, kept)
    Z = np.random.default_rng(2).standard_normal((8, 2))
    Z -= W @ (W.T @ Z)
    outer = np.r_[split.outer, np.full(6 - kept, split.rest)]
    M = np.abs(2.0 * (outer[:, None] - split.inner))
    expected = np.zeros((8, 2))
    expected[2:] = (Z[2:] @ split.S / M) @ split.S.T
    assert_close(split.divide(Z, 0.0), expected, 1e-13)
    known, rest = split.diagonal(0.0)
    assert_close(known, M[:kept], 1e-15)
    assert_close(rest, np.abs(2.0 * (split.rest - split.inner)), 1e-15)


def test_in_full_there_is_no_rest_to_divide_by():
    W, split = halves(8, 2, 6, rest=0.0)
    Z = np.vstack([np.zeros((2, 2)), np.ones((6, 2))])
    found = split.divide(Z, 0.0)
    assert np.isfinite(found).all()
    assert np.abs(W.T @ found).max() == 0.0


def test_entries_are_kept_above_a_share_of_the_largest_and_of_the_norm():
    _, split = halves(8, 2, 2, rest=0.5)
    known, rest = split.diagonal(0.95)  # of 22
    assert_close(known, np.maximum([[20.0, 20.9], [22.0, 20.9]], 20.9), 1e-13)
    assert_close(rest, np.array([20.9, 20.9]), 1e-13)
    near = split._replace(outer=np.array([1e-3, 1e-3]), inner=np.zeros(2), rest=0.0)
    known, rest = near.diagonal(0.5)  # a tenth of the norm is 0.2
    assert known.max() == known.min() == rest.max() == rest.min() == pytest.approx(0.1)
    nothing = near._replace(outer=np.zeros(2), norm=0.0)
    assert (nothing.diagonal(1.0)[0] == np.finfo(float).tiny).all()
    assert near.gap == pytest.approx(1e-3)
    assert near._replace(inner=np.array([-1.0, 1.0])).gap == pytest.approx(1e-3 - 1.0)


@pytest.mark.parametrize(
    ("d", "in_full", "known"), [(201, False, 12), (201, True, 199), (205, True, 12)]
)
def test_on_request_a_split_is_in_full_up_to_a_size(d, in_full, known, monkeypatch):
    monkeypatch.setattr(symmetric, "_FULL_ON_REQUEST", 201)
    A, W = random_symmetric(d, seed=5), orthonormal(d, 2, seed=6)
    split = DenseSymmetric(A).split(W, in_full=in_full)
    assert split.B.shape == (d, known)
    assert split.norm == pytest.approx(np.linalg.norm(A))
    if known == 199:
        assert split.rest == 0.0
        assert_close(split.B.T @ A @ split.B, np.diag(split.outer), 1e-11)


def test_a_split_in_part_takes_three_blocks_off_the_frame():
    A, W = random_symmetric(240, seed=7), orthonormal(240, 3, seed=8)
    split = DenseSymmetric(A).split(W)
    assert split.B.shape == (240, 13)
    assert np.abs(W.T @ split.B).max() <= 1e-12
    rest = (np.trace(A) - split.inner.sum() - split.outer.sum()) / (240 - 3 - 13)
    assert split.rest == pytest.approx(rest, rel=1e-12)
    P = np.eye(240) - W @ W.T
    basis = block = P @ start_block(240, 13, None)
    for _ in range(2):
        block = P @ (A @ np.linalg.qr(block)[0])
        basis = np.linalg.qr(np.hstack([basis, block]))[0]
    ritz = np.linalg.eigvalsh(basis.T @ A @ basis)[:13]
    assert_close(split.outer, ritz, 1e-8)


def test_what_is_above_and_what_is_off():
    assert above(3.0) == 6.0
    assert above(0.0) == 1.0
    A, V = random_symmetric(7, seed=9), orthonormal(7, 2, seed=10)
    U = orthonormal(7, 3, seed=11)
    P = np.eye(7) - V @ V.T
    assert_close(compressed(lambda M: A @ M, V, 3.0)(U), (P @ A @ P + 6.0 * V @ V.T) @ U, 1e-14)
    assert null_space_of(V).shape == (7, 5)


@pytest.mark.parametrize(("share", "full"), [(0.8, False), (1.25, True)])
def test_rank_is_full_where_the_condition_is_below_the_precision_times_the_size(share, full):
    """Of a diagonal matrix the estimate is exact: the smallest over the largest."""
    smallest = share * 4 * np.finfo(float).eps
    assert DenseSymmetric(np.diag([1.0, 0.5, 0.5, smallest])).has_full_rank() is full


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_norm_of_an_array_of_any_size(size):
    assert DenseSymmetric(size * np.eye(4)).norm == pytest.approx(2.0 * size)
