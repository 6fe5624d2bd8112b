"""Tables with two clusterings in them."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn.datasets import make_two_views

KINDS = ["blobs", "moons", "rings"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("k", "n_noise"), [(2, 0), (3, 2), (4, 1)])
def test_shapes_and_labels(kind, k, n_noise):
    X, given, alternative = make_two_views(kind, 101, k, n_noise=n_noise)
    assert X.shape == (101, 4 + n_noise)
    assert X.dtype == np.float64
    for labels in (given, alternative):
        assert labels.shape == (101,)
        assert np.unique(labels).tolist() == list(range(k))
        assert np.ptp(np.bincount(labels)) <= 1


def test_proportions():
    _, given, alternative = make_two_views("blobs", 200, 3, proportions=[1, 2, 7])
    for labels in (given, alternative):
        assert np.bincount(labels).tolist() == [20, 40, 140]


@pytest.mark.parametrize("kind", KINDS)
def test_planes_and_noise_have_unit_variance(kind):
    X = make_two_views(kind, 2000, n_noise=2, noise="uniform", rotated=False).X
    np.testing.assert_allclose(X[:, :4].mean(axis=0), 0.0, atol=1e-12)
    for plane in (X[:, :2], X[:, 2:4]):
        assert plane.var(axis=0).mean() == pytest.approx(1.0)
    np.testing.assert_allclose(X[:, 4:].var(axis=0), 1.0, rtol=0.1)
    assert np.abs(X[:, 4:]).max() <= np.sqrt(3.0)


def test_a_rotation_keeps_distances():
    rotated, plain = (
        make_two_views("moons", 50, n_noise=1, rotated=turned).X for turned in (True, False)
    )
    np.testing.assert_allclose(rotated @ rotated.T, plain @ plain.T, atol=1e-12)
    assert np.abs(rotated - plain).max() > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_bytes(kind):
    one, two, other = (make_two_views(kind, 60, random_state=seed) for seed in (3, 3, 4))
    for a, b in zip(one, two, strict=True):
        assert a.tobytes() == b.tobytes()
    assert one.X.tobytes() != other.X.tobytes()
    generator = make_two_views(kind, 60, random_state=np.random.default_rng(3))
    assert generator.X.tobytes() == one.X.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_the_views_are_independent(seed):
    _, given, alternative = make_two_views("blobs", 600, 3, random_state=seed)
    assert normalized_mutual_info_score(given, alternative) <= 0.02


def test_each_plane_carries_its_own_labels():
    X, given, alternative = make_two_views("blobs", 300, 3, rotated=False)
    for plane, labels in ((X[:, :2], given), (X[:, 2:], alternative)):
        found = KMeans(3, n_init=5, random_state=0).fit_predict(plane)
        assert normalized_mutual_info_score(labels, found) >= 0.95


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "spirals"}, r"`kind` must be one of .*'blobs'.*Got kind='spirals'"),
        ({"noise": "pink"}, r"`noise` 'gaussian' or 'uniform'.*noise='pink'"),
        ({"n_clusters": 1}, r"Need n_clusters >= 2.*Got n_clusters=1"),
        ({"n_clusters": 3, "proportions": [1, 2]}, r"one positive share per cluster.*1.0, 2.0"),
        ({"proportions": [-1, 2]}, r"one positive share per cluster"),
        ({"n_samples": 3}, r"Need n_samples >= 2 n_clusters.*Got n_samples=3"),
        ({"n_noise": -1}, r"n_noise >= 0.*n_noise=-1"),
    ],
)
def test_errors(settings, message):
    with pytest.raises(ValueError, match=message):
        make_two_views(**settings)
