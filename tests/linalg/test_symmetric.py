"""A symmetric matrix as an array and as an operator: the same answers, by different means."""

import numpy as np
import pytest

from hsiclearn._linalg import (
    DenseSymmetric,
    OperatorSymmetric,
    fits_in_memory,
    sine_of_largest_angle,
    symmetric_matrix,
)

WIDEST = 40  # columns; a product with more of them would be on its way to a d x d array


def with_spectrum(values, seed=0):
    d = len(values)
    vectors = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    return (vectors * values) @ vectors.T, vectors


def spread(d):
    return np.sort(np.random.default_rng(1).standard_normal(d))


SPECTRA = {
    "tiny": np.array([-3.0, -2.0, 0.5, 1.0, 1.5, 2.0, 4.0, 7.0]),
    "spread": spread(300),
    "clustered": np.concatenate([[-1.0, -0.99, -0.98, -0.5], np.linspace(0.0, 1.0, 396)]),
    "crowded": np.concatenate([[-1.0, -0.9], np.linspace(-0.85, 1.0, 398)]),
    "low rank": np.concatenate([[-5.0, -3.0, -1.0], np.zeros(294), [0.5, 1.0, 2.0]]),
    "large values above": np.concatenate([[-1.0, -0.8, -0.5], np.zeros(247), [50.0] * 50]),
}


class Counted:
    """An operator that knows how it was used."""

    def __init__(self, A):
        self.A, self.widths = A, []

    def __call__(self, V):
        self.widths.append(V.shape[1])
        return self.A @ V


@pytest.fixture(params=list(SPECTRA))
def case(request):
    values = SPECTRA[request.param]
    A, vectors = with_spectrum(values)
    return values, vectors, A


def operator(A, frame=None):
    counted = Counted(A)
    return OperatorSymmetric(counted, A.shape[0], frame), counted


def both(A, frame=None):
    return [DenseSymmetric(A), operator(A, frame)[0]]


def test_products(case):
    _, _, A = case
    V = np.random.default_rng(3).standard_normal((A.shape[0], 4))
    for matrix in both(A, V):
        np.testing.assert_allclose(matrix.times(V), A @ V, atol=1e-12)
        np.testing.assert_allclose(matrix.to_dense(), A, atol=1e-12)
        assert matrix.d == A.shape[0]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_lowest_eigenpairs(case, k):
    values, vectors, A = case
    for matrix in both(A):
        low = matrix.lowest(k)
        np.testing.assert_allclose(low.values[:k], values[:k], atol=1e-8 * np.linalg.norm(values))
        assert sine_of_largest_angle(vectors[:, :k], low.vectors[:, :k]) <= 1e-2
        np.testing.assert_allclose(low.vectors.T @ low.vectors, np.eye(low.values.size), atol=1e-12)


def test_a_guess_saves_products(case):
    _, vectors, A = case
    noise = np.random.default_rng(4).standard_normal((A.shape[0], 2))
    (cold, spent), (warm, saved) = operator(A), operator(A)
    cold.improved(np.linalg.qr(noise)[0], 1e-6)
    warm.improved(np.linalg.qr(vectors[:, :2] + 1e-5 * noise)[0], 1e-6)
    assert len(saved.widths) <= len(spent.widths)


def test_a_stationary_guess_that_is_not_lowest_is_left(case):
    values, vectors, A = case
    wrong = vectors[:, 2:4]
    for matrix in both(A, wrong):
        np.testing.assert_allclose(
            matrix.lowest(2, wrong).values[:2], values[:2], atol=1e-8 * np.linalg.norm(values)
        )


@pytest.mark.parametrize("rtol", [1e-3, 1e-8])
def test_improved_eigenpairs(case, rtol):
    values, vectors, A = case
    noise = np.random.default_rng(5).standard_normal((A.shape[0], 2))
    guess = np.linalg.qr(vectors[:, :2] + 0.02 * noise)[0]
    for matrix in both(A):
        near = matrix.improved(guess, rtol)
        assert near.values.size >= 3
        V, norm = near.vectors[:, :2], np.linalg.norm(values)
        residual = np.linalg.norm(A @ V - V * near.values[:2], axis=0).max()
        assert residual <= 2.0 * rtol * norm
        np.testing.assert_allclose(near.values[:2], values[:2], atol=2.0 * rtol * norm)


def test_norm_and_trace(case):
    values, vectors, A = case
    exact, rest = np.linalg.norm(values), np.linalg.norm(values[3:])
    for frame in (None, vectors[:, :3], 2.0 * vectors[:, :3]):
        dense, estimated = both(A, frame)
        assert dense.norm == pytest.approx(exact, rel=1e-13)
        assert estimated.norm == pytest.approx(exact, rel=0.5)
        assert abs(estimated.trace - values.sum()) <= 2.0 * exact
    known = operator(A, vectors[:, :3])[0]
    assert abs(known.norm**2 - exact**2) <= rest**2  # what the frame holds is exact
    assert abs(known.trace - values.sum()) <= 2.0 * rest


def test_norm_of_nothing_and_of_no_number():
    for size, expected in ((0.0, 0.0), (1e-200, 1e-200), (1e145, 1e145)):
        A = size * np.eye(50)
        for matrix in both(A, np.eye(50, 2)):
            assert matrix.norm == pytest.approx(expected * np.sqrt(50.0), rel=0.3)
    for matrix in both(np.full((20, 20), np.nan), np.eye(20, 2)):
        assert np.isnan(matrix.norm)


def test_split(case):
    _, vectors, A = case
    noise = np.random.default_rng(6).standard_normal((A.shape[0], 2))
    W = np.linalg.qr(vectors[:, :2] + 1e-3 * noise)[0]
    dense, split = (matrix.split(W) for matrix in both(A, W))
    np.testing.assert_allclose(split.inner, dense.inner, atol=1e-12 * np.linalg.norm(A))
    assert np.abs(W.T @ split.B).max() <= 1e-12
    np.testing.assert_allclose(split.B.T @ split.B, np.eye(split.B.shape[1]), atol=1e-12)
    assert split.outer[0] >= dense.outer[0] - 0.05 * np.linalg.norm(A)
    Z = noise - W @ (W.T @ noise)
    divided = split.divide(Z, 1e-2)
    assert np.vdot(Z, divided) > 0.0  # positive definite,
    assert np.abs(W.T @ divided).max() <= 1e-10 * np.abs(divided).max()  # and tangent


def test_only_small_arrays_split_in_full():
    dense, split = both(with_spectrum(SPECTRA["tiny"])[0])
    assert dense.splits_in_full(2)
    assert not split.splits_in_full(2)
    assert not DenseSymmetric(np.eye(400)).splits_in_full(1)


def test_off_a_subspace(case):
    values, vectors, A = case
    V = vectors[:, [0, 2]]
    for matrix in both(A):
        low = matrix.off(V).lowest(1)
        assert low.values[0] == pytest.approx(values[1], abs=1e-8 * np.linalg.norm(values))
        assert np.abs(V.T @ low.vectors[:, :1]).max() <= 1e-6
    for matrix in both(np.zeros((30, 30))):
        low = matrix.off(np.eye(30, 2)).lowest(5)
        assert np.abs(low.vectors[:2, :5]).max() <= 1e-8


@pytest.mark.parametrize("q", [1, 3, 5, 8])
def test_ties_are_resolved_by_the_other_matrix(q):
    """Rank six, three eigenvalues below zero: from q = 4 on the other matrix decides."""
    A, vectors = with_spectrum(SPECTRA["low rank"])
    T = with_spectrum(np.concatenate([-(np.arange(40.0, 0.0, -1.0) ** 2), np.zeros(260)]), seed=8)[
        0
    ]
    ours, theirs = (
        matrix.resolved(q, lambda other=other: other)
        for matrix, other in zip(both(A), both(T), strict=True)
    )
    assert ours.shape == theirs.shape == (300, q)
    np.testing.assert_allclose(theirs.T @ theirs, np.eye(q), atol=1e-6)
    assert sine_of_largest_angle(ours, theirs) <= 1e-4
    assert sine_of_largest_angle(vectors[:, :3], ours[:, :3]) <= 1e-6 or q < 3


def test_without_ties_nobody_is_asked():
    A, vectors = with_spectrum(SPECTRA["clustered"])
    for matrix in both(A):
        chosen = matrix.resolved(4, lambda: pytest.fail("there is no tie"))
        assert sine_of_largest_angle(vectors[:, :4], chosen) <= 1e-3


def test_full_rank_is_known_of_arrays_only():
    A = with_spectrum(SPECTRA["tiny"])[0]
    dense, unknown = both(A)
    assert dense.has_full_rank() is True
    assert unknown.has_full_rank() is None


def test_an_operator_is_asked_for_few_columns(case):
    _, vectors, A = case
    W = vectors[:, :2]
    matrix, counted = operator(A, W)
    _ = matrix.norm, matrix.trace, matrix.times(W)
    assert counted.widths == [12]  # one product answers all three
    matrix.lowest(3, W), matrix.improved(W, 1e-6), matrix.split(W), matrix.off(W).lowest(2)
    matrix.resolved(2, lambda: matrix)
    assert max(counted.widths) <= WIDEST


def test_arrays_end_where_memory_would(monkeypatch):
    monkeypatch.setattr("hsiclearn._linalg.operator._LARGEST_ON_REQUEST", 100)
    matrix, counted = operator(np.eye(101))
    with pytest.raises(MemoryError, match=r"101 x 101.*times\(V\)"):
        matrix.to_dense()
    assert not counted.widths


def test_the_size_decides():
    assert fits_in_memory(2000)
    assert not fits_in_memory(2001)
    small = symmetric_matrix(3, lambda: np.eye(3), lambda V: pytest.fail("not needed"))
    assert isinstance(small, DenseSymmetric)
    large = symmetric_matrix(3000, lambda: pytest.fail("too large"), lambda V: 2.0 * V)
    assert isinstance(large, OperatorSymmetric)
    np.testing.assert_allclose(large.lowest(2).values, [2.0, 2.0])


@pytest.mark.parametrize(
    ("d", "q", "in_full"),
    [(200, 1, True), (201, 1, False), (400, 23, False), (400, 24, True), (400, 398, False)],
)
def test_arrays_split_in_full_where_a_search_would_be_no_cheaper(d, q, in_full):
    """Beyond 200 rows where twelve blocks, of q + 10 columns or all there are, fill the space."""
    assert DenseSymmetric(np.zeros((d, d))).splits_in_full(q) is in_full
