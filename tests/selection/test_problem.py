"""The median distance, and multiples of it."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from hsiclearn import SupervisedHSIC
from hsiclearn._selection import median_distance
from hsiclearn._selection.problem import SCALES, bandwidth_grid
from hsiclearn.exceptions import DegenerateDataError, DependenceWarning

rng = np.random.default_rng


@pytest.mark.parametrize("n", [2, 3, 4, 5, 50, 51])  # odd and even numbers of pairs
def test_median_distance_is_the_median_over_pairs(n):
    X = rng(0).standard_normal((n, 4)) + 100.0
    assert median_distance(X, rng()) == pytest.approx(np.median(pdist(X)), rel=1e-10)


def test_median_of_tiny_distances_beside_a_far_row_is_exact():
    X = np.vstack([1e-9 * rng(0).standard_normal((30, 2)), [[1e6, 0.0]]])
    assert median_distance(X, rng()) == pytest.approx(np.median(pdist(X)), rel=1e-6)


def test_median_on_a_subsample_is_seeded_and_close():
    X = rng(0).standard_normal((5000, 3))
    first = median_distance(X, np.random.default_rng(1))
    assert first == median_distance(X, np.random.default_rng(1))
    assert first == pytest.approx(np.median(pdist(X[:2000])), rel=0.05)


def test_median_zero_is_an_error():
    X = np.zeros((10, 2))
    X[0] = 1.0
    with pytest.raises(DegenerateDataError, match="pass a positive number as bandwidth"):
        median_distance(X, rng())


@pytest.mark.parametrize("columns", [5, 80])
def test_the_median_of_sparse_rows_is_that_of_dense_ones(columns):
    X = rng(0).standard_normal((30, columns)) * (rng(1).random((30, columns)) < 0.3)
    found = median_distance(sparse.csr_array(X), rng())
    assert found == pytest.approx(np.median(pdist(X)), rel=1e-9)


@pytest.mark.parametrize(("q", "d"), [(1, 1), (1, 9), (2, 50), (5, 5)])
def test_every_scale_times_the_median_distance_in_q_of_d_dimensions(q, d):
    grid = bandwidth_grid(3.0, q, d)
    np.testing.assert_allclose(grid, 3.0 * np.sqrt(q / d) * np.array(SCALES), rtol=1e-14)


def test_from_smooth_to_fine_in_whatever_order_scales_are_given():
    assert bandwidth_grid(1.0, 1, 1, scales=(0.5, 2.0, 1.0)) == (2.0, 1.0, 0.5)
    assert list(SCALES) == sorted(SCALES, reverse=True)


def test_the_grid_has_the_unit_of_the_rows():
    metres, millimetres = bandwidth_grid(4.0, 2, 7), bandwidth_grid(4000.0, 2, 7)
    np.testing.assert_allclose(millimetres, 1000.0 * np.array(metres), rtol=1e-14)


def test_noise_is_not_polished_beyond_the_digits_of_compared_fits():
    X, y = rng(0).standard_normal((150, 6)), rng(1).integers(0, 2, 150)
    with pytest.warns(DependenceWarning, match="No dependence found"):
        model = SupervisedHSIC().fit(X, y)
    assert model.converged_
    assert model.certificate_.tol == 1e-3
    assert model.certificate_.stationarity <= 1e-3
    y = X[:, 0] > 0
    assert SupervisedHSIC(objective="dependence").fit(X, y).certificate_.tol == 1e-6
