"""From an embedding to labels."""

import numpy as np
import pytest

from hsiclearn._alternation.labels import centres_of, cluster_labels, nearest_centre

rng = np.random.default_rng(0)


def embedded(codes, noise=0.05):
    """Rows near the unit vectors of their codes, of any length."""
    Y = np.eye(codes.max() + 1)[codes] + noise * rng.standard_normal((len(codes), codes.max() + 1))
    return Y * rng.uniform(0.1, 10.0, (len(codes), 1))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_clusters_are_numbered_by_their_first_row(k):
    codes = rng.integers(0, k, 60)
    labels = cluster_labels(embedded(codes), k, np.random.default_rng(1))
    _, first, numbered = np.unique(codes, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(labels, np.argsort(np.argsort(first))[numbered])
    assert labels[0] == 0


def test_the_same_seed_gives_the_same_labels():
    Y = rng.standard_normal((80, 3))
    one, two = (cluster_labels(Y, 4, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_the_length_of_a_row_does_not_count():
    codes = np.arange(40) % 2
    Y = embedded(codes)
    long = Y * rng.uniform(1e-3, 1e3, (40, 1))
    one, two = (cluster_labels(A, 2, np.random.default_rng(5)) for A in (Y, long))
    np.testing.assert_array_equal(one, two)


def test_a_row_of_zeros_gets_some_label():
    Y = embedded(np.arange(20) % 2)
    Y[3] = 0.0
    labels = cluster_labels(Y, 2, np.random.default_rng(0))
    assert set(labels) == {0, 1}


def test_fewer_places_than_clusters_is_no_warning_here():
    """The estimator has words of its own for it; warnings are errors in these tests."""
    labels = cluster_labels(np.eye(2)[np.arange(10) % 2], 4, np.random.default_rng(0))
    np.testing.assert_array_equal(labels, np.arange(10) % 2)


def test_centres_are_means_and_the_nearest_one_wins():
    codes = np.arange(45) % 3
    Y = embedded(codes)
    rows = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    centres = centres_of(Y, codes)
    np.testing.assert_allclose(centres, [rows[codes == c].mean(axis=0) for c in range(3)])
    distances = np.linalg.norm(rows[:, None] - centres[None], axis=2)
    np.testing.assert_array_equal(nearest_centre(Y, centres), distances.argmin(axis=1))
    np.testing.assert_array_equal(nearest_centre(Y, centres), codes)


def test_a_label_without_rows_is_nobodys_nearest():
    """Labels that were given may leave a cluster empty."""
    codes = np.array([0, 2] * 10)
    Y = embedded(codes)
    centres = centres_of(Y, codes)
    np.testing.assert_array_equal(nearest_centre(Y, centres), codes)
