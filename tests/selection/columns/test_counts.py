"""How many columns."""

import numpy as np
import pytest

from hsiclearn import FeaturePath, feature_path
from hsiclearn._selection.columns import CountPath
from hsiclearn._selection.columns.counts import counts_beside, counts_between
from hsiclearn.datasets import make_planted


def test_counts_fall_by_a_third_and_end_at_the_directions():
    assert counts_between(30, 2) == [30, 20, 13, 9, 6, 4, 3, 2]
    assert counts_between(2, 2) == [2]
    assert counts_between(3, 1) == [3, 2, 1]
    assert counts_between(700, 200) == [500, 333, 222, 200]


def test_of_level_counts_the_smallest_is_chosen():
    rng = np.random.default_rng(0)
    base = rng.uniform(0.0, 0.01, 100)
    path = CountPath.of({8: base + 0.002, 4: base * 1.001, 2: base * 1.005, 1: base + 0.01})
    assert path.counts.tolist() == [8, 4, 2, 1]
    assert path.chosen == 2
    assert path.errors[1] == 0.0


def test_a_smaller_count_that_is_worse_is_not():
    base = np.full(100, 0.005)
    assert CountPath.of({8: base, 4: base * 1.1}).chosen == 8


def test_counts_between_the_neighbours_of_the_best():
    path = CountPath(np.array([9, 6, 4, 2]), np.array([0.9, 0.1, 0.5, 0.8]), np.zeros(4))
    assert counts_beside(path) == [8, 7, 5]
    assert counts_beside(CountPath(np.array([3, 2]), np.array([0.1, 0.9]), np.zeros(2))) == []


X, y, _ = make_planted("xor", 160, 12, n_noise=8, random_state=1)


@pytest.fixture(scope="module")
def path():
    return feature_path(X, y, counts=(12, 4, 2))


def test_a_path_has_a_loss_and_a_set_for_each_count(path):
    assert isinstance(path, FeaturePath)
    assert path.counts.tolist() == [12, 4, 2]
    assert path.supports.sum(axis=1).tolist() == [12, 4, 2]
    np.testing.assert_allclose(path.frequencies.sum(axis=1), path.counts)
    np.testing.assert_allclose(path.explained_share, 1.0 - path.held_out)
    assert path.counts[path.best] == 4
    assert path.supports[1, :4].sum() >= 3


def test_of_a_permuted_target_nothing_is_explained():
    path = feature_path(X, np.random.default_rng(0).permutation(y), counts=(4, 2))
    assert path.explained_share.max() < 0.03


def test_a_constant_column_is_in_no_set():
    path = feature_path(np.insert(X[:80], 3, 1.0, axis=1), y[:80], counts=(4, 3))
    assert path.supports.shape == (2, 13)
    assert not path.supports[:, 3].any()


@pytest.mark.parametrize("counts", [(1,), (13,), (2.5,), [[2, 3]]])
def test_counts_that_cannot_be(counts):
    with pytest.raises(ValueError, match=r"`counts` must be integers in 2 \.\. 12"):
        feature_path(X, y, counts=counts)


@pytest.mark.parametrize("q", [0, 13, 1.5])
def test_directions_that_cannot_be(q):
    with pytest.raises(ValueError, match=r"`n_components` must be an integer in 1 \.\. 12"):
        feature_path(X, y, n_components=q)


wide = np.random.default_rng(0).standard_normal((40, 510))


@pytest.mark.parametrize("counts", [(505, 10), (510, 10)])
def test_of_many_columns_no_count_is_larger_than_what_is_looked_at(counts):
    with pytest.raises(ValueError, match=r"Of 510 columns that vary 500 are looked at together"):
        feature_path(wide, wide[:, 0], n_components=1, counts=counts)


@pytest.mark.long
def test_every_set_is_as_large_as_its_count():
    path = feature_path(wide, wide[:, 0], n_components=1, counts=(500, 10))
    assert path.supports.sum(axis=1).tolist() == [500, 10]
