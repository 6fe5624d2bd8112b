"""Sliced inverse regression."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.utils.estimator_checks import check_estimator

from hsiclearn.datasets import make_planted
from hsiclearn_benchmarks.quality.rivals import SlicedInverseRegression


def angle(W, model):
    return np.degrees(subspace_angles(W, model.components_.T)[0])


@pytest.mark.parametrize("kind", ["step", "sectors"])
def test_classes_are_slices(kind):
    X, y, W = make_planted(kind, 3000, 6)
    X = X * np.array([1.0, 2.0, 5.0, 1.0, 1.0, 0.1])  # a scale is undone
    truth = W / np.array([1.0, 2.0, 5.0, 1.0, 1.0, 0.1])[:, None]
    model = SlicedInverseRegression(W.shape[1]).fit(X, y)
    assert angle(truth, model) < 5.0


def test_numbers_are_cut_into_slices():
    X, _, W = make_planted("step", 2000, 6)
    y = np.exp(X @ W[:, 0]) + 0.1 * np.random.default_rng(0).standard_normal(2000)
    model = SlicedInverseRegression(1).fit(X, y)
    assert angle(W, model) < 4.0
    np.testing.assert_allclose(model.transform(X).std(axis=0), 1.0, rtol=1e-5)


def test_no_more_directions_than_slices_less_one():
    X, y, _ = make_planted("step", 100, 6)
    assert SlicedInverseRegression(4).fit_transform(X, y).shape == (100, 1)


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 10)
    X = rng.standard_normal((30, 80)) + 3.0 * np.eye(80)[y]
    scores = SlicedInverseRegression(2).fit_transform(X, y)
    centres = np.array([scores[y == label].mean(axis=0) for label in range(3)])
    nearest = np.linalg.norm(scores[:, None] - centres, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest, y)


def test_one_class_has_no_directions():
    with pytest.raises(ValueError, match="Got 1 from 20 rows"):
        SlicedInverseRegression().fit(np.eye(20), np.zeros(20, dtype=int))


def test_it_is_an_estimator():
    check_estimator(SlicedInverseRegression(1), on_skip=None)
