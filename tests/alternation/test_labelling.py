"""Labels of training rows, and of new ones by the same rule."""

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn._alternation.labelling import ByVote, Extension, label_by_embedding, label_rows
from hsiclearn._alternation.labels import association
from hsiclearn._objective import ClusterObjective
from hsiclearn.datasets import make_two_views
from hsiclearn.kernels import RelativeGaussian


def point_on(kind, k, *, normalize="degree", n_neighbors=7, proportions=None):
    """The graph of the plane that carries the alternative, and the alternative."""
    X, _, alternative = make_two_views(kind, 600, k, proportions=proportions, rotated=False)
    kernel = RelativeGaussian(n_neighbors)
    objective = ClusterObjective(X, kernel, k, normalize=normalize)
    return objective.point(np.eye(X.shape[1])[:, 2:]), alternative


def plain(point):
    k = point.objective.n_clusters
    return label_by_embedding(point.embedding, Extension.of(point), k, np.random.default_rng(0))


def cut_of(point, labelling):
    multiply = point.objective.multiply_at(point)
    k = point.objective.n_clusters
    return k - association(multiply, point.degree, labelling.labels)


def test_rings_that_k_means_cuts_into_arcs_are_found_from_segments():
    point, rings = point_on("rings", 3, proportions=(0.5, 0.3, 0.2))
    assert normalized_mutual_info_score(rings, plain(point).labels) < 0.7
    found = label_rows(point, np.random.default_rng(0))
    assert normalized_mutual_info_score(rings, found.labels) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("proportions", [None, (0.5, 0.3, 0.2)])
def test_three_rings_are_found_in_the_graph_of_fewer_neighbours(seed, proportions):
    X, _, rings = make_two_views(
        "rings", 600, 3, proportions=proportions, rotated=False, random_state=seed
    )
    point = ClusterObjective(X, RelativeGaussian(7), 3).point(np.eye(4)[:, 2:])
    found = label_rows(point, np.random.default_rng(0), RelativeGaussian(4))
    assert normalized_mutual_info_score(rings, found.labels) == pytest.approx(1.0)
    assert np.mean(found(X @ point.W - (X.mean(axis=0) @ point.W)) == found.labels) >= 0.99


def test_a_finer_kernel_that_cannot_see_is_left_out():
    rows = np.repeat(np.random.default_rng(0).standard_normal((20, 2)), 9, axis=0)
    point = ClusterObjective(rows, RelativeGaussian(12), 3).point(np.eye(2))
    assert not point.stands_clear
    with_it = label_rows(point, np.random.default_rng(0), RelativeGaussian(4))
    without = label_rows(point, np.random.default_rng(0))
    np.testing.assert_array_equal(with_it.labels, without.labels)


@pytest.mark.parametrize("n_neighbors", [4, 7])
@pytest.mark.parametrize("kind", ["blobs", "moons", "rings"])
def test_never_cuts_more_than_k_means(kind, n_neighbors):
    point, _ = point_on(kind, 3, n_neighbors=n_neighbors)
    found = label_rows(point, np.random.default_rng(0))
    assert cut_of(point, found) <= cut_of(point, plain(point)) + 1e-12


@pytest.mark.parametrize(("kind", "normalize"), [("blobs", "degree"), ("rings", "none")])
def test_is_k_means_where_clusters_stand_clear_or_the_objective_is_not_the_cut(kind, normalize):
    point, _ = point_on(kind, 3, normalize=normalize)
    found = label_rows(point, np.random.default_rng(0))
    np.testing.assert_array_equal(found.labels, plain(point).labels)


@pytest.mark.parametrize("kind", ["blobs", "rings"])
def test_training_rows_keep_their_labels(kind):
    point, _ = point_on(kind, 3)
    labelling = label_rows(point, np.random.default_rng(0))
    again = labelling(point.objective.X @ point.W)
    assert np.mean(again == labelling.labels) >= 0.99
    votes = ByVote(labelling.labels, labelling.extension)
    np.testing.assert_array_equal(votes(point.objective.X @ point.W), labelling.labels)


def test_clusters_are_numbered_by_their_first_row():
    point, _ = point_on("rings", 3, proportions=(0.5, 0.3, 0.2))
    labels = label_rows(point, np.random.default_rng(0)).labels
    assert [int(np.flatnonzero(labels == c)[0]) for c in range(3)] == sorted(
        int(np.flatnonzero(labels == c)[0]) for c in range(3)
    )


@pytest.mark.parametrize("kind", ["plain", "joined", "votes"])
def test_labels_together_with_an_embedding(kind):
    point, rings = point_on("rings", 3, proportions=(0.5, 0.3, 0.2))
    extension, rng = Extension.of(point), np.random.default_rng(0)
    found = {"plain": plain, "joined": lambda point: label_rows(point, rng)}.get(
        kind, lambda _: ByVote(rings, extension)
    )(point)
    w = extension.rows + 0.01 * rng.standard_normal(extension.rows.shape)
    labels, embedding = found.with_embedding(w, extension)
    np.testing.assert_array_equal(labels, found(w))
    np.testing.assert_array_equal(embedding, extension(w))
