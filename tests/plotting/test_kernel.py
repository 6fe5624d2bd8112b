"""KernelDisplay: the matrices are those of the kernel, and rows stand in the order of labels."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import pdist, squareform

from hsiclearn import SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.kernels import Gaussian, Linear, RelativeGaussian
from hsiclearn.plotting import KernelDisplay

RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 4))
Y = np.array(["b", "a", "c", "a", "b"] * 10)


def gaussian(rows, scale):
    return np.exp(-(squareform(pdist(rows)) ** 2) / (2.0 * scale**2))


def fitted(kernel, **settings):
    return SupervisedHSIC(2, kernel=kernel, **settings).fit(X, Y)


def test_both_images_are_the_gaussian_by_hand():
    model = fitted("gaussian", bandwidth=0.7)
    display = KernelDisplay.from_estimator(model, X, Y)
    rows = X[display.rows_]
    median = np.median(pdist(X))
    images = [ax.images[0].get_array() for ax in display.ax_]
    np.testing.assert_allclose(images[0], gaussian(rows, median), atol=1e-10)
    np.testing.assert_allclose(images[1], gaussian(rows @ model.components_.T, 0.7), atol=1e-10)
    assert f"median distance, {median:.3g}" in display.ax_[0].get_title()
    assert "bandwidth 0.7" in display.ax_[1].get_title()


def test_rows_stand_in_the_order_of_their_class():
    display = KernelDisplay.from_estimator(fitted("gaussian", bandwidth=1.0), X, Y)
    assert Y[display.rows_].tolist() == sorted(Y)
    ax = display.ax_[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_yticks().tolist() == [9.5, 29.5, 44.5]
    ends = [line.get_ydata()[0] for line in ax.lines if line.get_xdata()[0] == 0]
    assert ends == [19.5, 39.5]


@pytest.mark.parametrize(("n_classes", "n_lines"), [(40, 39), (41, 0)])
def test_very_many_classes_have_no_lines(n_classes, n_lines):
    labels = [f"{i % n_classes:02}" for i in range(50)]
    display = KernelDisplay(np.eye(50), np.eye(50), labels=labels).plot()
    assert len(display.ax_[0].lines) == 2 * n_lines
    assert len(display.ax_[0].get_yticks()) <= 20


def test_real_labels_order_by_value_without_lines():
    y = RNG.standard_normal(50)
    model = SupervisedHSIC(2, bandwidth=1.0).fit(X, y)
    display = KernelDisplay.from_estimator(model, X, y)
    assert np.all(np.diff(y[display.rows_]) > 0)
    assert not display.ax_[0].lines


def test_matrices_that_are_given_are_put_in_order():
    K = np.arange(9.0).reshape(3, 3)
    display = KernelDisplay(K, K + 1, labels=[2, 0, 1]).plot()
    np.testing.assert_array_equal(display.ax_[0].images[0].get_array(), K[[1, 2, 0]][:, [1, 2, 0]])
    plain = KernelDisplay(K, K).plot()
    np.testing.assert_array_equal(plain.ax_[1].images[0].get_array(), K)


def test_a_sum_of_kernels_of_both_pair_types_is_evaluated_term_by_term():
    model = fitted(2.0 * Gaussian(1.5) + 0.5 * Linear())
    display = KernelDisplay.from_estimator(model, X, Y)
    w = X[display.rows_] @ model.components_.T
    np.testing.assert_allclose(display.after, 2.0 * gaussian(w, 1.5) + 0.5 * w @ w.T, atol=1e-10)
    assert display.ax_[1].get_title() == "2 dimensions found\nsum of kernels"


def neighbour_scales(rows, k):
    """Upper median as the floor, half of it."""
    distance = np.sort(squareform(pdist(rows)), axis=1)[:, k]
    return np.maximum(distance, 0.5 * np.sort(distance)[distance.size // 2])


@pytest.mark.parametrize("clusters", [False, True])
def test_scales_by_neighbours_are_those_of_the_fit(clusters):
    kernel = RelativeGaussian(3, floor=0.5)
    model = UnsupervisedHSIC(2, 2, kernel=kernel).fit(X) if clusters else fitted(kernel)
    display = KernelDisplay.from_estimator(model, X, Y)
    rows = X[display.rows_]
    w = rows @ model.components_.T
    sigma = neighbour_scales(w if clusters else rows, 3)
    expected = np.exp(-(squareform(pdist(w)) ** 2) / (2.0 * np.outer(sigma, sigma)))
    np.testing.assert_allclose(display.after, expected, atol=1e-9)


def test_a_clusterer_orders_by_its_clusters(table, clusterer):
    display = KernelDisplay.from_estimator(clusterer, table[0])
    assert display.labels.tolist() == sorted(clusterer.predict(table[0]))


def test_of_many_rows_each_class_has_its_share_and_the_draw_repeats():
    rows = np.tile(X, (40, 1)) + 0.01 * RNG.standard_normal((2000, 4))
    y = np.tile(Y, 40)
    model = fitted("gaussian", bandwidth=1.0)
    first, second = (KernelDisplay.from_estimator(model, rows, y, max_rows=100) for _ in range(2))
    assert dict(zip(*np.unique(first.labels, return_counts=True), strict=True)) == {
        "a": 40,
        "b": 40,
        "c": 20,
    }
    assert first.rows_.tolist() == second.rows_.tolist()
    assert len(set(first.rows_.tolist())) == 100


def test_neighbours_are_sought_beyond_the_rows_that_are_shown():
    model = fitted(RelativeGaussian(3, floor=0.5))
    some = KernelDisplay.from_estimator(model, X, Y, max_rows=20)
    every = KernelDisplay.from_estimator(model, X, Y)
    where = [every.rows_.tolist().index(row) for row in some.rows_]
    np.testing.assert_allclose(some.after, every.after[np.ix_(where, where)], atol=1e-9)


def test_sparse_rows_are_drawn_as_dense_ones():
    model = fitted("gaussian", bandwidth=1.0)
    dense, sparse = (KernelDisplay.from_estimator(model, rows, Y) for rows in (X, csr_matrix(X)))
    np.testing.assert_allclose(dense.before, sparse.before, atol=1e-10)
    assert dense.rows_.tolist() == sparse.rows_.tolist()


def test_without_labels_rows_stay_in_order():
    display = KernelDisplay.from_estimator(fitted("gaussian", bandwidth=1.0), X)
    assert display.rows_.tolist() == list(range(50))
    few = KernelDisplay.from_estimator(fitted("gaussian", bandwidth=1.0), X, max_rows=10)
    assert few.rows_.tolist() == sorted(few.rows_)


def test_wrong_shapes_and_sizes_are_named():
    with pytest.raises(
        ValueError, match=r"square and of the same shape. Got \(2, 2\) and \(3, 3\)"
    ):
        KernelDisplay(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match=r"`max_rows` must be at least 2. Got 1"):
        KernelDisplay.from_estimator(fitted("gaussian", bandwidth=1.0), X, max_rows=1)
