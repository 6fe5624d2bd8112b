"""Distances of rows and the kernel of them, against every pair written out."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from hsiclearn._linalg import gaussian_kernel, typical_distance
from hsiclearn._linalg.distances import median_pair_distance

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))


def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 40])
def test_the_median_is_that_of_pairs_once_each(n):
    """Also where their number is even: the mean of the two in the middle, of roots."""
    assert median_pair_distance(X[:n], rng()) == pytest.approx(np.median(pdist(X[:n])), rel=1e-12)


def test_one_row_has_no_pair():
    assert median_pair_distance(X[:1], rng()) == 0.0
    assert typical_distance(X[:1], rng()) == 0.0


def test_many_rows_are_drawn_in_their_order():
    chosen = np.sort(rng().choice(40, 25, replace=False))
    found = median_pair_distance(X, rng(), max_rows=25)
    assert found == pytest.approx(np.median(pdist(X[chosen])), rel=1e-12)
    assert median_pair_distance(X, rng(), max_rows=40) == pytest.approx(np.median(pdist(X)))


@pytest.mark.parametrize("spread", [1.0, 1e4, 1e7])
def test_small_distances_beside_a_large_spread_are_exact(spread):
    """One row far out: the product has rounded the distances of the others away."""
    rows = np.vstack([X, [[spread, 0.0, 0.0]]]) + 1e3
    assert median_pair_distance(rows, rng()) == pytest.approx(np.median(pdist(rows)), rel=1e-6)


def test_of_rows_that_are_mostly_equal_the_different_ones_count():
    rows = np.vstack([np.zeros((60, 3)), X[:5]])
    assert median_pair_distance(rows, rng()) == 0.0
    different = np.vstack([np.zeros((1, 3)), X[:5]])
    assert typical_distance(rows, rng()) == pytest.approx(np.median(pdist(different)), rel=1e-12)
    assert typical_distance(X, rng()) == pytest.approx(np.median(pdist(X)), rel=1e-12)
    assert typical_distance(np.ones((9, 2)), rng()) == 0.0


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("bandwidth", [1.0, 0.3])
def test_the_kernel_is_seen_from_the_mean(offset, bandwidth):
    A, Z = X[:15] + offset, X[15:] + offset
    expected = np.exp(-cdist(A, Z, "sqeuclidean") / (2.0 * bandwidth**2))
    np.testing.assert_allclose(gaussian_kernel(A, Z, bandwidth), expected, rtol=1e-8, atol=1e-12)
    assert np.diag(gaussian_kernel(A, A, bandwidth)).max() <= 1.0
    np.testing.assert_array_equal(gaussian_kernel(A, Z), gaussian_kernel(A, Z, 1.0))
