"""Landmarks: which rows they are, and how an answer on them becomes one of all rows."""

from dataclasses import replace

import numpy as np
import pytest

from clusterings import two_views
from hsiclearn._alternation import (
    ClusterProblem,
    ClusterSettings,
    Exact,
    landmarks,
    project_rows,
    takes_landmarks,
)
from hsiclearn._alternation.landmarks import OnLandmarks, choose_landmarks
from hsiclearn._alternation.strategies import OnAllRows
from hsiclearn._objective import Guidance
from hsiclearn.kernels import RelativeGaussian
from naive import assert_close

X, GIVEN, _ = two_views(n_samples=400)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 100)
    monkeypatch.setattr(landmarks, "_ALL_PAIRS_UP_TO", 300)


def problem(normalize="degree", engine="auto", X=X):
    settings = ClusterSettings(init="identity", normalize=normalize, engine=engine)
    kernel = RelativeGaussian(10, floor=1.0)
    return ClusterProblem(X=X, kernel=kernel, n_clusters=2, n_components=2, settings=settings)


def carried(normalize="degree"):
    """A fit on the landmarks made one of all rows; the fit itself, and which these are."""
    whole = problem(normalize)
    index, _ = choose_landmarks(400, [], np.random.default_rng(0))
    found = Exact().fit(whole.take(index), np.random.default_rng(0))
    return OnLandmarks(Exact()).fit(whole, np.random.default_rng(0)), found, index


@pytest.mark.parametrize(
    ("engine", "n", "expected"),
    [
        ("auto", 300, False),
        ("auto", 301, True),
        ("landmarks", 10, True),
        ("tiled", 9**9, False),
        ("dense", 9**9, False),
    ],
)
def test_who_takes_landmarks(engine, n, expected):
    assert takes_landmarks("exact", engine, n) is expected


def test_two_disjoint_samples_in_order(rng):
    index, others = choose_landmarks(1000, [], rng)
    assert index.size == others.size == 100
    assert np.all(np.diff(index) > 0)
    assert np.intersect1d(index, others).size == 0


def test_of_few_rows_all_are_landmarks(rng):
    index, others = choose_landmarks(60, [], rng)
    np.testing.assert_array_equal(index, np.arange(60))
    np.testing.assert_array_equal(others, np.arange(60))


def test_rows_that_are_labelled_come_first(rng):
    codes = np.full(1000, -1)
    labelled = rng.choice(1000, 40, replace=False)
    codes[labelled] = np.arange(40) % 2
    assert np.isin(labelled, choose_landmarks(1000, [codes], rng)[0]).all()


def test_they_take_half_of_the_landmarks_at_most_and_no_class_is_lost(rng):
    codes = np.where(np.arange(1000) < 500, 0, -1)
    codes[7] = 1
    index, _ = choose_landmarks(1000, [codes], rng)
    assert np.count_nonzero(codes[index] >= 0) < 85  # 50, and half of the other 50
    assert 7 in index


def test_every_class_of_every_labelling_has_a_landmark(rng):
    one, two = np.zeros(1000, dtype=int), np.arange(1000) % 3
    one[[3, 5]] = 1
    two[11] = 3
    index, _ = choose_landmarks(1000, [one, two], rng)
    assert set(one[index]) == {0, 1}
    assert set(two[index]) == {0, 1, 2, 3}


def test_guidance_is_centred_on_the_landmarks(rng):
    U = np.eye(2)[GIVEN] - np.eye(2)[GIVEN].mean(axis=0)
    index, _ = choose_landmarks(400, [GIVEN], rng)
    (term,) = replace(problem(), guidance=(Guidance(U, 3.0),)).take(index).guidance
    assert term.U.shape == (100, 2)
    assert np.all(np.abs(term.U.sum(axis=0)) < 1e-12)


def test_a_fit_carried_to_all_rows():
    fit, found, index = carried()
    assert fit.labels.shape == (400,)
    np.testing.assert_array_equal(fit.labels[index], found.labels)
    np.testing.assert_array_equal(fit.rows, X[index])
    # Landmarks keep their embedding, but for the length of its columns.
    assert_close(fit.embedding[index], 0.5 * found.embedding, 1e-6)
    assert_close(np.linalg.norm(fit.embedding, axis=0), np.ones(2), 100**-0.5)
    result = fit.result
    assert (result.engine, result.certificate.engine) == ("landmarks", "landmarks")
    assert "100 landmarks of 400 rows" in result.engine_reason
    assert result.cost == found.result.cost


def test_the_error_is_an_estimate():
    error = carried()[0].result.engine_error
    assert 0.0 < error.relative < 0.1
    assert not error.guaranteed
    assert np.isnan(error.angle)
    assert error.n_features == 100


def test_all_rows_as_landmarks_have_no_error(rng, monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 400)
    fit = OnLandmarks(Exact()).fit(problem(engine="landmarks"), rng)
    assert fit.result.engine_error.relative < 1e-5


def test_a_cost_that_grows_with_the_rows_is_scaled():
    fit, found, _ = carried(normalize="none")
    assert_close(fit.result.cost, 4.0 * found.result.cost, 1e-12)
    assert fit.result.history[-1].cost == fit.result.cost
    assert_close(fit.graph_eigenvalues, 4.0 * found.graph_eigenvalues, 1e-12)


def test_all_rows_are_as_they_were(rng):
    fit = OnAllRows(Exact()).fit(problem(engine="dense"), rng)
    assert np.shares_memory(fit.rows, X)
    assert fit.labels is fit.labelling.labels
    assert fit.embedding.shape == (400, 2)
    assert fit.result.engine_error.guaranteed


def test_projections_in_blocks(monkeypatch):
    monkeypatch.setattr("hsiclearn._rows._base._NUMBERS", 4 * 33)
    W = np.eye(4)[:, :2]
    assert_close(project_rows(X.astype(np.float32), W), X.astype(np.float32)[:, :2], 1e-15)
