"""The part of each column in a subspace."""

import numpy as np
import pytest

from hsiclearn._linalg import column_importances, column_weights, deviations_of


def test_it_is_the_formula_and_the_same_for_every_basis():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 4)) * [1.0, 2.0, 0.5, 1.0]
    W = np.linalg.qr(rng.standard_normal((4, 2)))[0]
    sd, S = X.std(axis=0), np.cov(X @ W, rowvar=False, bias=True)
    found = column_weights(W, X @ W, sd)
    np.testing.assert_allclose(found, [sd[j] ** 2 * (W @ S @ W.T)[j, j] for j in range(4)])
    R = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    np.testing.assert_allclose(column_weights(W @ R, X @ W @ R, sd), found)


@pytest.mark.parametrize("q", [1, 2])
def test_weights_are_repeated_rows(q):
    rng = np.random.default_rng(1)
    X, times = rng.standard_normal((9, 4)) + 3.0, np.array([1, 2, 1, 3, 1, 4, 0, 1, 2])
    W = np.linalg.qr(rng.standard_normal((4, q)))[0]
    repeated, v = np.repeat(X, times, axis=0), 0.5 * times
    sd = repeated.std(axis=0)
    np.testing.assert_allclose(deviations_of(X, v), sd, rtol=1e-13)
    np.testing.assert_array_equal(deviations_of(repeated), sd)
    found = column_weights(W, X @ W, sd, times.astype(float))
    np.testing.assert_allclose(found, column_weights(W, repeated @ W, sd), rtol=1e-12)
    S = np.atleast_2d(np.cov(repeated @ W, rowvar=False, bias=True))
    shares = column_importances(W, S, sd)
    np.testing.assert_allclose(shares, found / found.sum(), rtol=1e-12)


def test_where_nothing_varies_no_column_has_a_part():
    W = np.eye(3, 2)
    np.testing.assert_array_equal(column_importances(W, np.zeros((2, 2)), np.ones(3)), 0.0)
    np.testing.assert_array_equal(column_importances(W, np.eye(2), np.ones(3)), [0.5, 0.5, 0.0])
    tiny = column_importances(W, -1e-20 * np.eye(2), np.ones(3))  # a variance by rounding
    np.testing.assert_array_equal(tiny, 0.0)
