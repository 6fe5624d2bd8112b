"""Gamma of rows with weights: that of the table in which each stands as often."""

import numpy as np
import pytest

from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn.gamma import ClassTable, GaussianColumn, GaussianColumns, LowRank, Weighted
from naive import assert_close

N = 50
rng = np.random.default_rng(0)
X = rng.standard_normal((N, 2))
V = rng.integers(1, 4, N)
ROWS = np.repeat(np.arange(N), V)
TARGETS = {
    "classes": (np.digitize(X[:, 0], [-0.5, 0.7]), {}),
    "balanced": (np.digitize(X[:, 0], [-0.5, 0.7]), {"class_weight": "balanced"}),
    "real": (X[:, 0], {}),
    "coarse": (np.round(X[:, 0]), {}),
    "several": (X * [1.0, 50.0], {}),
    "multilabel": ((X > 0.3).astype(int), {}),
    "precomputed": (np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2)), {"kind": "precomputed"}),
}


def spread(dense):
    """The Gamma of single rows that a matrix of repeated rows is made of, times the weights."""
    first = np.searchsorted(ROWS, np.arange(N))

    return V[:, None] * dense[np.ix_(first, first)] * V


@pytest.mark.parametrize("name", TARGETS)
def test_it_is_that_of_repeated_rows(name):
    """Shares of classes, means, deviations, the median distance and the rank all count copies."""
    y, how = TARGETS[name]
    many = y[np.ix_(ROWS, ROWS)] if name == "precomputed" else y[ROWS]
    v = V.astype(float)
    weighted = supervised_gamma(read_target(y, row_weights=v, **how), weights=v)
    repeated = supervised_gamma(read_target(many, **how))
    assert isinstance(weighted, Weighted)
    assert weighted.is_centered
    assert_close(weighted.to_dense(), spread(repeated.to_dense()), 1e-10)


@pytest.mark.parametrize("scale", [1.0, 1e-3])
@pytest.mark.parametrize("light", [0.0, 0.02])
def test_cells_are_those_of_repeated_rows(light, scale):
    """Wide cells, narrow ones and far ones, interpolated all; shares of a whole count, too."""
    y = np.concatenate([rng.standard_normal(3000), 40.0 * rng.standard_normal(30)])
    v = rng.integers(1, 4, y.size)
    rows = np.repeat(np.arange(y.size), v)
    first = np.searchsorted(rows, np.arange(y.size))
    weights = scale * v
    weighted = Weighted(GaussianColumn(y, 0.5, light=light, weights=weights), weights)
    repeated = GaussianColumn(y[rows], 0.5, light=light)
    assert weighted.is_centered
    B = rng.standard_normal((y.size, 2))
    expected = weights[:, None] * repeated.apply(B[rows])[first] * scale
    # Shares make other cells; far rows know that their copies are near, which repeated ones do not.
    rtol = 1e-10 if scale == 1.0 and not light else 1e-5 + light
    assert_close(weighted.apply(B), expected, rtol)


def test_components_are_those_of_repeated_rows():
    Y = rng.standard_normal((400, 2))
    v = rng.integers(1, 4, 400).astype(float)
    weighted = Weighted(GaussianColumns(Y, 1.0, rtol=1e-8, weights=v), v)
    K = np.exp(-0.5 * ((Y[:, None] - Y) ** 2).sum(axis=2))
    H = np.eye(400) - v / v.sum()
    expected = v[:, None] * (H @ K @ H.T) * v
    assert_close(weighted.to_dense(), expected, 1e-4)
    assert_close(weighted.apply(np.eye(400)), expected, 1e-3)
    assert weighted.is_centered
    assert np.abs(weighted.apply(np.ones((400, 1)))).max() < 1e-6 * np.abs(expected).sum(0).max()


def test_a_sum_is_centred_by_weights_where_its_terms_are():
    v, codes = V.astype(float), TARGETS["classes"][0]
    terms = ClassTable.centered(codes, row_weights=v) + LowRank.centered(X, v)
    gamma = Weighted(terms, v)
    assert gamma.is_centered
    assert gamma.is_psd
    assert not Weighted(ClassTable.centered(codes) + LowRank.centered(X), v).is_centered
    part = gamma.centered_on(np.arange(20))
    assert part.is_centered
    assert_close(part.apply(np.ones((20, 1))), np.zeros((20, 1)), 1e-12, scale=1.0)
    assert_close((U := gamma.factors(N))[0] * U[1] @ U[0].T, gamma.to_dense(), 1e-12)
