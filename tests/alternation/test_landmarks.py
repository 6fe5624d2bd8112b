"""Landmarks: which rows they are, and how an answer on them becomes one of all rows."""

import numpy as np
import pytest

from clusterings import two_views
from hsiclearn._alternation import (
    AllRows,
    ClusterSettings,
    blocks,
    choose_landmarks,
    fit_clusters,
    landmarks,
    project_rows,
    takes_landmarks,
)
from hsiclearn._objective import Guidance
from hsiclearn.kernels import RelativeGaussian
from naive import assert_close

X, GIVEN, _ = two_views(n_samples=400)
ALL = np.ones(4, dtype=bool)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 100)
    monkeypatch.setattr(landmarks, "_ALL_PAIRS_UP_TO", 300)


def solved(sample, rng, normalize="degree"):
    settings = ClusterSettings(init="identity", normalize=normalize)
    kernel = RelativeGaussian(10, floor=1.0)
    return fit_clusters(sample.rows(X), kernel, 2, 2, [], settings, rng)


@pytest.mark.parametrize(
    ("engine", "n", "expected"),
    [
        ("auto", 300, False),
        ("auto", 301, True),
        ("nystrom", 10, True),
        ("tiled", 9**9, False),
        ("dense", 9**9, False),
    ],
)
def test_who_takes_landmarks(engine, n, expected):
    assert takes_landmarks(engine, n) is expected


def test_two_disjoint_samples_in_order(rng):
    sample = choose_landmarks("auto", 1000, [], rng)
    assert sample.index.size == sample.others.size == 100
    assert np.all(np.diff(sample.index) > 0)
    assert np.intersect1d(sample.index, sample.others).size == 0


def test_of_few_rows_all_are_landmarks(rng):
    sample = choose_landmarks("nystrom", 60, [], rng)
    np.testing.assert_array_equal(sample.index, np.arange(60))
    np.testing.assert_array_equal(sample.others, np.arange(60))


def test_rows_that_are_labelled_come_first(rng):
    codes = np.full(1000, -1)
    labelled = rng.choice(1000, 40, replace=False)
    codes[labelled] = np.arange(40) % 2
    sample = choose_landmarks("auto", 1000, [codes], rng)
    assert np.isin(labelled, sample.index).all()


def test_they_take_half_of_the_landmarks_at_most_and_no_class_is_lost(rng):
    codes = np.where(np.arange(1000) < 500, 0, -1)
    codes[7] = 1
    sample = choose_landmarks("auto", 1000, [codes], rng)
    of_the_sample = codes[sample.index]
    assert np.count_nonzero(of_the_sample >= 0) < 85  # 50, and half of the other 50
    assert 7 in sample.index


def test_every_class_of_every_labelling_has_a_landmark(rng):
    one, two = np.zeros(1000, dtype=int), np.arange(1000) % 3
    one[[3, 5]] = 1
    two[11] = 3
    sample = choose_landmarks("auto", 1000, [one, two], rng)
    assert set(one[sample.index]) == {0, 1}
    assert set(two[sample.index]) == {0, 1, 2, 3}


def test_guidance_is_centred_on_the_landmarks(rng):
    U = np.eye(2)[GIVEN] - np.eye(2)[GIVEN].mean(axis=0)
    (term,) = choose_landmarks("auto", 400, [GIVEN], rng).guidance([Guidance(U, 3.0)])
    assert term.U.shape == (100, 2)
    assert np.all(np.abs(term.U.sum(axis=0)) < 1e-12)


def test_a_fit_carried_to_all_rows(rng):
    sample = choose_landmarks("auto", 400, [], rng)
    found = solved(sample, rng)
    carried = sample.carry(found, X, ALL, [])
    assert carried.labels.shape == (400,)
    np.testing.assert_array_equal(carried.labels[sample.index], found.labels)
    # Landmarks keep their embedding, but for the length of its columns.
    assert_close(carried.embedding[sample.index], 0.5 * found.embedding, 1e-6)
    assert_close(np.linalg.norm(carried.embedding, axis=0), np.ones(2), 0.05)
    result = carried.result
    assert (result.engine, result.certificate.engine) == ("nystrom", "nystrom")
    assert "100 landmarks of 400 rows" in result.engine_reason
    assert result.cost == found.result.cost


def test_the_error_is_an_estimate(rng):
    sample = choose_landmarks("auto", 400, [], rng)
    error = sample.carry(solved(sample, rng), X, ALL, []).result.engine_error
    assert 0.0 < error.relative < 0.1
    assert not error.guaranteed
    assert np.isnan(error.angle)
    assert error.n_features == 100


def test_all_rows_as_landmarks_have_no_error(rng, monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 400)
    sample = choose_landmarks("nystrom", 400, [], rng)
    assert sample.carry(solved(sample, rng), X, ALL, []).result.engine_error.relative < 1e-5


def test_a_cost_that_grows_with_the_rows_is_scaled(rng):
    sample = choose_landmarks("auto", 400, [], rng)
    found = solved(sample, rng, normalize="none")
    carried = sample.carry(found, X, ALL, [])
    assert_close(carried.result.cost, 4.0 * found.result.cost, 1e-12)
    assert carried.result.history[-1].cost == carried.result.cost
    assert_close(carried.graph_eigenvalues, 4.0 * found.graph_eigenvalues, 1e-12)


def test_all_rows_are_as_they_were(rng):
    sample = AllRows("dense", 400)
    found = solved(sample, rng)
    carried = sample.carry(found, X, ALL, [])
    assert sample.rows(X) is X
    assert carried.embedding is found.embedding
    assert carried.labels is found.labels
    assert carried.result.engine_error.guaranteed


def test_projections_in_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 4 * 33)
    W = np.eye(4)[:, :2]
    assert_close(project_rows(X.astype(np.float32), W), X.astype(np.float32)[:, :2], 1e-15)
