"""Segments joined to clusters."""

import itertools

import numpy as np
import pytest

from hsiclearn._alternation.labels import association, has_fair_sizes, join_segments

rng = np.random.default_rng(0)


def graph(n=24, seed=0):
    A = np.random.default_rng(seed).random((n, n))
    return A + A.T


def written_out(K, labels):
    """The association, sum by sum."""
    total = 0.0
    for c in np.unique(labels):
        inside = labels == c
        total += K[np.ix_(inside, inside)].sum() / K[inside].sum()
    return total


@pytest.mark.parametrize("k", [1, 2, 4])
def test_association_is_the_sum_written_out(k):
    K, labels = graph(), rng.permutation(np.arange(24) % k)
    found = association(lambda V: K @ V, K.sum(axis=1), labels)
    assert found == pytest.approx(written_out(K, labels), rel=1e-13)


def test_association_of_separated_clusters_is_their_number_and_the_eigenvalues_bound_it():
    codes = np.arange(30) % 3
    K = (codes[:, None] == codes).astype(float)
    assert association(lambda V: K @ V, K.sum(axis=1), codes) == pytest.approx(3.0, rel=1e-14)
    K = K + 0.3 * graph(30)
    r = 1.0 / np.sqrt(K.sum(axis=1))
    bound = np.linalg.eigvalsh(r[:, None] * K * r)[-3:].sum()
    assert association(lambda V: K @ V, K.sum(axis=1), codes) <= bound


@pytest.mark.parametrize("seed", range(4))
def test_one_join_is_the_best_of_all_pairs(seed):
    K, segments = graph(seed=seed), np.arange(24) % 5
    cluster_of = join_segments(lambda V: K @ V, K.sum(axis=1), segments, 4)
    found = written_out(K, cluster_of[segments])
    assert set(cluster_of) == set(range(4))
    for i, j in itertools.combinations(range(5), 2):
        assert written_out(K, np.where(segments == j, i, segments)) <= found + 1e-12


def test_arcs_of_rings_are_joined_to_rings():
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rows = np.concatenate([circle, 2 * circle])
    squares = np.sum((rows[:, None] - rows) ** 2, axis=2)
    K = np.exp(-squares / (2 * 0.15**2))
    arcs = np.concatenate([np.arange(60) // 20, 3 + np.arange(60) // 12])
    cluster_of = join_segments(lambda V: K @ V, K.sum(axis=1), arcs, 2)
    np.testing.assert_array_equal(cluster_of, [0, 0, 0, 1, 1, 1, 1, 1])


def test_sizes_are_fair_down_to_half_the_smallest():
    beside = np.repeat([0, 1], [10, 20])
    assert has_fair_sizes(np.repeat([0, 1], [25, 5]), beside)
    assert not has_fair_sizes(np.repeat([0, 1], [26, 4]), beside)
    assert not has_fair_sizes(np.zeros(30, int), beside)
