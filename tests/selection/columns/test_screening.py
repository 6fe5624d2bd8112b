"""Very many columns, of which some are looked at."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import SupervisedHSIC, feature_path
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import SparseRows
from hsiclearn._selection.columns import screening
from hsiclearn._selection.columns.screening import ranked_columns, telling_columns
from hsiclearn.datasets import make_planted

K = 4


def gamma_of(y):
    return supervised_gamma(read_target(y), np.random.default_rng(0))


def test_the_telling_ones_are_kept():
    X, y, _ = make_planted("xor", 300, 200, n_noise=196, random_state=1)
    assert telling_columns(X, gamma_of(y), 500).size == 200
    assert np.isin(range(K), telling_columns(X, gamma_of(y), 40)).sum() >= K - 1


def test_of_very_many_few_are_paired(monkeypatch):
    monkeypatch.setattr(screening, "MOST_PAIRED", 60)
    X, y, W = make_planted("ring", 400, 200, n_noise=196, random_state=1)
    gamma = gamma_of(y)
    found = telling_columns(X, gamma, 20)
    assert found.size == 20
    # Those with most of the truth: what hardly tells by itself may be lost.
    assert np.isin(np.argsort(-np.square(W).sum(axis=1))[:2], found).all()
    assert np.isin(found, ranked_columns(X, gamma, 60)).all()


def test_moments_of_their_own_by_hand():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 50)) + 3.0
    y = X[:, 7] + np.square(X[:, 11] - 3.0)
    gamma = gamma_of(y)
    assert ranked_columns(X, gamma, 2).tolist() == [7, 11]
    U, s = gamma.factors(8)
    U, sizes = (
        U[:, np.abs(s) > 0.02 * np.abs(s).max()],
        np.abs(s)[np.abs(s) > 0.02 * np.abs(s).max()],
    )
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    ranks = [np.argsort(np.argsort(-(np.square(part.T @ U) @ sizes))) for part in (Z, np.square(Z))]
    expected = np.sort(np.argsort(np.minimum(*ranks), kind="stable")[:10])
    np.testing.assert_array_equal(ranked_columns(X, gamma, 10), expected)


def test_sparse_rows_rank_columns_as_dense_ones_do():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 50)) * (rng.random((200, 50)) < 0.2)
    X[:, 3] = 0.0
    gamma = gamma_of(X[:, 7] + np.square(X[:, 11]))
    found = ranked_columns(sparse.csr_array(X), gamma, 10)
    np.testing.assert_array_equal(found, ranked_columns(X, gamma, 10))
    assert np.isin([7, 11], found).all()
    assert 3 not in found


@pytest.fixture
def table(monkeypatch):
    """Sparse rows of many columns, and the widths of what is made dense of them."""
    monkeypatch.setattr(screening, "MOST_PAIRED", 20)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 400)) * (rng.random((100, 400)) < 0.3)
    widths, take = [], SparseRows.take

    def seen(self, index):
        widths.append(self.n_features)
        return take(self, index)

    monkeypatch.setattr(SparseRows, "take", seen)
    return sparse.csr_array(X), X[:, 0] + X[:, 300], widths


@pytest.mark.long
@pytest.mark.parametrize(
    "settings", [{}, {"bandwidth": 1.0}, {"n_features_to_select": "auto", "bandwidth": 1.0}]
)
def test_few_columns_of_sparse_rows_are_made_dense(table, settings):
    X, y, widths = table
    settings = {"n_features_to_select": 2} | settings
    model = SupervisedHSIC(1, objective="dependence", **settings).fit(X, y)
    assert {0, 300} <= set(model.get_support(indices=True))
    assert model.components_.shape == (1, 400)
    assert max(widths) <= 4 * 20  # of all rows, and of each of three splits


def test_a_path_is_in_all_columns(table):
    X, y, widths = table
    path = feature_path(X, y, n_components=1, counts=(5, 2))
    assert path.supports.shape == (2, 400)
    assert np.flatnonzero(path.supports[1]).tolist() == [0, 300]
    assert max(widths) <= 4 * 20


def test_each_split_ranks_without_the_rows_it_holds_out(table):
    """Among the columns of all it finds those it would have found alone."""
    from hsiclearn._selection import SupervisedData
    from hsiclearn._selection.columns.screening import dense_columns
    from hsiclearn.kernels import Gaussian

    X, y, _ = table
    target = read_target(y)
    data = SupervisedData(
        SparseRows(X), target, gamma_of(y), Gaussian, np.random.default_rng(0), keep_columns=True
    )
    narrow, basis = dense_columns(data, holds_out=True)
    places = np.flatnonzero(basis.lift(np.ones((narrow.rows.n_features, 1)))[:, 0])
    for train, _ in narrow.splits:
        gamma = narrow.sample.gamma.centered_on(train)
        alone = ranked_columns(X.toarray()[narrow.index[train]], gamma, 20)
        among = ranked_columns(narrow.sample.X[train], gamma, 20)
        np.testing.assert_array_equal(places[among], alone)
