"""Labels from an embedding and a few known ones, and the subspaces they lead to."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from hsiclearn._alternation.guided_starts import (
    best_guess,
    guesses,
    label_factor,
    shows_most_rows,
    unguided_starts,
)
from hsiclearn._alternation.seeding import NeighborGraph, seeded_labels
from hsiclearn._paradigms import one_hot
from hsiclearn.kernels import RelativeGaussian

CENTRES = np.array([[0.0, 0.0], [6.0, 0.0], [2.0, 5.0]])


def blobs(n=90, noise=0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = CENTRES[y] + rng.standard_normal((n, 2))
    X = np.c_[X, rng.standard_normal((n, noise))]
    return X - X.mean(axis=0), y


def some_codes(y, per_class=1):
    codes = np.full(y.size, -1)
    for c in np.unique(y):
        codes[np.flatnonzero(y == c)[:per_class]] = c
    return codes


def test_one_label_per_class_names_the_clusters():
    X, y = blobs()
    labels = NeighborGraph(X, 3).labels(some_codes(y), np.random.default_rng(0))
    assert np.mean(labels == y) > 0.97


def test_without_labels_it_is_clustering_and_repeatable():
    X, y = blobs(seed=1)
    graph, nothing = NeighborGraph(X, 3), np.full(y.size, -1)
    first, again = (graph.labels(nothing, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first, again)
    table = np.array([[np.sum((first == a) & (y == b)) for b in range(3)] for a in range(3)])
    assert table.max(axis=1).sum() > 0.97 * y.size


def test_a_class_without_labels_is_found():
    X, y = blobs()
    codes = some_codes(y)
    codes[codes == 2] = -1
    labels = NeighborGraph(X, 3).labels(codes, np.random.default_rng(0))
    assert np.mean(labels == y) > 0.97


def test_known_rows_keep_their_label_even_against_their_cluster():
    X, y = blobs()
    codes = some_codes(y, 3)
    codes[0] = (y[0] + 1) % 3
    labels = NeighborGraph(X, 3).labels(codes, np.random.default_rng(0))
    known = codes >= 0
    assert np.array_equal(labels[known], codes[known])
    assert np.mean(labels == y) > 0.9


def test_wrongly_clustered_known_rows_take_those_near_them_along():
    # k-means joins the last group to the second; one known row says that it is of the first.
    groups = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.8, 0.6]])
    vectors, codes = np.repeat(groups, 10, axis=0), np.full(30, -1)
    codes[[0, 10]] = [0, 1]
    without = seeded_labels(vectors, np.ones(3), codes, 2, np.random.default_rng(0))
    assert np.array_equal(without, np.repeat([0, 1, 1], 10))
    codes[20] = 0
    labels = seeded_labels(vectors, np.ones(3), codes, 2, np.random.default_rng(0))
    assert np.array_equal(labels, np.repeat([0, 1, 0], 10))


def test_the_scale_and_the_order_of_rows_do_not_matter():
    X, y = blobs(seed=2)
    codes, order = some_codes(y), np.random.default_rng(0).permutation(y.size)
    plain = NeighborGraph(X, 3).labels(codes, np.random.default_rng(0))
    scaled = NeighborGraph(1e-6 * X, 3).labels(codes, np.random.default_rng(0))
    moved = NeighborGraph(X[order], 3).labels(codes[order], np.random.default_rng(0))
    assert np.array_equal(plain, scaled)
    assert np.array_equal(plain[order], moved)


def test_repeated_rows_count_as_often_as_they_occur():
    X, y = blobs(45)
    codes = some_codes(y)
    twice = NeighborGraph(np.r_[X, X], 3)
    labels = twice.labels(np.r_[codes, np.full(45, -1)], np.random.default_rng(0))
    assert np.array_equal(labels[:45], labels[45:])
    assert np.mean(labels[:45] == y) > 0.95


def test_nearly_all_rows_equal_is_no_error():
    X = np.zeros((40, 3))
    X[:3] = np.eye(3)
    labels = NeighborGraph(X, 2).labels(np.full(40, -1), np.random.default_rng(0))
    assert labels.shape == (40,)


def test_all_rows_equal_is_no_error():
    labels = NeighborGraph(np.ones((30, 2)), 2).labels(np.full(30, -1), np.random.default_rng(0))
    assert labels.shape == (30,)


def test_association_is_that_of_the_full_graph():
    X, y = blobs(24)  # so few rows that all of them are neighbours
    graph = NeighborGraph(X, 3)
    sigma = 1.0 / RelativeGaussian(7, 1.0).scales_of(X).inverse
    K = np.exp(-0.5 * cdist(X, X) ** 2 / np.outer(sigma, sigma))
    reach = np.sort(cdist(X, X), axis=1)[:, 21]
    near = cdist(X, X) <= np.maximum(reach[:, None], reach)
    K = np.where(near, K, 0.0) - np.eye(24)
    Y = one_hot(y, 3)
    expected = np.sum(np.diag(Y.T @ K @ Y) / (K.sum(axis=1) @ Y))
    # The medians differ: the kernel takes the upper one of an even number.
    assert graph.association(y) == pytest.approx(expected, rel=2e-2)
    assert graph.association(y) > graph.association(np.arange(24) // 8)


def test_the_label_factor_sums_to_zero_and_weighs_known_rows():
    _, y = blobs(30)
    codes = some_codes(y)
    U = label_factor(y, codes, 3)
    assert np.allclose(U.sum(axis=0), 0.0)
    lengths = np.linalg.norm(U, axis=1)
    assert lengths[codes >= 0].min() > 4.0 * lengths[codes < 0].max()


@pytest.mark.parametrize("per_class", [0, 1])
def test_guesses_find_the_informative_columns(per_class):
    X, y = blobs(150, noise=4)
    for guess in guesses(X, some_codes(y, per_class), 3, 2, np.random.default_rng(0)):
        assert "guided" in guess.start
        assert np.allclose(guess.W.T @ guess.W, np.eye(2))
        assert np.linalg.norm(guess.W[:2]) ** 2 > 1.9


def test_without_labels_they_are_starts():
    X, y = blobs(60, noise=4)
    free = guesses(X, np.full(y.size, -1), 3, 2, np.random.default_rng(0))
    starts = unguided_starts(X, 3, 2, np.random.default_rng(0))
    for guess, (name, W) in zip(free, starts, strict=True):
        assert name == guess.start
        np.testing.assert_array_equal(W, guess.W)


def test_the_best_guess_prefers_the_subspace_with_clusters():
    X, y = blobs(150, noise=10)
    eye = np.eye(12)
    tries = [("noise", eye[:, 6:8]), ("clusters", eye[:, :2])]
    rng = np.random.default_rng(0)
    found = list(guesses(X, some_codes(y), 3, 2, rng, tries))
    best = best_guess(found)
    assert best.association == max(guess.association for guess in found)
    assert np.linalg.norm(best.W[:2]) ** 2 > 1.9
    assert np.mean(best.labels == y) > 0.97


def test_subspaces_that_show_only_outliers_are_left_out():
    X, y = blobs(150, noise=2)
    rare = 1e-3 * np.random.default_rng(0).standard_normal((150, 2))
    rare[:2] = 12.0
    X = np.c_[X, rare]
    assert shows_most_rows(X[:, :2])
    assert not shows_most_rows(X[:, 4:])
    found = guesses(X, some_codes(y), 3, 2, np.random.default_rng(0), [("rare", np.eye(6)[:, 4:])])
    assert not [guess for guess in found if guess.start.startswith("rare")]
