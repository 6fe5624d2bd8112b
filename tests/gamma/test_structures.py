"""What each structure decides by itself: where it is rounding, what is looked up, what is cut."""

import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn._devices import to_host
from hsiclearn.gamma import (
    ClassTable,
    Dense,
    GaussianColumn,
    GaussianColumns,
    LowRank,
    Weighted,
    check_symmetric,
)
from hsiclearn.gamma import dense as home
from hsiclearn.gamma._base import leading, psd_up_to_rounding, zero_up_to_rounding
from naive import assert_close
from registry import GAMMAS, H_WEIGHTED, MATRIX, ROW_WEIGHTS, SORTED, TABLE, UNSORTED, N

RNG = np.random.default_rng(11)
ALL = slice(0, N)


# What is rounding --------------------------------------------------------------------------------


def test_zero_is_below_ten_digits_of_the_scale():
    assert zero_up_to_rounding(np.array([1e-10, -1e-10]), 1.0)
    assert not zero_up_to_rounding(np.array([0.0, -1.01e-10]), 1.0)
    assert not zero_up_to_rounding(np.array([3e-10, 0.0]), 2.0)
    assert zero_up_to_rounding(np.array([]), 1.0)
    assert zero_up_to_rounding(np.zeros(2), 0.0)
    assert not zero_up_to_rounding(np.full(2, 1e-300), 0.0)


def test_no_eigenvalue_is_negative_beside_the_largest():
    assert psd_up_to_rounding(np.array([-1e-10, 1.0]))
    assert not psd_up_to_rounding(np.array([-1.01e-10, 1.0]))
    assert psd_up_to_rounding(np.array([-1.9e-10, 2.0]))
    assert not psd_up_to_rounding(np.array([-1.0]))
    assert psd_up_to_rounding(np.array([]))
    assert psd_up_to_rounding(np.array([3.0, 4.0]))


def test_the_largest_eigenvalues_by_size_come_first():
    values, vectors = leading(np.array([-3.0, 1.0, 3.0, -4.0]), np.eye(4)[:, ::-1], 3)[::-1]
    np.testing.assert_array_equal(values, [-4.0, -3.0, 3.0])
    np.testing.assert_array_equal(vectors, np.eye(4)[:, ::-1][:, [3, 0, 2]])


def test_halves_may_differ_by_ten_digits_of_the_largest_entry():
    matrix = np.array([[8.0, 1.0], [1.0, 0.0]])
    matrix[0, 1] += 7.9e-10
    check_symmetric(matrix, "gamma")
    matrix[0, 1] += 0.3e-10
    with pytest.raises(ValueError, match="must be symmetric"):
        check_symmetric(matrix, "gamma")
    check_symmetric(np.zeros((0, 0)), "gamma")
    check_symmetric(np.zeros((2, 2)), "gamma")
    check_symmetric(np.array([[0.0, 2.0], [1.0, 0.0]]), "gamma", rtol=0.5)


def test_entries_are_counted_that_are_not_finite():
    with pytest.raises(ValueError, match=r"2 entries are NaN or infinite"):
        Dense([[np.nan, 1.0], [1.0, np.inf]])
    for kind in (bool, np.int8, np.uint8, np.float32):
        assert Dense(np.eye(2, dtype=kind)).matrix.dtype == np.float64


@pytest.mark.parametrize("size", [1e-9, 1e-11])
def test_a_row_sum_is_small_beside_the_row(size):
    """Sums of 2 among rows whose sizes add up to 4: nothing where it is 1e-11 of them."""
    matrix = np.array([[1.0, -1.0], [-1.0, 1.0]]) + 2.0 * size
    assert Dense(matrix).is_centered == (size < 1e-10)
    assert ClassTable([0, 1], matrix).is_centered == (size < 1e-10)
    assert (Dense(matrix) + Dense(0.0 * matrix)).is_centered == (size < 1e-10)
    U = np.array([[1.0], [-1.0]]) + 2.0 * size
    assert LowRank(U).is_centered == (size < 1e-10)
    v = np.array([2.0, 2.0])
    for gamma in (Dense(matrix), ClassTable([0, 1], matrix), LowRank(U)):
        assert Weighted(gamma, v).is_centered == (size < 1e-10)
        assert not gamma.is_centered_by(np.array([1.0, 2.0]))


def test_many_rows_round_more():
    """The scale is that of all that is added up: 1e-10 of a table of ones, times n."""
    n = 500
    table = np.array([[1.0, -1.0], [-1.0, 1.0]])
    gamma = ClassTable(np.arange(n) % 2, table + 0.9e-10)
    assert gamma.is_centered
    assert not ClassTable(np.arange(n) % 2, table + 1.1e-10).is_centered


# Sums --------------------------------------------------------------------------------------------


def test_a_sum_adds_terms_multiplies_and_subtracts():
    a, b, c = Dense(MATRIX), LowRank(np.ones((N, 1))), ClassTable(SORTED, TABLE)
    gamma = a + b - c
    assert [type(part) for part in gamma.parts] == [Dense, LowRank, ClassTable]
    assert_close(gamma.to_dense(), MATRIX + 1.0 - TABLE[SORTED][:, SORTED], 1e-14)
    assert gamma.row_factor() is None
    assert a.row_factor() is None
    assert a.gaussian_pairs is None
    assert a.class_table is None
    assert a.row_weights is None
    assert a.unweighted is a
    assert a.finer() is None
    assert gamma.finer() is None
    U, s = (b - c).row_factor().as_columns()
    assert_close((U * s) @ U.T, (b - c).to_dense(), 1e-13)


def test_a_finer_sum_is_of_finer_terms():
    column, other = GaussianColumn(RNG.standard_normal(N), 0.5), ClassTable(SORTED, TABLE)
    found = (other + column).finer()
    assert found.parts[0] is other
    assert found.parts[1].n_nodes == 8


def test_forms_and_centring_of_a_sum_are_those_of_its_terms():
    a, b = GAMMAS["low-rank-signed"][0], GAMMAS["table-unsorted"][0]
    g, index = RNG.random(N), np.array([5, 1, 20, 7])
    assert (a + b).absolute_form(g) == pytest.approx(a.absolute_form(g) + b.absolute_form(g))
    w = np.array([1.0, 3.0, 0.5, 2.0])
    H = np.eye(4) - w / w.sum()
    expected = H @ (a + b).to_dense()[np.ix_(index, index)] @ H.T
    assert_close((a + b).centered_on(index, w).to_dense(), expected, 1e-13)
    assert not (a + b).is_centered_by(np.ones(N))


# Classes -----------------------------------------------------------------------------------------


def test_a_tile_of_one_pair_of_classes_is_a_number():
    gamma = ClassTable([0, 0, 1, 1, 2], TABLE)
    assert gamma.tile(slice(0, 2), slice(2, 4)) == float(TABLE[0, 1])
    assert isinstance(gamma.tile(slice(2, 4), slice(4, 5)), float)
    for rows, cols in ((slice(0, 3), slice(0, 2)), (slice(0, 2), slice(1, 4))):
        assert isinstance(gamma.tile(rows, cols), np.ndarray)
    unsorted = ClassTable([0, 1, 0], TABLE)
    assert isinstance(unsorted.tile(slice(0, 1), slice(0, 1)), np.ndarray)
    assert unsorted.order() is not None
    assert gamma.order() is None


def test_a_tile_smaller_than_its_table_looks_up_no_more_than_it_needs():
    table = (A := RNG.standard_normal((9, 9))) + A.T
    codes = RNG.permutation(np.arange(N) % 9)
    gamma = ClassTable(codes, table)
    for rows in (slice(0, 8), slice(0, 9), slice(0, 10)):
        found = gamma.tile(rows, slice(3, 15))
        np.testing.assert_array_equal(found, table[np.ix_(codes[rows], codes[3:15])])


@pytest.mark.parametrize(("n", "m", "is_by_class"), [(8, 8, True), (13, 5, False)])
def test_few_pairs_of_classes_are_multiplied_one_by_one(n, m, is_by_class, monkeypatch):
    """Up to 64; more are looked up. Nothing else is changed by it."""
    codes = np.repeat(np.arange(13), 2)
    table = (A := RNG.standard_normal((13, 13))) + A.T
    gamma, tiles = ClassTable(codes, table), []
    real = ClassTable.tile
    monkeypatch.setattr(ClassTable, "tile", lambda *args: tiles.append(1) or real(*args))
    rows, cols = slice(0, 2 * n), slice(1, 2 * m)
    array = RNG.standard_normal((2 * n, 2 * m - 1))
    expected = table[np.ix_(codes[rows], codes[cols])] * array
    factor, product = gamma.weigh(array, rows, cols)
    assert factor == 1.0
    assert product is array
    np.testing.assert_array_equal(array, expected)
    assert (not tiles) == is_by_class


def test_weighing_within_one_pair_of_classes_is_a_factor():
    gamma, array = ClassTable([0, 0, 1, 1], TABLE), np.ones((2, 2))
    assert gamma.weigh(array, slice(0, 2), slice(2, 4)) == (TABLE[0, 1], array)
    np.testing.assert_array_equal(array, np.ones((2, 2)))
    factor, product = gamma.weigh(array, slice(0, 2), slice(1, 3))
    np.testing.assert_array_equal(factor * product, [TABLE[0, :2]] * 2)


def test_weighing_by_a_sum_of_classes_is_a_factor_where_both_are_constant():
    gamma, array = (
        2.0 * ClassTable([0, 0, 1], TABLE) + ClassTable([0, 0, 2], TABLE),
        np.ones((2, 1)),
    )
    assert gamma.weigh(array, slice(0, 2), slice(2, 3)) == (2.0 * TABLE[0, 1] + TABLE[0, 2], array)
    factor, product = gamma.weigh(array, slice(1, 3), slice(2, 3))
    assert product is array
    np.testing.assert_allclose(factor * product, gamma.to_dense()[1:, 2:])


def test_a_table_larger_than_the_rows_chosen_keeps_their_classes_alone():
    table = (A := RNG.standard_normal((5, 5))) + A.T
    codes = np.array([4, 0, 2, 2, 1, 3, 4])
    gamma = ClassTable(codes, table)
    for index, n_classes in (([0, 2, 3, 6], 2), ([0, 2, 3, 6, 6], 5)):
        part = gamma.centered_on(np.array(index))
        assert part.table.shape == (n_classes, n_classes)
        K = table[np.ix_(codes[index], codes[index])]
        H = np.eye(len(index)) - 1.0 / len(index)
        assert_close(part.to_dense(), H @ K @ H, 1e-13)


def test_factors_of_classes_with_weights_of_rows():
    v, gamma = ROW_WEIGHTS, ClassTable(UNSORTED, TABLE)
    U, s = gamma.factors(3, v)
    assert_close((U * s) @ U.T, v[:, None] * gamma.to_dense() * v, 1e-13)
    np.testing.assert_allclose(U.T @ U, np.eye(s.size), atol=1e-12)
    of_nobody = ClassTable(np.array([0, 2, 2]), TABLE).factors(3)
    assert of_nobody[1].size == 2
    assert ClassTable.centered(UNSORTED).factors(3)[1].size == 2  # the third is rounding


def test_weights_of_classes_must_be_one_for_each():
    with pytest.raises(ValueError, match=r"one number per class, 3. Got shape \(2,\)"):
        ClassTable.centered(UNSORTED, [1.0, 2.0])
    assert ClassTable.centered([0, 1, 1], [2, 3]).table.dtype == np.float64


def test_the_extreme_codes_of_a_table_are_rows_of_it():
    assert ClassTable([0, 1], np.eye(2)).n_samples == 2
    assert ClassTable(np.zeros(0, dtype=int), np.eye(2)).n_samples == 0
    with pytest.raises(ValueError, match="vector of class numbers"):
        ClassTable.centered(np.array([0, -1]))
    with pytest.raises(ValueError, match="vector of class numbers"):
        ClassTable.centered(np.array([[0, 1]]))
    assert ClassTable.centered(np.array([0, 1], dtype=np.uint8)).table.shape == (2, 2)


# Matrices written out ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "rank", "is_searched"),
    [(200, 3, False), (201, 3, True), (201, 199, True), (201, 200, False)],
)
def test_few_eigenpairs_of_a_large_matrix_are_searched_for(n, rank, is_searched, monkeypatch):
    asked = []

    def eigsh(M, k, which, v0):
        asked.append((k, which, v0.tolist()))
        return np.arange(1.0, k + 1), np.eye(n)[:, :k]

    monkeypatch.setattr(home, "eigsh", eigsh)
    values = Dense(np.diag(np.arange(float(n)))).factors(rank)[1]
    assert values.size == rank
    assert asked == ([(rank, "LM", [1.0] * n)] if is_searched else [])


def test_factors_by_weights_are_those_of_the_weighted_matrix():
    v = RNG.uniform(0.5, 2.0, N)
    for gamma in (Dense(MATRIX), GAMMAS["low-rank-signed"][0]):
        U, s = gamma.factors(N, v)
        assert_close((U * s) @ U.T, v[:, None] * gamma.to_dense() * v, 1e-12)
        assert np.all(np.diff(np.abs(s)) <= 1e-12)


@pytest.mark.parametrize("symmetric", [True, False])
def test_centring_symmetrises_and_weighs(symmetric):
    """To the bit symmetric, also of a matrix whose halves differ by rounding."""
    K = GAMMAS["dense-centered"][1] + 1.0
    if not symmetric:
        K = K + 1e-13 * np.triu(RNG.standard_normal(K.shape))
    v = np.arange(1.0, N + 1)
    H = np.eye(N) - v / v.sum()
    for weights, C in ((None, np.eye(N) - 1.0 / N), (v, H)):
        found = Dense.centered(K, weights).matrix
        np.testing.assert_array_equal(found, found.T)
        assert_close(found, C @ K @ C.T, 1e-12)


# Weights of rows ---------------------------------------------------------------------------------


def test_weights_are_one_for_each_row_finite_and_not_negative():
    base = Dense(np.eye(3))
    for weights in ([1.0, 2.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match=r"shape \(3,\)"):
            Weighted(base, weights)
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="finite and not negative"):
            Weighted(base, [1.0, bad, 0.0])
    gamma = Weighted(base, [0, 1, 2])
    assert gamma.row_weights.dtype == np.float64
    assert gamma.unweighted is base
    assert repr(gamma) == "Weighted(Dense(n_samples=3))"


def test_a_weighted_matrix_is_definite_as_on_the_rows_that_count():
    base = Dense(np.diag([1.0, -1.0, 2.0]))
    assert Weighted(base, [1.0, 0.0, 3.0]).is_psd
    assert not Weighted(base, [1.0, 0.1, 3.0]).is_psd


def test_eigenpairs_are_those_of_repeated_rows():
    """``v^1/2 Q``, Q orthonormal for the table of copies; further weights multiply both sides."""
    v, more = np.array([1.0, 3.0, 0.0, 2.0]), np.array([2.0, 1.0, 5.0, 0.5])
    base = Dense((A := RNG.standard_normal((4, 4))) @ A.T)
    gamma, rows = Weighted(base, v), np.repeat(np.arange(4), v.astype(int))
    U, s = gamma.factors(2)
    repeated = base.to_dense()[np.ix_(rows, rows)]
    np.testing.assert_allclose(s, np.linalg.eigvalsh(repeated)[:-3:-1])
    safe = np.where(v > 0, v, 1.0)[:, None]
    copies = (U / safe)[rows]
    np.testing.assert_allclose(copies.T @ copies, np.eye(2), atol=1e-12)
    again = gamma.factors(4, more)
    assert_close((again[0] * again[1]) @ again[0].T, more[:, None] * gamma.to_dense() * more, 1e-12)


def test_chosen_rows_keep_their_weights():
    gamma, _ = GAMMAS["rows-weighted-dense"]
    index = np.array([0, 1, 12, 9])
    np.testing.assert_array_equal(gamma.take(index).row_weights, ROW_WEIGHTS[index])
    w = np.array([1.0, 2.0, 0.5, 4.0])
    found = gamma.centered_on(index, w)
    np.testing.assert_array_equal(found.row_weights, ROW_WEIGHTS[index])
    both = ROW_WEIGHTS[index] * w
    H = np.eye(4) - both / both.sum()
    K = gamma.unweighted.to_dense()[np.ix_(index, index)]
    v = ROW_WEIGHTS[index]
    assert_close(found.to_dense(), v[:, None] * (H @ K @ H.T) * v, 1e-13)


def test_weighing_by_rows_and_columns_keeps_single_precision():
    gamma, dense = GAMMAS["rows-weighted"]
    array = np.ones((5, 8), dtype=np.float32)
    factor, product = gamma.weigh(array, slice(2, 7), slice(10, 18))
    assert product is array
    assert_close(factor * product, dense[2:7, 10:18], 1e-6)


def test_a_finer_weighted_column_is_of_a_finer_base():
    v = ROW_WEIGHTS
    gamma = Weighted(GaussianColumn(RNG.standard_normal(N), 0.5, weights=v), v)
    assert gamma.finer().unweighted.n_nodes == 8
    np.testing.assert_array_equal(gamma.finer().row_weights, v)
    assert gamma.finer().is_centered
    assert GAMMAS["rows-weighted"][0].finer() is None
    g = RNG.random(N)
    assert gamma.absolute_form(g) == gamma.unweighted.absolute_form(v * g)
    assert H_WEIGHTED.shape == (N, N)


# On a device -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in GAMMAS if n != "sum-centered-as-a-whole"])
def test_tiles_are_made_where_the_rows_are(name):
    gamma, dense = GAMMAS[name]
    tiles = gamma.tiles_on(make("strict", np.zeros((2, 2))))
    for rows, cols in ((ALL, ALL), (slice(2, 9), slice(5, 21)), (slice(3, 4), slice(0, 2))):
        expected = dense[rows, cols]
        found = to_host(tiles(rows, cols))
        if isinstance(gamma, GaussianColumns):
            expected = gamma.tile(rows, cols)
        assert_close(np.broadcast_to(found, expected.shape), expected, 1e-12, np.abs(dense).max())
