"""What every Gamma promises, against the n x n matrix the registry puts beside it."""

import numpy as np
import pytest

from hsiclearn.gamma import ClassTable, Dense, LowRank, Sum, as_gamma
from naive import assert_close
from registry import GAMMAS, UNSORTED, N, V, symmetric

BLOCKS = [slice(0, 5), slice(5, 16), slice(16, N), slice(3, 4), slice(0, N)]


@pytest.fixture(params=GAMMAS)
def case(request):
    return GAMMAS[request.param]


@pytest.fixture
def gamma(case):
    return case[0]


@pytest.fixture
def dense(case):
    return case[1]


def test_the_matrix_is_the_one_meant(gamma, dense):
    assert gamma.n_samples == N
    assert_close(gamma.to_dense(), dense, 1e-14)


def test_a_tile_is_a_slice(gamma, dense):
    for rows in BLOCKS:
        for cols in BLOCKS:
            tile = gamma.tile(rows, cols)
            expected = dense[rows, cols]
            if isinstance(tile, float):
                tile = np.full(expected.shape, tile)
            assert_close(tile, expected, 1e-14, scale=np.max(np.abs(dense)))


def test_apply_is_the_product(gamma, dense):
    assert_close(gamma.apply(V), dense @ V, 1e-13)
    assert_close(gamma.apply(V[:, :1]), dense @ V[:, :1], 1e-13)


def test_symmetric(gamma):
    matrix = gamma.to_dense()
    assert_close(matrix, matrix.T, 1e-15)


@pytest.mark.parametrize(
    "index", [np.arange(N)[::-1], np.array([4, 0, 11, 22, 7]), np.array([2, 2, 9])]
)
def test_take_chooses_rows_and_columns(gamma, dense, index):
    taken = gamma.take(index)
    assert type(taken) is type(gamma)
    assert taken.n_samples == len(index)
    expected = dense[np.ix_(index, index)]
    assert_close(taken.to_dense(), expected, 1e-14, scale=np.max(np.abs(dense)))


@pytest.mark.parametrize(
    "index", [np.arange(N)[::-1], np.array([4, 0, 11, 22, 7]), np.array([2, 2, 9, 14])]
)
def test_centred_on_some_rows(gamma, dense, index):
    part = gamma.centered_on(index)
    assert type(part) is type(gamma)
    assert part.n_samples == len(index)
    if gamma is not GAMMAS["sum-centered-as-a-whole"][0]:  # a term of it is rounding, no more
        assert part.is_centered
    v = np.ones(len(index)) if gamma.row_weights is None else gamma.row_weights[index]
    centring = np.eye(len(index)) - v[:, None] / v.sum()  # of diag(v) K diag(v)
    expected = centring @ dense[np.ix_(index, index)] @ centring.T
    assert_close(part.to_dense(), expected, 1e-14, scale=np.max(np.abs(dense)))
    assert_close(part.apply(V[: len(index)]), expected @ V[: len(index)], 1e-13, N * 10.0)


@pytest.mark.parametrize("present", [[0, 1, 2], [0, 2], [1, 2]])
def test_classes_centred_on_some_rows_are_the_classes_of_these_rows(present):
    """As if the other rows had never been there, whether or not a class has gone with them."""
    index = np.flatnonzero(np.isin(UNSORTED, present))[::-1]
    part = ClassTable.centered(UNSORTED).centered_on(index)
    alone = ClassTable.centered(UNSORTED[index])
    assert_close(part.to_dense(), alone.to_dense(), 1e-14)
    np.testing.assert_array_equal(part.codes, UNSORTED[index])


def test_weights_of_classes_survive_centring_on_some_rows():
    weights = np.array([0.5, 2.0, 1.25])
    index = np.arange(3, 20)
    part = ClassTable.centered(UNSORTED, weights).centered_on(index)
    alone = ClassTable.centered(UNSORTED[index], weights)
    assert_close(part.to_dense(), alone.to_dense(), 1e-14)


@pytest.mark.parametrize("factor", [2.5, -1.0, 3])
def test_multiples(gamma, dense, factor):
    assert type(gamma.scaled(factor)) is type(gamma)
    for multiple in (gamma.scaled(factor), factor * gamma, gamma * factor):
        assert_close(multiple.to_dense(), factor * dense, 1e-14)
    assert_close((-gamma).to_dense(), -dense, 1e-14)


def test_sums_and_differences(gamma, dense):
    other, other_dense = GAMMAS["low-rank-signed"]
    scale = np.max(np.abs(dense)) + np.max(np.abs(other_dense))
    assert_close((gamma + other).to_dense(), dense + other_dense, 1e-14, scale)
    assert_close((gamma - other).to_dense(), dense - other_dense, 1e-14, scale)
    assert_close((other - gamma).apply(V), (other_dense - dense) @ V, 1e-13, scale * N)
    assert all(not isinstance(part, Sum) for part in (gamma + gamma).parts)


def test_sums_without_signs_are_bounded(gamma, dense):
    g = np.random.default_rng(0).random(dense.shape[0])
    exact = g @ np.abs(dense) @ g
    assert exact * (1 - 1e-12) <= gamma.absolute_form(g) <= 100 * exact


def test_centred_as_declared(gamma, dense):
    truth = np.max(np.abs(dense.sum(axis=1))) <= 1e-12 * np.abs(dense).sum(axis=1).max()
    assert gamma.is_centered == truth


def test_definite_as_declared(gamma, dense):
    eigenvalues = np.linalg.eigvalsh(dense)
    assert gamma.is_psd == (eigenvalues[0] >= -1e-12 * np.abs(eigenvalues).max())


def test_declarations_survive_scaling(gamma):
    assert (2.0 * gamma).is_centered == gamma.is_centered
    assert (1e-9 * gamma).is_psd == gamma.is_psd
    assert not (-gamma).is_psd  # none of them is zero or negative semi-definite


def test_registry_has_both_answers_to_both_questions():
    gammas = [gamma for gamma, _ in GAMMAS.values()]
    assert {gamma.is_centered for gamma in gammas} == {True, False}
    assert {gamma.is_psd for gamma in gammas} == {True, False}


def test_factors_give_the_matrix_back(gamma, dense):
    U, s = gamma.factors(N)
    assert U.shape == (N, len(s))
    assert_close((U * s) @ U.T, dense, 1e-12)


@pytest.mark.parametrize("name", [name for name, (g, _) in GAMMAS.items() if len(g.parts) == 1])
def test_factors_at_the_rank_are_exact(name):
    """In a sum the terms' ranks add up and may exceed that of the whole: not asked there."""
    gamma, dense = GAMMAS[name]
    size = np.abs(np.linalg.eigvalsh(dense))
    rank = int(np.sum(size > 1e-10 * size.max()))
    U, s = gamma.factors(rank)
    assert len(s) == rank
    assert_close((U * s) @ U.T, dense, 1e-12)


@pytest.mark.parametrize("max_rank", [1, 2, 5])
def test_factors_keep_to_the_rank_allowed(gamma, max_rank):
    U, s = gamma.factors(max_rank)
    assert U.shape[1] == len(s) <= max_rank
    assert (np.diff(np.abs(s)) <= 1e-12 * np.abs(s).max()).all()


@pytest.mark.parametrize("name", ["low-rank", "low-rank-signed", "dense", "dense-centered"])
@pytest.mark.parametrize("rank", [1, 2])
def test_fewer_factors_are_the_leading_eigenpairs(name, rank):
    gamma, dense = GAMMAS[name]
    values, vectors = np.linalg.eigh(dense)
    keep = np.argsort(-np.abs(values))[:rank]
    U, s = gamma.factors(rank)
    assert_close((U * s) @ U.T, (vectors[:, keep] * values[keep]) @ vectors[:, keep].T, 1e-11)


def test_leading_factors_of_a_large_dense_matrix():
    """Above 200 rows the eigenpairs come from Lanczos: the same ones, every time."""
    matrix = symmetric(220, seed=3) + 4.0 * np.diag(np.linspace(-5.0, 5.0, 220))
    values, vectors = np.linalg.eigh(matrix)
    keep = np.argsort(-np.abs(values))[:5]
    U, s = Dense(matrix).factors(5)
    assert_close(s, values[keep], 1e-10)
    assert_close((U * s) @ U.T, (vectors[:, keep] * values[keep]) @ vectors[:, keep].T, 1e-8)
    again = Dense(matrix).factors(5)
    assert U.tobytes() == again[0].tobytes()
    assert s.tobytes() == again[1].tobytes()


@pytest.mark.parametrize("name", [name for name in GAMMAS if "unsorted" in name])
def test_order_sorts_the_classes(name):
    gamma = GAMMAS[name][0]
    order = gamma.order()
    assert sorted(order) == list(range(N))
    assert (np.diff(gamma.codes[order]) >= 0).all()


def share_of_constant_tiles(gamma, size):
    n = gamma.n_samples
    blocks = [slice(i, min(i + size, n)) for i in range(0, n, size)]
    constant = [isinstance(gamma.tile(a, b), float) for a in blocks for b in blocks]
    return sum(constant) / len(constant)


def test_order_makes_most_tiles_constant():
    """600 rows, 3 classes, 38 blocks: at most 2 block rows of 38 straddle two classes."""
    codes = np.random.default_rng(4).integers(0, 3, 600)
    gamma = ClassTable.centered(codes)
    assert share_of_constant_tiles(gamma, 16) == 0.0
    assert share_of_constant_tiles(gamma.take(gamma.order()), 16) >= (36 / 38) ** 2


def test_order_is_none_where_there_is_nothing_to_gain():
    assert GAMMAS["classes-sorted"][0].order() is None
    assert GAMMAS["low-rank"][0].order() is None
    assert GAMMAS["dense"][0].order() is None


def test_order_of_a_sum_is_its_first_terms():
    gamma = GAMMAS["low-rank"][0] + GAMMAS["classes-unsorted"][0]
    np.testing.assert_array_equal(gamma.order(), np.argsort(UNSORTED, kind="stable"))


def test_order_keeps_rows_of_a_class_in_their_order():
    order = GAMMAS["classes-unsorted"][0].order()
    np.testing.assert_array_equal(order, np.argsort(UNSORTED, kind="stable"))


def test_centred_table_of_two_classes():
    """Shares 1/4 and 3/4: [k=l] - p_k - p_l + sum p^2 is 9/8, -3/8, 1/8."""
    table = ClassTable.centered(np.array([0, 1, 1, 1])).table
    np.testing.assert_allclose(table, [[9 / 8, -3 / 8], [-3 / 8, 1 / 8]], rtol=1e-15)


def test_balanced_weights_give_each_class_the_same_trace():
    """With weights 1/n_k each class's indicator has length one before it is centred."""
    counts = np.bincount(UNSORTED)
    gamma = ClassTable.centered(UNSORTED, weights=1.0 / counts)
    assert np.trace(gamma.to_dense()) == pytest.approx(len(counts) - 1, rel=1e-13)


def test_as_gamma_takes_arrays_and_structures():
    gamma, dense = GAMMAS["dense"]
    assert as_gamma(gamma) is gamma
    wrapped = as_gamma(dense)
    assert isinstance(wrapped, Dense)
    np.testing.assert_array_equal(wrapped.to_dense(), dense)


def test_a_dense_gamma_is_a_copy():
    matrix = np.eye(3)
    gamma = Dense(matrix)
    matrix[0, 0] = 7.0
    assert gamma.to_dense()[0, 0] == 1.0


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (ClassTable([0, 1, 1], np.eye(2)), "ClassTable(n_samples=3, n_classes=2)"),
        (LowRank(np.ones((3, 2))), "LowRank(n_samples=3, rank=2)"),
        (Dense(np.eye(3)), "Dense(n_samples=3)"),
        (
            Dense(np.eye(3)) + LowRank(np.ones((3, 1))),
            "Dense(n_samples=3) + LowRank(n_samples=3, rank=1)",
        ),
    ],
)
def test_repr_says_the_size(gamma, expected):
    assert repr(gamma) == expected
