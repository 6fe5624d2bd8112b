"""Weights of rows: what is taken, what is said of the rest, and how rows are drawn by them."""

import re

import numpy as np
import pytest

from hsiclearn._linalg import median_pair_distance, typical_distance
from hsiclearn._weights import _uniform, as_weights, draw_weighted, positive_rows


class _Holder:
    def __array__(self, dtype=None, copy=None):
        return np.array([1, 2, 0], dtype=dtype)


@pytest.mark.parametrize(
    "given", [[1, 2, 0], np.array([1, 2, 0], dtype=np.float32), _Holder(), [True, 2, 0]]
)
def test_what_is_taken(given):
    weights = as_weights(given, 3)
    assert weights.dtype == np.float64
    assert weights.tolist() == [1.0, 2.0, 0.0]
    assert positive_rows(weights).tolist() == [0, 1]


def test_a_series_of_pandas_and_a_copy():
    pandas = pytest.importorskip("pandas")
    assert as_weights(pandas.Series([0.5, 2.0]), 2).tolist() == [0.5, 2.0]
    given = np.array([1.0, 2.0])
    weights = as_weights(given, 2)
    given[0] = 9.0
    assert weights.tolist() == [1.0, 2.0]
    assert positive_rows(weights) is None


def test_weights_of_one_are_none():
    assert as_weights(None, 3) is None
    assert as_weights(np.ones(3), 3) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(3), "this weight is zero on every row of 3"),
        ([0, 5, 0], "zero on all rows but one"),
        ([1, np.nan, np.inf], "2 of 3 weights are NaN or infinite, the first nan"),
        ([1, -2.5, 1], "no negative number. Got -2.5"),
        ([1, 2], "one number for each of the 3 rows, a vector. Got shape (2,)"),
        (2.0, "Got shape ()"),
        (np.ones((3, 1)), "Got shape (3, 1)"),
        (["1", "2", "3"], "must hold numbers. Got dtype <U1, first ['1']"),
        ([1, None, "b"], "must hold numbers"),
        ([1j, 2, 3], "must hold numbers"),
        ([1e300, 1e308, 1e308], "must have a sum in 1e-100 .. 1e+100"),
        ([1e-300, 1e-300, 0], "Divide by the mean"),
    ],
)
def test_errors_say_rule_values_and_remedy(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        as_weights(given, 3)


def test_rows_are_drawn_in_proportion_to_their_weights():
    """The sums over any rows of the weights of those drawn are those of all, in expectation."""
    rng = np.random.default_rng(0)
    v = rng.exponential(size=200) ** 2
    v[:40] = 0.0
    some, share = v > np.median(v[40:]), []
    for _ in range(400):
        index, w = draw_weighted(v, 50, rng)
        assert index.size == 50
        assert np.all(np.diff(index) > 0)
        assert index.min() >= 40
        assert w.min() >= 1.0
        share.append(w[some[index]].sum() / w.sum())
    assert np.mean(share) == pytest.approx(v[some].sum() / v.sum(), abs=5e-3)


def test_of_equal_weights_a_draw_has_weight_one_and_a_whole_keeps_its_own():
    rng = np.random.default_rng(0)
    index, w = draw_weighted(np.full(30, 7.0), 10, rng)
    assert w.tolist() == [1.0] * 10
    index, w = draw_weighted(np.array([3.0, 0.0, 2.0]), 10, rng)
    assert index.tolist() == [0, 2]
    assert w.tolist() == [3.0, 2.0]


def test_numbers_of_a_stream_do_not_depend_on_its_parts():
    whole = _uniform(5, 0, 100)
    assert np.array_equal(np.concatenate([_uniform(5, 0, 13), _uniform(5, 13, 87)]), whole)
    assert whole.min() < 0.1 < 0.9 < whole.max()


@pytest.mark.parametrize("median", [median_pair_distance, typical_distance])
@pytest.mark.parametrize("is_coarse", [False, True])
def test_the_median_is_that_of_repeated_rows(median, is_coarse):
    """Also where copies are most of the pairs, and where the middle lies between two distances."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        X = rng.normal(size=(int(rng.integers(4, 12)), 2))
        X = np.round(X) if is_coarse else X
        v = rng.integers(0, 4, X.shape[0])
        v[:2] += 1
        weighted = median(X, np.random.default_rng(0), weights=v.astype(float))
        repeated = median(np.repeat(X, v, axis=0), np.random.default_rng(0))
        assert weighted == pytest.approx(repeated, abs=1e-8, rel=1e-12)  # a copy is apart 1e-8


def test_a_single_row_that_counts_is_apart_from_nothing():
    assert typical_distance(np.eye(3), np.random.default_rng(0), np.array([0.0, 2.0, 0.0])) == 0.0


def test_the_median_of_rows_drawn_by_weight_is_near_that_of_all():
    rng = np.random.default_rng(2)
    X, v = rng.normal(size=(1500, 3)), rng.exponential(size=1500) ** 3
    X[v > 5.0] *= 3.0  # so that uniform draws would miss it
    whole = median_pair_distance(X, rng, 1500, weights=v)
    assert median_pair_distance(X, rng, 500, weights=v) == pytest.approx(whole, rel=0.05)
