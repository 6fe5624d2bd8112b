"""The lowest part of a spectrum, ties in it, and its two halves."""

import numpy as np
import pytest

from hsiclearn._linalg import (
    DenseSymmetric,
    block_krylov,
    lowest_eigenpairs,
    null_space_of,
    sine_of_largest_angle,
)
from naive import assert_close
from registry import frozen, orthonormal, symmetric


def with_spectrum(values, seed):
    """A symmetric matrix with the given eigenvalues, and its eigenvectors."""
    vectors = orthonormal(len(values), len(values), seed)
    return frozen((vectors * values) @ vectors.T), vectors


# The lowest eigenpairs ------------------------------------------------------------------------


def test_small_matrices_are_decomposed_whole():
    A = symmetric(30, seed=1)
    spectrum = lowest_eigenpairs(A, 4)
    assert spectrum.values.shape == (30,)
    assert_close(spectrum.values, np.linalg.eigvalsh(A), 1e-13)
    assert_close(A @ spectrum.vectors, spectrum.vectors * spectrum.values, 1e-12)


@pytest.mark.parametrize("k", [1, 3, 21])
def test_large_matrices_by_krylov_spaces(k):
    A = symmetric(300, seed=2)
    spectrum = lowest_eigenpairs(A, k)
    values, vectors = np.linalg.eigh(A)
    assert spectrum.values.shape == (k,)
    assert_close(spectrum.values, values[:k], 1e-11)
    assert sine_of_largest_angle(vectors[:, :k], spectrum.vectors) < 1e-8
    assert_close(spectrum.vectors.T @ spectrum.vectors, np.eye(k), 1e-13)


def test_many_eigenpairs_of_a_large_matrix():
    A = symmetric(220, seed=3)
    values, vectors = np.linalg.eigh(A)
    spectrum = lowest_eigenpairs(A, 120)
    assert_close(spectrum.values, values[:120], 1e-12)
    assert sine_of_largest_angle(vectors[:, :120], spectrum.vectors) < 1e-10


@pytest.mark.parametrize("distance", [1e-6, 1e-2])
def test_a_guess_near_the_answer_leads_to_it(distance):
    values = np.concatenate([[-9.0, -6.0, -4.0], np.linspace(-1.0, 3.0, 297)])
    A, vectors = with_spectrum(values, seed=2)
    noise = np.random.default_rng(22).standard_normal((300, 3))
    guess = np.linalg.qr(vectors[:, :3] + distance * noise)[0]
    spectrum = DenseSymmetric(A).improved(guess, 1e-10)
    assert spectrum.values.shape == (4,)
    assert_close(spectrum.values[:3], values[:3], 1e-12)
    assert sine_of_largest_angle(vectors[:, :3], spectrum.vectors[:, :3]) < 1e-8


def test_a_loose_tolerance_is_a_cheap_improvement():
    """A step needs no exact eigenvectors, but what it gets must be lower than the guess."""
    A = symmetric(300, seed=2)
    guess = orthonormal(300, 3, seed=23)
    spectrum = DenseSymmetric(A).improved(guess, 0.05)
    assert spectrum.values[:3].sum() < np.trace(guess.T @ A @ guess)
    residual = A @ spectrum.vectors[:, :3] - spectrum.vectors[:, :3] * spectrum.values[:3]
    assert np.linalg.norm(residual, axis=0).max() <= 0.06 * np.linalg.norm(A)


def test_a_crowded_spectrum_falls_back_to_the_dense_routine():
    A = symmetric(300, seed=2)
    spectrum = DenseSymmetric(A).improved(orthonormal(300, 3, seed=23), 1e-12)
    assert_close(spectrum.values[:3], np.linalg.eigvalsh(A)[:3], 1e-12)


def test_the_lowest_eigenpairs_of_a_large_matrix_are_exact():
    A = symmetric(300, seed=2)
    values, vectors = np.linalg.eigh(A)
    spectrum = lowest_eigenpairs(A, 21)
    assert_close(spectrum.values, values[:21], 1e-12)
    assert sine_of_largest_angle(vectors[:, :21], spectrum.vectors) < 1e-8


def test_the_complement_of_a_large_split_holds_nothing_of_w():
    """Few distinct eigenvalues exhaust a Krylov space; what fills it up must not be W."""
    A = np.diag(np.concatenate([np.arange(-11.0, 0.0), np.full(229, 5.0)]))
    W = np.eye(240, 2)
    split = DenseSymmetric(A).split(W)
    assert np.abs(W.T @ split.B).max() <= 1e-10
    assert_close(split.outer[:9], np.arange(-9.0, 0.0), 1e-8)
    shifted = symmetric(210, seed=3) + 40 * np.eye(210)
    V = orthonormal(210, 50, seed=4)
    B = np.linalg.qr(V, mode="complete")[0][:, 50:]
    lowest = np.linalg.eigvalsh(B.T @ shifted @ B)[0]
    assert DenseSymmetric(shifted).split(V).outer[0] == pytest.approx(lowest, rel=1e-8)


def test_repeated_eigenvalues():
    """Three equal ones at the bottom: the Krylov space of one vector would see one of them."""
    values = np.concatenate([[-4.0, -2.0, -2.0, -2.0], np.linspace(0.0, 3.0, 296)])
    A, vectors = with_spectrum(values, seed=4)
    spectrum = lowest_eigenpairs(A, 4)
    assert_close(spectrum.values[:4], values[:4], 1e-10)
    assert sine_of_largest_angle(vectors[:, :4], spectrum.vectors[:, :4]) < 1e-7


def test_a_matrix_of_low_rank():
    """Phi_0 of a few classes in many features: two eigenvalues below, zeros elsewhere."""
    U = orthonormal(300, 2, seed=5)
    spectrum = lowest_eigenpairs(-(U * [3.0, 1.0]) @ U.T, 5)
    assert_close(spectrum.values[:5], np.array([-3.0, -1.0, 0.0, 0.0, 0.0]), 1e-10)
    assert sine_of_largest_angle(U, spectrum.vectors[:, :2]) < 1e-8


def test_the_same_bytes_twice():
    A = symmetric(300, seed=2)
    first, again = lowest_eigenpairs(A, 5), lowest_eigenpairs(A.copy(), 5)
    assert first.vectors.tobytes() == again.vectors.tobytes()
    assert first.values.tobytes() == again.values.tobytes()


def test_nothing_in_a_zero_matrix():
    spectrum = lowest_eigenpairs(np.zeros((300, 300)), 3)
    assert not spectrum.values.any()
    assert_close(spectrum.vectors.T @ spectrum.vectors, np.eye(3), 1e-13)


def test_block_krylov_keeps_its_word_or_says_so():
    """Residuals below ``atol`` for the pairs asked for, or None: never a half-made answer."""
    A, vectors = with_spectrum(np.concatenate([[-9.0, -7.0], np.linspace(-1.0, 1.0, 98)]), seed=24)
    start = np.random.default_rng(25).standard_normal((100, 4))
    values, found = block_krylov(lambda V: A @ V, start, n_exact=2, atol=1e-9)
    assert_close(values[:2], np.array([-9.0, -7.0]), 1e-12)
    assert np.max(np.linalg.norm(A @ found[:, :2] - found[:, :2] * values[:2], axis=0)) < 1e-8
    assert sine_of_largest_angle(vectors[:, :2], found[:, :2]) < 1e-9
    assert block_krylov(lambda V: A @ V, start, n_exact=4, atol=1e-9, max_blocks=5) is None


def test_block_krylov_approaches_from_above():
    A = symmetric(120, seed=26)
    start = np.random.default_rng(27).standard_normal((120, 5))
    values, found = block_krylov(lambda V: A @ V, start, n_exact=1, atol=np.inf)
    assert (values >= np.linalg.eigvalsh(A)[:5] - 1e-12).all()
    assert_close(np.diag(found.T @ A @ found), values, 1e-12)


# Ties -----------------------------------------------------------------------------------------


def lowest_eigenvectors(A, q, T):
    """Those of A, ties resolved by T."""
    return DenseSymmetric(A).resolved(q, lambda: DenseSymmetric(T))


def test_lowest_eigenvectors_without_ties():
    A = symmetric(9, seed=6)
    vectors = lowest_eigenvectors(A, 3, symmetric(9, seed=7))
    expected = np.linalg.eigh(A)[1][:, :3]
    assert_close(np.abs(np.sum(vectors * expected, axis=0)), np.ones(3), 1e-12)


TIED = np.array([-5.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0])


@pytest.mark.parametrize("q", [3, 4, 6])
def test_ties_are_resolved_by_the_second_matrix(q):
    """Inside the null space, the directions in which the tie-breaker is lowest."""
    A, vectors = with_spectrum(TIED, seed=8)
    tie_breaker = symmetric(8, seed=9)
    chosen = lowest_eigenvectors(A, q, tie_breaker)
    null = vectors[:, 2:7]
    inside = null @ np.linalg.eigh(null.T @ tie_breaker @ null)[1][:, : q - 2]
    expected = np.concatenate([vectors[:, :2], inside], axis=1)
    assert chosen.shape == (8, q)
    assert_close(chosen.T @ chosen, np.eye(q), 1e-13)
    assert sine_of_largest_angle(expected, chosen) < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_rounding_does_not_choose_inside_a_tie(seed):
    A, _ = with_spectrum(TIED, seed=8)
    tie_breaker = symmetric(8, seed=9)
    noise = 1e-14 * symmetric(8, seed=100 + seed)
    clean, noisy = (lowest_eigenvectors(M, 4, tie_breaker) for M in (A, A + noise))
    assert sine_of_largest_angle(clean, noisy) < 1e-12
    # LAPACK alone turns with the noise.
    plain, turned = (np.linalg.eigh(M)[1][:, :4] for M in (A, A + noise))
    assert sine_of_largest_angle(plain, turned) > 1e-3


def test_a_tie_that_does_not_straddle_q_is_none():
    A, vectors = with_spectrum(TIED, seed=8)
    chosen = lowest_eigenvectors(A, 7, symmetric(8, seed=9))
    assert sine_of_largest_angle(vectors[:, :7], chosen) < 1e-13


def test_all_eigenvalues_tied():
    tie_breaker = symmetric(6, seed=10)
    chosen = lowest_eigenvectors(np.zeros((6, 6)), 2, tie_breaker)
    assert sine_of_largest_angle(np.linalg.eigh(tie_breaker)[1][:, :2], chosen) < 1e-13


def test_ties_in_many_features():
    """Two eigenvalues below and 298 zeros: the tie-breaker decides among those."""
    U = orthonormal(300, 2, seed=28)
    tie_breaker = symmetric(300, seed=29)
    chosen = lowest_eigenvectors(-(U * [3.0, 1.0]) @ U.T, 4, tie_breaker)
    null = null_space_of(U)
    inside = null @ np.linalg.eigh(null.T @ tie_breaker @ null)[1][:, :2]
    assert sine_of_largest_angle(np.concatenate([U, inside], axis=1), chosen) < 1e-9


def test_complement():
    W = orthonormal(7, 3, seed=30)
    B = null_space_of(W)
    assert_close(W @ W.T + B @ B.T, np.eye(7), 1e-14)
    assert_close(B.T @ B, np.eye(4), 1e-14)
    assert null_space_of(orthonormal(4, 4, seed=31)).shape == (4, 0)


# Inside and outside a subspace ------------------------------------------------------------------


def test_split_spectrum_in_full():
    A, W = symmetric(9, seed=11), orthonormal(9, 3, seed=12)
    split = DenseSymmetric(A).split(W)
    assert_close((split.S * split.inner) @ split.S.T, W.T @ A @ W, 1e-13)
    assert (np.diff(split.inner) >= 0).all()
    assert split.B.shape == (9, 6)
    assert_close(split.B.T @ split.B, np.eye(6), 1e-13)
    assert np.max(np.abs(W.T @ split.B)) < 1e-13
    assert_close(split.B.T @ A @ split.B, np.diag(split.outer), 1e-12)
    assert (np.diff(split.outer) >= 0).all()
    assert split.rest == 0.0
    assert split.gap == split.outer[0] - split.inner[-1]


def test_split_spectrum_in_part():
    """300 features: the q + 10 lowest outside, and the mean of the others.

    W is no eigenspace here. The spectrum outside is clear of the rest, so few blocks suffice.
    """
    values = np.concatenate([-100.0 + 6.0 * np.arange(12), np.linspace(-0.01, 0.01, 288)])
    A, _ = with_spectrum(values, seed=13)
    W = orthonormal(300, 2, seed=14)
    split = DenseSymmetric(A).split(W)
    complement = null_space_of(W)
    outside = np.linalg.eigvalsh(complement.T @ A @ complement)
    assert_close((split.S * split.inner) @ split.S.T, W.T @ A @ W, 1e-13)
    assert split.B.shape == (300, 12)
    assert_close(split.outer, outside[:12], 1e-6)
    assert (split.outer >= outside[:12] - 1e-10).all()
    assert split.rest == pytest.approx(outside[12:].mean(), abs=1e-6)
    assert np.max(np.abs(W.T @ split.B)) < 1e-12
    assert_close(split.B.T @ split.B, np.eye(12), 1e-12)
    assert_close(split.B.T @ A @ split.B, np.diag(split.outer), 1e-10)


@pytest.mark.parametrize(("columns", "gap"), [([0, 1], 2.0), ([0, 2], -2.0), ([3, 4], -6.0)])
def test_gap_tells_whether_w_is_lowest(columns, gap):
    A, vectors = with_spectrum(np.array([-3.0, -1.0, 1.0, 2.0, 3.0]), seed=15)
    assert DenseSymmetric(A).split(vectors[:, columns]).gap == pytest.approx(gap, rel=1e-12)


def test_nothing_outside_the_whole_space():
    split = DenseSymmetric(symmetric(4, seed=16)).split(orthonormal(4, 4, seed=17))
    assert split.outer.size == 0
    assert split.B.shape == (4, 0)
    assert split.gap == np.inf


def test_one_direction_outside():
    A, W = symmetric(5, seed=18), orthonormal(5, 4, seed=19)
    split = DenseSymmetric(A).split(W)
    outside = np.linalg.qr(np.concatenate([W, np.eye(5)], axis=1))[0][:, 4]
    assert_close(split.outer, np.array([outside @ A @ outside]), 1e-12)


# Rank -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("smallest", "full"), [(1.0, True), (1e-6, True), (1e-11, True), (1e-17, False), (0.0, False)]
)
def test_full_rank_is_a_matter_of_condition(smallest, full):
    A, _ = with_spectrum(np.concatenate([[smallest], np.linspace(1.0, 3.0, 7)]), seed=20)
    assert DenseSymmetric(A).has_full_rank() is full
    assert DenseSymmetric(1e-30 * A).has_full_rank() is full  # of condition, not of size


def test_full_rank_of_indefinite_and_zero_matrices():
    assert DenseSymmetric(symmetric(7, seed=21)).has_full_rank()
    assert not DenseSymmetric(np.zeros((4, 4))).has_full_rank()
    assert not DenseSymmetric(np.ones((4, 4))).has_full_rank()
