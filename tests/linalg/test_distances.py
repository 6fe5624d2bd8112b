"""Distances of rows and the kernel of them, against every pair written out."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from foreign_arrays import make
from hsiclearn._columns import AbstractColumn
from hsiclearn._devices import to_host
from hsiclearn._linalg import distances, gaussian_kernel, typical_distance, weighted_median
from hsiclearn._linalg.distances import median_pair_distance
from hsiclearn._weights import draw_weighted

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


def test_the_kernel_of_another_library():
    expected = gaussian_kernel(X[:5] + 7.0, X[5:] + 7.0, 0.7)
    A, Z = (make("strict", rows + 7.0) for rows in (X[:5], X[5:]))
    found = to_host(gaussian_kernel(A, Z, 0.7))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert float(gaussian_kernel(Z, Z + 0.0, 1e-4)[3, 3]) <= 1.0


# Weights: of the table with repeated rows ---------------------------------------------------------

TIMES = {
    "odd": np.array([1, 2, 4, 1, 1, 3, 2]),
    "even": np.array([1, 2, 1, 4, 3, 2, 2]),
    "mostly copies": np.array([9, 1, 1, 0, 1, 0, 0]),
    "half zero": np.array([3, 1, 0, 0, 0, 0, 0]),
    "one row": np.array([5, 0, 0, 0, 0, 0, 0]),
}


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
def test_the_median_of_weighted_rows_is_that_of_repeated_ones(times):
    few = X[:7]
    found = median_pair_distance(few, rng(), weights=times.astype(float))
    expected = np.median(pdist(np.repeat(few, times, axis=0)))
    assert found == pytest.approx(expected, rel=1e-12)
    units = median_pair_distance(few, rng(), weights=np.ones(7))
    assert units == pytest.approx(np.median(pdist(few)), rel=1e-12)


@pytest.mark.parametrize("values", [[3.0, 1.0, 2.0], [4.0, 1.0, 3.0, 2.0], [5.0]])
@pytest.mark.parametrize("times", [[1, 1, 1, 1], [2, 1, 3, 1], [1, 2, 1, 2], [3, 1, 1, 1]])
def test_the_median_of_numbers_that_repeat(values, times):
    times = np.array(times[: len(values)])
    expected = np.median(np.repeat(values, times))
    assert weighted_median(np.array(values), times.astype(float)) == expected
    # A rounding of the weights does not decide between two numbers and one of them.
    assert weighted_median(np.array(values), times / 3.0 + 1e-17) == expected


def test_a_rounding_of_the_whole_does_not_decide():
    """Ten times a tenth is less than one; half of it is reached with the fifth number."""
    values, times = np.arange(11.0), np.r_[1e-300, np.full(10, 0.1)]
    assert weighted_median(values, times) == 5.5


def test_of_many_weighted_rows_some_are_drawn():
    weights = np.arange(1.0, 41.0)
    index, v = draw_weighted(weights, 12, rng())
    found = median_pair_distance(X, rng(), max_rows=12, weights=weights)
    assert index.size == 12
    assert found == distances._weighted_median(X[index], v)
    for times, count in ((np.eye(40)[7], 1), (np.eye(40)[7] + np.eye(40)[2], 2)):
        assert (median_pair_distance(X, rng(), weights=times) > 0.0) is (count == 2)


def test_weighted_rows_far_from_the_others_keep_their_digits():
    """One row far out, as above: differences are taken where the product has lost them."""
    rows = np.vstack([1e-3 * X[:7], [[1e7, 0.0, 0.0]]]) + 1e3
    times = np.array([1, 2, 2, 3, 1, 1, 2, 1])
    found = median_pair_distance(rows, rng(), weights=times.astype(float))
    assert found == pytest.approx(np.median(pdist(np.repeat(rows, times, axis=0))), rel=1e-6)


def test_distances_are_lost_below_a_hundred_thousandth_of_the_longest_column():
    rows = np.array([[0.0, 0.0, 2.0], [1.0, 5.0, -2.0]])  # ranges 1, 5, 4
    assert distances._is_rounded_away(0.99e-5 * 5.0, rows)
    assert not distances._is_rounded_away(1.01e-5 * 5.0, rows)
    assert not distances._is_rounded_away(0.0, np.ones((3, 2)))  # equal rows have no digits to lose
    with pytest.raises(ValueError, match="read-only"):  # all fits share it
        distances._below_the_diagonal(3)[0, 0] = True


def test_where_most_weight_is_on_one_row_the_different_ones_count():
    times = np.zeros(40)
    times[[3, 8, 21]] = [50.0, 1.0, 2.0]
    assert median_pair_distance(X, rng(), weights=times) == 0.0
    expected = np.median(pdist(X[[3, 8, 21]]))
    assert typical_distance(X, rng(), weights=times) == pytest.approx(expected, rel=1e-12)


class Elsewhere(AbstractColumn):
    """Rows that are fetched by index, and know how many were."""

    def __init__(self, values):
        self.values, self.shape, self.fetched = values, values.shape, []

    def __getitem__(self, rows):
        found = self.values[rows]
        self.fetched.append(len(found))
        return found

    map = kept = fold = None


Elsewhere.__abstractmethods__ = frozenset()


@pytest.mark.parametrize("weights", [None, np.r_[np.full(60, 9.0), 1.0, 2.0, 1.0, 1.0, 1.0]])
def test_of_rows_elsewhere_so_many_are_looked_at(weights, monkeypatch):
    rows = np.vstack([np.zeros((60, 3)), X[:5]])
    monkeypatch.setattr(distances, "_LOOKED_AT", 64)
    column = Elsewhere(rows)
    found = typical_distance(column, rng(), weights)
    assert column.fetched == [65, 64]
    assert found > 0.0
    own = typical_distance(rows, rng(), weights)
    whole = np.median(pdist(np.vstack([np.zeros((1, 3)), X[:5]])))
    assert own == pytest.approx(whole, rel=1e-12)
    assert len(Elsewhere(X)) == 40
    assert median_pair_distance(Elsewhere(X), rng()) == median_pair_distance(X, rng())
