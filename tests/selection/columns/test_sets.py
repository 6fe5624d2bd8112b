"""Sets of columns, from moments to the last exchange."""

import numpy as np
import pytest

from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._selection.columns.moments import ColumnMoments, largest
from hsiclearn._selection.columns.sets import ColumnSearch, ColumnSet
from hsiclearn.datasets import make_planted
from hsiclearn.kernels import Gaussian

D, K = 60, 4
TRUE = list(range(K))


def problem(kind, seed=1, n=250, d=D):
    X, y, W = make_planted(kind, n, d, n_noise=d - K, random_state=seed)
    return X - X.mean(axis=0), supervised_gamma(read_target(y), np.random.default_rng(0)), W


def search_on(kind, **settings):
    X, gamma, W = problem(kind, **settings)
    q = W.shape[1]
    unit = np.sqrt(2.0 * X.var(axis=0).sum() * q / X.shape[1])
    return ColumnSearch(X, gamma, q, [Gaussian(s * unit) for s in (4.0, 1.5, 0.75, 0.4, 0.2)])


def test_the_largest_are_ascending_places_and_of_equals_the_first():
    assert largest(np.array([1.0, 3.0, 3.0, 2.0]), 2).tolist() == [1, 2]
    assert largest(np.array([1.0, 1.0, 1.0]), 2).tolist() == [0, 1]


def test_moments_are_those_of_centred_rows():
    X, gamma, _ = problem("xor")
    found = ColumnMoments(X + 7.0, gamma)
    U, s = gamma.factors(8)
    [M] = found.second[:1]
    np.testing.assert_allclose(M, X.T @ (U[:, 0, None] * X), atol=1e-9)
    np.testing.assert_allclose(
        found.first, X.T @ U * np.sqrt(np.abs(s) / np.abs(s).max()), atol=1e-9
    )


@pytest.mark.parametrize("kind", ["xor", "ring", "product"])
def test_second_moments_propose_most_of_the_true_columns(kind):
    X, gamma, _ = problem(kind)
    best = ColumnMoments(X, gamma).sets(2, K, 1)[0]
    assert np.isin(best, TRUE).sum() >= K - 1


@pytest.mark.parametrize("kind", ["xor", "ring", "product", "sine"])
def test_the_true_set_is_found(kind):
    search = search_on(kind)
    found = search.best(K)
    assert found.columns.tolist() == TRUE
    assert found.mask(D).sum() == K
    np.testing.assert_allclose(found.W.T @ found.W, np.eye(search.q), atol=1e-10)


def test_exchanges_bring_back_a_column_that_was_missed():
    search = search_on("product")
    truth = search.best(K)
    wrong = np.array([0, 1, 2, 40])
    start = ColumnSet(wrong, np.linalg.qr(truth.W)[0], np.inf)
    assert search._exchanged(start).columns.tolist() == TRUE


def test_a_set_is_cut_and_grown_by_importance():
    search = search_on("xor")
    found = search.best(K)
    assert search._cut(found, K).tolist() == TRUE
    assert np.isin(search._cut(found, 2), TRUE).all()
    grown = search._cut(found, K + 3)
    assert grown.size == K + 3
    assert np.isin(TRUE, grown).all()


def test_all_columns_are_a_set_as_well():
    search = search_on("sine", d=8)
    assert search.quickly(8).columns.tolist() == list(range(8))


def test_with_groups_rows_of_a_group_are_left_out_together():
    X, gamma, _ = problem("sine", n=120, d=10)
    groups = np.arange(120) // 2
    found = ColumnSearch(X, gamma, 1, [Gaussian(1.0)], groups).best(K)
    assert found.columns.size == K


@pytest.mark.long
@pytest.mark.parametrize("kind", ["xor", "ring", "product", "sine"])
def test_five_columns_of_a_hundred_in_300_rows(kind):
    X, y, W = make_planted(kind, 300, 100, n_noise=95, random_state=112)
    q, X = W.shape[1], X - X.mean(axis=0)
    gamma = supervised_gamma(read_target(y), np.random.default_rng(0))
    unit = np.sqrt(2.0 * X.var(axis=0).sum() * q / 100)
    kernels = [Gaussian(s * unit) for s in (4.0, 1.5, 0.75, 0.4, 0.2)]
    assert ColumnSearch(X, gamma, q, kernels).best(5).columns.tolist() == [0, 1, 2, 3, 4]
