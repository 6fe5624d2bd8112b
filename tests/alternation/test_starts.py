"""Every start is an orthonormal basis; some must see what they are made for."""

from functools import cache

import numpy as np
import pytest

from hsiclearn._alternation.starts import _complements, cluster_starts
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._objective import ClusterObjective, Guidance
from hsiclearn.datasets import make_two_views
from hsiclearn.kernels import Gaussian, RelativeGaussian


def centered(codes):
    Y = np.eye(codes.max() + 1)[codes]
    return Y - Y.mean(axis=0)


@cache
def problem(d, given=True):
    """100 rows with two views in a plane each, beside noise; unrotated."""
    X, first, second = make_two_views("blobs", 100, n_noise=max(d - 4, 0), rotated=False)
    X = X[:, [0, 2, 1, 3]][:, :d] if d < 4 else X
    guidance = [Guidance(centered(first), 10.0)] if given else []
    return ClusterObjective(X, RelativeGaussian(), 2, guidance), first, second


def starts_of(d, q, given=True, seed=0):
    objective, _, _ = problem(d, given)
    return list(cluster_starts(objective, objective, q, np.random.default_rng(seed)))


@pytest.mark.parametrize("given", [True, False], ids=["given", "free"])
@pytest.mark.parametrize(("d", "q"), [(2, 1), (2, 2), (4, 1), (4, 2), (4, 4), (6, 2), (25, 3)])
def test_orthonormal_bases_of_the_right_shape(d, q, given):
    starts = starts_of(d, q, given)
    for name, W in starts:
        assert W.shape == (d, q), name
        assert np.linalg.norm(W.T @ W - np.eye(q)) <= 1e-10, name
    rules = {name.split("-")[0] for name, _ in starts}
    assert rules >= {"peel", "principal", "local", "random"}
    assert ("discriminant" in rules) == given


def test_the_same_seed_gives_the_same_starts():
    for (one, W), (two, V) in zip(starts_of(6, 2), starts_of(6, 2), strict=True):
        assert one == two
        assert W.tobytes() == V.tobytes()


def test_every_choice_of_few_columns_is_tried_and_none_of_many():
    columns = [name for name, _ in starts_of(4, 2) if name.startswith("columns")]
    assert len(columns) == 6
    assert not any(name.startswith("columns") for name, _ in starts_of(25, 3))


@pytest.mark.parametrize("seed", range(3))
def test_beside_the_given_labels_lies_the_other_view(seed):
    """Two views of the same shape: setting the given one aside leaves the other on top."""
    X, given, alternative = make_two_views("blobs", 200, random_state=seed)
    objective = ClusterObjective(X, RelativeGaussian(), 2, [Guidance(centered(given), 10.0)])
    difference = X[alternative == 1].mean(axis=0) - X[alternative == 0].mean(axis=0)
    direction = difference[:, None] / np.linalg.norm(difference)
    angles = {
        name: np.linalg.norm(direction - W @ (W.T @ direction))
        for name, W in cluster_starts(objective, objective, 2, np.random.default_rng(0))
    }
    beside = [angle for name, angle in angles.items() if "-1-" in name or "complement" in name]
    assert min(beside) <= 0.2  # of a random plane: 0.7


def test_many_classes_leave_room_for_q_directions():
    """More discriminant directions than can be set aside."""
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 10
    X = rng.standard_normal((60, 4)) + rng.standard_normal((10, 4))[codes]
    objective = ClusterObjective(X, Gaussian(1.0), 2, [Guidance(centered(codes), 1.0)])
    for _, W in cluster_starts(objective, objective, 3, rng):
        assert np.linalg.norm(W.T @ W - np.eye(3)) <= 1e-10


def test_principal_directions_are_those_of_the_rows():
    objective, _, _ = problem(25, given=False)
    W = dict(starts_of(25, 3, given=False))["principal"]
    vectors = np.linalg.svd(objective.X - objective.X.mean(axis=0))[2][:3].T
    assert sine_of_largest_angle(vectors, W) <= 1e-8


def test_low_kurtosis_is_where_clusters_are():
    """One column in two clusters among Gaussian ones, whatever the units."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((400, 5))
    X[:, 2] = 0.2 * X[:, 2] + np.where(np.arange(400) % 2, 1.0, -1.0)
    objective = ClusterObjective(X * [1.0, 9.0, 0.1, 3.0, 1.0], Gaussian(1.0), 2)
    starts = dict(cluster_starts(objective, objective, 1, rng))
    assert abs(starts["kurtosis-0-0"][2, 0]) >= 0.99


def test_a_column_that_repeats_another_does_no_harm():
    X, _, _ = make_two_views("blobs", 100)
    X = np.concatenate([X, X[:, :1]], axis=1)
    objective = ClusterObjective(X, RelativeGaussian(), 2)
    for name, W in cluster_starts(objective, objective, 2, np.random.default_rng(0)):
        assert np.linalg.norm(W.T @ W - np.eye(2)) <= 1e-10, name


@pytest.mark.parametrize("rank", [1, 2])
def test_rows_of_fewer_dimensions_than_asked_for(rank):
    """Whitening leaves directions out; a start has q of them all the same."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, rank)) @ rng.standard_normal((rank, 4))
    objective = ClusterObjective(X, RelativeGaussian(), 2)
    for name, W in cluster_starts(objective, objective, 3, rng):
        assert W.shape == (4, 3), name
        assert np.linalg.norm(W.T @ W - np.eye(3)) <= 1e-10, name


def test_rows_in_one_place_have_no_complement():
    """As a half of the rows may be: there is no scale, and nothing to set aside."""
    given = [Guidance(centered(np.arange(10) % 2), 10.0)]
    [(p, B)] = _complements(ClusterObjective(np.ones((10, 4)), Gaussian(1.0), 2, given), 2)
    assert p == 0
    np.testing.assert_array_equal(B, np.eye(4))
