"""Bandwidth and dimension rules."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from hsiclearn import Status
from hsiclearn._selection import (
    Candidate,
    Neighbours,
    Selection,
    eigengap_dimension,
    median_distance,
    widest_gap,
)
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Gaussian

rng = np.random.default_rng(0)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 50, 51])  # odd and even numbers of pairs
def test_median_distance_is_the_median_over_pairs(n):
    X = rng.standard_normal((n, 4)) + 100.0
    assert median_distance(X, rng) == pytest.approx(np.median(pdist(X)), rel=1e-10)


def test_median_of_tiny_distances_beside_a_far_row_is_exact():
    X = np.vstack([1e-9 * rng.standard_normal((30, 2)), [[1e6, 0.0]]])
    assert median_distance(X, rng) == pytest.approx(np.median(pdist(X)), rel=1e-6)


def test_median_on_a_subsample_is_seeded_and_close():
    X = rng.standard_normal((5000, 3))
    first = median_distance(X, np.random.default_rng(1))
    assert first == median_distance(X, np.random.default_rng(1))
    assert first == pytest.approx(np.median(pdist(X[:2000])), rel=0.05)


def test_median_zero_is_an_error():
    X = np.zeros((10, 2))
    X[0] = 1.0
    with pytest.raises(DegenerateDataError, match="pass a positive number as bandwidth"):
        median_distance(X, rng)


def test_neighbours_far_above_chance_are_a_finding_without_a_share():
    """Fourteen classes in 64 rows: too few of each for a regression, not for neighbours."""
    found = Candidate(2, Gaussian(1.0), "path", 0.5, 1.17)
    known, noise = (Neighbours(8, "accuracy", share, 0.45, 0.125) for share in (0.33, 0.2))
    assert known.errors_above_chance(64) == pytest.approx(0.205 / np.sqrt(0.125 * 0.875 / 64))
    assert Selection(found, (found,), 64, known).found_dependence
    assert not Selection(found, (found,), 64, noise).found_dependence
    assert not Selection(found, (found,), 64).found_dependence


def test_widest_gap():
    assert widest_gap(np.array([-5.0, -4.0, -1.0, 0.0, 0.5]), 5) == 2
    assert widest_gap(np.array([-5.0, 7.0]), 2) == 1
    assert widest_gap(np.array([-5.0]), 1) == 1
    steps = np.concatenate([np.arange(22.0), [100.0]])  # the widest gap lies beyond q = 20
    assert widest_gap(steps, 23) == 1


def fits(gaps):
    """Fake fits: at q the spectrum has its widest gap at ``gaps[q]``."""

    def fit(q):
        values = np.concatenate([np.zeros(gaps[q]), np.ones(6 - gaps[q])])
        return SimpleNamespace(status=Status.CONVERGED, eigenvalues=values, q=q)

    return fit


def test_the_eigengap_rule_stops_where_it_agrees_with_itself():
    start = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])  # says 3
    assert eigengap_dimension(start, 6, fits({3: 2, 2: 2})).q == 2


def test_a_circle_of_the_eigengap_rule_gives_its_smallest_member():
    start = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])  # says 4
    assert eigengap_dimension(start, 6, fits({4: 3, 3: 1, 1: 3})).q == 1


@pytest.mark.parametrize(
    ("n", "d", "n_rows", "held_out", "expected"),
    [
        (100, 100, 100, 100, []),
        (99, 5, 99, 99, ["made on 99 rows. With"]),
        (200, 201, 200, 200, ["more columns (201) than rows (200)"]),
        (64, 6830, 64, 64, ["made on 64 rows.", "more columns (6830) than rows (64)"]),
        (1000, 1100, 1300, 1000, []),  # the rule looked at some of the rows
        (1000, 1100, 0, 0, ["more columns (1100) than rows (1000)"]),  # of an earlier version
        (200, 5, 200, 20, ["made on 200 rows, 20 rows or groups held out"]),
    ],
)
def test_few_rows_are_told(n, d, n_rows, held_out, expected):
    candidate = Candidate(1, Gaussian(1.0), "path", 0.1, 0.2)
    known = Neighbours(15, "accuracy", 0.9, 0.8, 0.5, held_out)
    caution = Selection.of(candidate, [candidate], n, known, d, n_rows).caution
    assert all(words in caution for words in expected)
    assert bool(caution) == bool(expected)
