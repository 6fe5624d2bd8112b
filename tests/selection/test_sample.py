"""The rows a rule looks at: a table with their geometry, and the way back."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from hsiclearn import SupervisedHSIC
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._rows import as_rows
from hsiclearn._selection.sample import draw_sample
from hsiclearn.gamma import ClassTable, Dense
from naive import assert_close
from registry import orthonormal

CODES = np.arange(25) % 3
GAMMA = ClassTable.centered(CODES)


def wide(offset=0.0):
    return np.random.default_rng(0).standard_normal((25, 60)) + offset


def sample_of(X, max_rows=1000, gamma=GAMMA, labels=CODES, seed=0):
    return draw_sample(as_rows(X), gamma, max_rows, np.random.default_rng(seed), labels)


@pytest.fixture(params=["dense", "sparse"])
def pack(request):
    return sparse.csr_array if request.param == "sparse" else np.asarray


def test_a_table_with_few_columns_is_only_centred(pack):
    X = wide()[:, :8]
    sample, W = sample_of(pack(X)), orthonormal(8, 2, seed=1)
    np.testing.assert_array_equal(sample.X, X - X.mean(axis=0))
    np.testing.assert_array_equal(sample.labels, CODES)
    assert sample.n_samples == 25
    assert_close(sample.gamma.to_dense(), GAMMA.to_dense(), 1e-14)
    np.testing.assert_array_equal(sample.lift(W), W)
    np.testing.assert_array_equal(sample.lower(W), W)


@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_wide_rows_keep_their_distances_and_inner_products(pack, offset):
    X = wide(offset)
    sample = sample_of(pack(X))
    assert sample.X.shape == (25, 24)  # centred: one dimension less than rows
    centred = X - X.mean(axis=0)
    assert_close(sample.X @ sample.X.T, centred @ centred.T, 1e-8)
    np.testing.assert_allclose(pdist(sample.X), pdist(X), rtol=1e-8)


@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_a_subspace_goes_back_and_forth(pack, offset):
    X = wide(offset)
    sample, W = sample_of(pack(X)), orthonormal(24, 3, seed=2)
    lifted = sample.lift(W)
    assert lifted.shape == (60, 3)
    assert_close(lifted.T @ lifted, np.eye(3), 1e-12)
    assert sine_of_largest_angle(sample.lower(lifted), W) <= 1e-8
    # The same rows are seen in it, up to a rotation within the subspace.
    seen, expected = (X - X.mean(axis=0)) @ lifted, sample.X @ W
    assert_close(seen @ seen.T, expected @ expected.T, 1e-8)


def test_a_subspace_of_the_columns_goes_to_the_nearest_one_of_the_table():
    """Directions that no row has a part in are lost; what is left is the best there is."""
    X = wide()
    sample, W = sample_of(X), orthonormal(60, 2, seed=3)
    lowered = sample.lower(W)
    assert_close(lowered.T @ lowered, np.eye(2), 1e-12)
    basis = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:24].T
    nearest = basis @ (basis.T @ W)
    assert sine_of_largest_angle(sample.lift(lowered), np.linalg.qr(nearest)[0]) <= 1e-8


def test_sparse_and_dense_rows_give_the_same_table():
    X = wide() * (np.random.default_rng(1).random((25, 60)) < 0.2)
    dense, thin = sample_of(X), sample_of(sparse.csr_array(X))
    W = orthonormal(dense.X.shape[1], 2, seed=4)
    assert_close(thin.X @ thin.X.T, dense.X @ dense.X.T, 1e-12)
    basis = np.eye(dense.X.shape[1])
    assert sine_of_largest_angle(dense.lift(basis), thin.lift(basis)) <= 1e-7
    assert sine_of_largest_angle(dense.lift(W), dense.lift(dense.lower(dense.lift(W)))) <= 1e-7


def test_equal_rows_span_less():
    X = np.repeat(wide()[:6], [5, 4, 4, 4, 4, 4], axis=0)
    sample = sample_of(X)
    assert sample.X.shape == (25, 5)
    centred = X - X.mean(axis=0)
    assert_close(sample.X @ sample.X.T, centred @ centred.T, 1e-12)


@pytest.mark.parametrize("columns", [4, 60])
def test_some_of_many_rows(columns):
    """Rows, labels and Gamma are those of the same rows, and Gamma is centred on them."""
    X = wide()[:, :columns]
    sample = sample_of(X, max_rows=10)
    assert sample.n_samples == 10
    distances = np.array([pdist(sample.X), pdist(X[:10])])
    assert not np.allclose(distances[0], distances[1])  # not simply the first ones
    index = np.sort(np.random.default_rng(0).choice(25, 10, replace=False))
    np.testing.assert_allclose(distances[0], pdist(X[index]), rtol=1e-8)
    np.testing.assert_array_equal(sample.labels, CODES[index])
    assert_close(sample.gamma.to_dense(), ClassTable.centered(CODES[index]).to_dense(), 1e-14)


def test_the_generator_decides():
    first, again, other = (sample_of(wide()[:, :4], 10, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)


def test_without_labels():
    gamma = Dense.centered(np.exp(-np.abs(np.subtract.outer(np.arange(25), np.arange(25)))))
    sample = sample_of(wide()[:, :4], 10, gamma, None)
    assert sample.labels is None
    assert sample.gamma.is_centered


@pytest.mark.parametrize("n_columns", [8, 60])
def test_kernels_of_inner_products_see_the_rows_where_they_are(n_columns):
    X = wide(offset=3.0)[:, :n_columns]
    rng = np.random.default_rng(0)
    sample = draw_sample(as_rows(X), GAMMA, 25, rng, CODES, centered=False)
    assert_close(sample.X @ sample.X.T, X @ X.T, 1e-12, scale=float(np.abs(X @ X.T).max()))
    W = orthonormal(sample.X.shape[1], 2, seed=1)
    assert_close(X @ sample.lift(W), sample.X @ W, 1e-8)


def test_a_sample_has_two_classes_if_there_are_two():
    codes = np.zeros(2000, dtype=int)
    codes[5] = 1
    X = np.random.default_rng(0).standard_normal((2000, 3))
    rng = np.random.default_rng(1)
    sample = draw_sample(as_rows(X), ClassTable.centered(codes), 50, rng, codes)
    assert set(sample.labels.tolist()) == {0, 1}
    assert sample.n_samples <= 51


@pytest.mark.parametrize("offset", [1e6, 1e10])
def test_wide_rows_far_from_zero_keep_their_distances(pack, offset):
    X = wide(offset)
    sample = sample_of(pack(X))
    assert sample.X.shape == (25, 24)
    np.testing.assert_allclose(pdist(sample.X), pdist(X), rtol=1e-8)
    assert_close(pdist(X @ sample.lift(np.eye(24))), pdist(X), 1e-4)


def test_some_columns_far_from_zero_and_many_zeros():
    X = wide() * (np.random.default_rng(1).random((25, 60)) < 0.2)
    X[:, 7] = 1e9 + np.arange(25.0)
    sample = sample_of(sparse.csr_array(X))
    np.testing.assert_allclose(pdist(sample.X), pdist(X), rtol=1e-8)


@pytest.mark.parametrize("bandwidth", ["auto", "median"])
def test_wide_rows_far_from_zero_choose_the_same_bandwidth(pack, bandwidth):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((30, 45))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    near = SupervisedHSIC(1, bandwidth=bandwidth).fit(X, y)
    far = SupervisedHSIC(1, bandwidth=bandwidth).fit(pack(X + 1e7), y)
    assert far.bandwidth_ == pytest.approx(near.bandwidth_, rel=1e-3)
    assert sine_of_largest_angle(far.components_.T, near.components_.T) < 1e-3
