"""What an operator tells from a few products: each figure by its formula, on matrices as arrays."""

import numpy as np
import pytest

from hsiclearn._linalg import DenseSymmetric, OperatorSymmetric, operator, sine_of_largest_angle
from hsiclearn._linalg.eigen import start_block
from hsiclearn._linalg.krylov import Spectrum
from naive import assert_close
from registry import orthonormal, symmetric

D = 60
A = symmetric(D, seed=1) + 3.0 * np.eye(D)
F = orthonormal(D, 4, seed=2)
G = np.random.default_rng(0).standard_normal((D, 10))


class Counted:
    def __init__(self, A):
        self.A, self.widths = A, []

    def __call__(self, V):
        self.widths.append(V.shape[1])
        return self.A @ V


def made(A=A, frame=None, norm=None):
    product = Counted(A)
    return OperatorSymmetric(product, len(A), frame, norm), product


@pytest.mark.parametrize("scale", [1.0, 1.0 + 0.4e-8, 1.0 + 0.6e-8, 2.0, np.nan])
def test_norm_and_trace_by_their_formulas(scale):
    """Of a frame whose columns are not of length one, to 1e-8 in their squares, nothing is used."""
    matrix, product = made(frame=scale * F)
    W = F if scale < 1.0 + 0.5e-8 else F[:, :0]
    P = np.eye(D) - W @ W.T
    probed = np.linalg.norm(A @ P @ G) ** 2 / 10
    with np.errstate(invalid="ignore"):
        found = matrix.norm, matrix.trace
    assert found[0] == pytest.approx(np.sqrt(np.linalg.norm(A @ W) ** 2 + probed), rel=1e-7)
    expected = np.trace(W.T @ A @ W) + np.trace(G.T @ P @ A @ P @ G) / 10
    assert found[1] == pytest.approx(expected, rel=1e-7)
    assert product.widths == [14]


def test_what_is_known_is_not_asked_for():
    matrix, product = made(frame=F, norm=7.0)
    assert matrix.norm == 7.0
    assert not product.widths
    assert_close(matrix.times(F), A @ F, 1e-14)
    assert product.widths == [14]
    matrix.times(F)
    matrix.times(F.copy())
    assert product.widths == [14, 4]
    assert made(norm=0.0)[0].norm == 0.0


def test_the_array_is_made_by_blocks_of_256_and_symmetrised():
    uneven = np.random.default_rng(3).standard_normal((300, 300))
    matrix, product = made(uneven)
    assert_close(matrix.to_dense(), 0.5 * (uneven + uneven.T), 1e-15)
    assert product.widths == [256, 44]


@pytest.fixture
def asked(monkeypatch):
    """What the search in Krylov spaces was given, each time."""
    calls = []

    def spy(apply, start, **settings):
        calls.append((start, settings))
        return restarted(apply, start, **settings)

    restarted = operator.restarted_krylov
    monkeypatch.setattr(operator, "restarted_krylov", spy)
    return calls


@pytest.mark.parametrize(
    ("k", "columns", "exact", "width"),
    [(3, 0, 3, 6), (3, 2, 3, 6), (3, 3, 4, 7), (1, 5, 6, 9), (59, 0, 59, 60)],
)
def test_one_pair_more_than_a_guess_has_columns_must_be_found(k, columns, exact, width, asked):
    """And three columns beside them."""
    guess = orthonormal(D, columns, seed=4) if columns else None
    found = made(norm=10.0)[0].lowest(k, guess)
    assert found.values.shape == (k,)
    assert found.vectors.shape == (D, k)
    [(start, settings)] = asked
    np.testing.assert_array_equal(start, start_block(D, width, guess, seed=1))
    assert settings.pop("max_products") == 150
    assert settings == {"n_exact": exact, "atol": pytest.approx(1e-4), "min_products": 3}


def test_an_improvement_is_no_more_exact_than_asked_for(asked):
    guess = orthonormal(D, 2, seed=5)
    found = made(norm=10.0)[0].improved(guess, 1e-3)
    assert found.values.shape == (3,)
    [(start, settings)] = asked
    assert start.shape == (D, 6)
    assert (settings["n_exact"], settings["atol"]) == (2, pytest.approx(1e-2))


@pytest.mark.parametrize(
    ("q", "scale", "tied"), [(2, None, False), (2, 1e8, True), (3, None, True)]
)
def test_a_tie_is_a_billionth_of_the_scale(q, scale, tied):
    """Rank 5 off the eigenvalue 1: from the third on the other matrix decides."""
    values = np.r_[-2.0, 0.95, np.ones(D - 4), 4.0, 5.0]
    Q = orthonormal(D, D, seed=6)
    A, T = (Q * values) @ Q.T, symmetric(D, seed=7)
    chosen = [], []

    def ties(log):
        log.append(1)
        return DenseSymmetric(T)

    ours, theirs = (
        matrix.resolved(q, lambda log=log: ties(log), scale)
        for matrix, log in zip((made(A)[0], DenseSymmetric(A)), chosen, strict=True)
    )
    assert bool(chosen[0]) == bool(chosen[1]) == tied
    assert ours.shape == theirs.shape == (D, q)
    if scale is None:
        assert sine_of_largest_angle(theirs, ours) <= 1e-5
        assert_close(ours.T @ ours, np.eye(q), 1e-10)


def test_all_columns_have_no_ties_beyond_them(asked):
    found = made(np.eye(5), norm=3.0)[0].resolved(5, lambda: pytest.fail("nothing to choose"))
    assert_close(found.T @ found, np.eye(5), 1e-12)
    [(start, settings)] = asked
    assert (start.shape, settings["n_exact"]) == ((5, 5), 5)
    assert settings["atol"] == pytest.approx(3e-8)


@pytest.mark.parametrize(("rank", "known"), [(0, True), (5, True), (31, True), (32, False)])
def test_a_range_is_known_up_to_a_rank_of_31(rank, known):
    Q = orthonormal(D, D, seed=8)
    A = 2.0 * np.eye(D) + (Q[:, :rank] * np.linspace(1.0, 2.0, rank)) @ Q[:, :rank].T
    found = made(A)[0]._range_off(2.0, 1e-9)
    assert (found is not None) is known
    if known:
        assert found.shape == (D, rank)
        np.testing.assert_allclose(found @ (found.T @ Q[:, :rank]), Q[:, :rank], atol=1e-10)
    assert made(np.diag([2.0, 2.0, 3.0]))[0]._range_off(2.0, 1e-9).shape == (3, 1)


@pytest.mark.parametrize("level", [0.9, 1.1])
def test_the_noise_of_a_range_grows_with_the_root_of_its_size(level, monkeypatch):
    """A singular value of ``A V - level V`` beside ``noise sqrt(d)``."""
    matrix = made(np.zeros((16, 16)))[0]
    V = np.random.default_rng(2).standard_normal((16, 16))
    smallest = np.linalg.svd(V)[1][-1]
    noise = level * smallest / 4.0
    found = matrix._range_off(-1.0, noise)
    assert (found is None) is (level < 1.0)


@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_a_split_is_what_three_products_tell(size, asked):
    """From the image of the probes; the mean of the rest by the trace."""
    W, A = orthonormal(D, 2, seed=9), size * (symmetric(D, seed=1) + 3.0 * np.eye(D))
    matrix, product = made(A, W)
    split = matrix.split(W)
    [(start, settings)] = asked
    assert (settings["n_exact"], settings["atol"], settings["max_products"]) == (1, 0.0, 3)
    begun = A @ G / matrix.norm + 1e-3 * G
    assert_close(start, begun - W @ (W.T @ begun), 1e-13)
    assert product.widths == [12, 10, 10, 10]
    assert_close((split.S * split.inner) @ split.S.T, W.T @ A @ W, 1e-13)
    rest = (matrix.trace - split.inner.sum() - split.outer.sum()) / (D - 2 - 10)
    assert split.rest == pytest.approx(rest, rel=1e-12)
    assert split.norm == matrix.norm
    complement = np.linalg.qr(W, mode="complete")[0][:, 2:]
    assert (split.outer >= np.linalg.eigvalsh(complement.T @ A @ complement)[:10] - 1e-10).all()
    assert_close(np.diag(split.B.T @ A @ split.B), split.outer, 1e-8)


def test_a_split_of_few_columns_has_as_many_as_there_are():
    W = orthonormal(6, 2, seed=9)
    split = made(symmetric(6, seed=3), W)[0].split(W)
    dense = DenseSymmetric(symmetric(6, seed=3)).split(W)
    assert split.B.shape == (6, 4)
    assert_close(split.outer, dense.outer, 1e-10)
    assert np.isfinite(split.rest)
    nothing = made(np.zeros((6, 6)), W)[0].split(W)
    assert np.abs(nothing.outer[:3]).max() <= 1e-12


def test_off_a_frame_it_is_lifted_above_all_else():
    V = orthonormal(D, 2, seed=10)
    P = np.eye(D) - V @ V.T
    dense, products = DenseSymmetric(A).off(V), made(norm=5.0)[0].off(V)
    expected = P @ A @ P
    lift = 2.0 * np.linalg.norm(A)
    assert_close(dense.to_dense(), expected + lift * V @ V.T, 1e-13)
    assert_close(products.times(np.eye(D)), expected + 10.0 * V @ V.T, 1e-13)
    assert products.norm == 5.0
    assert_close(DenseSymmetric(np.zeros((D, D))).off(V).to_dense(), V @ V.T, 1e-15)
    assert made(norm=5.0)[0].splits_in_full(1) is False


def test_an_array_is_symmetrised_where_it_is_small():
    uneven = np.array([[1.0, 4.0], [0.0, 2.0]])
    found = operator.symmetric_matrix(2, lambda: uneven, lambda V: pytest.fail("not asked for"))
    assert_close(found.to_dense(), np.array([[1.0, 2.0], [2.0, 2.0]]), 0.0)


def test_probes_are_always_the_same_and_cannot_be_changed():
    np.testing.assert_array_equal(operator._probes(D), G)
    assert operator._probes(D) is operator._probes(D)
    with pytest.raises(ValueError, match="read-only"):
        operator._probes(D)[0] = 0.0


def test_a_spectrum_is_cut_to_what_was_asked_for(monkeypatch):
    whole = Spectrum(np.arange(6.0), np.eye(D, 6))
    monkeypatch.setattr(operator, "restarted_krylov", lambda *_, **__: whole)
    found = made()[0].lowest(2)
    np.testing.assert_array_equal(found.values, [0.0, 1.0])
    np.testing.assert_array_equal(found.vectors, np.eye(D, 2))


def test_a_tie_in_a_matrix_of_high_rank_stays_as_it_was_found():
    A = np.diag(np.r_[0.0, 0.0, np.arange(1.0, D - 1.0)])
    found = made(A)[0].resolved(1, lambda: pytest.fail("its range is not known"))
    assert found.shape == (D, 1)
    assert np.abs(found[2:]).max() <= 1e-6


@pytest.mark.parametrize(("d", "left"), [(12, 1), (13, 1), (14, 2)])
def test_the_mean_of_what_a_split_leaves_out(d, left):
    W = np.eye(d, 2)
    matrix = made(symmetric(d, seed=4), W)[0]
    split = matrix.split(W)
    rest = (matrix.trace - split.inner.sum() - split.outer.sum()) / left
    assert split.rest == pytest.approx(rest, rel=1e-12)
