"""The shrunk covariance against scikit-learn's, of every kind of rows; rows in its metric."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.covariance import ledoit_wolf

from hsiclearn._rows import TurnedRows, as_rows, inverse_root, shrunk_covariance

rng = np.random.default_rng(0)
TABLES = {
    "long": rng.standard_normal((500, 6)) @ rng.standard_normal((6, 6)) + 3.0,
    "wide": rng.standard_normal((20, 50)),
    "sparse": sparse.random_array((300, 12), density=0.2, random_state=rng, format="csr"),
    "short": rng.standard_normal((2, 3)),
}


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


@pytest.fixture(params=TABLES)
def X(request):
    return TABLES[request.param]


def test_it_is_ledoit_and_wolfs(X):
    np.testing.assert_allclose(shrunk_covariance(as_rows(X)), ledoit_wolf(dense(X))[0], atol=1e-12)


def test_equal_columns_of_equal_variance_are_shrunk_to_the_identity():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    np.testing.assert_allclose(shrunk_covariance(as_rows(X)), 0.5 * np.eye(2))


@pytest.mark.parametrize("X", [TABLES[k] for k in ("long", "wide", "sparse")])
def test_rows_in_its_metric_have_the_identity(X):
    S = shrunk_covariance(as_rows(X))
    B = inverse_root(S)
    np.testing.assert_allclose(B @ S @ B, np.eye(S.shape[0]), atol=1e-9)
    np.testing.assert_allclose(B, B.T, atol=1e-12)


def test_turned_rows_are_those_of_the_product(X):
    B = rng.standard_normal((X.shape[1], 4))
    expected = dense(X) @ B
    mean = expected.mean(axis=0)
    index = np.array([0, 1, X.shape[0] - 1])
    for rows in (as_rows(X).turned(B), TurnedRows(as_rows(X), B)):
        assert rows.shape == expected.shape
        np.testing.assert_allclose(np.concatenate([b for _, b in rows.chunks(3)]), expected)
        np.testing.assert_allclose(rows.take(index), expected[index])
        np.testing.assert_allclose(rows.subset(index).take(np.arange(3)), expected[index])
        np.testing.assert_allclose(rows.from_mean().take(index), expected[index] - mean, atol=1e-12)
        np.testing.assert_allclose(rows.gram(), expected.T @ expected)
        np.testing.assert_allclose(rows @ np.eye(4), expected)


def test_few_rows_in_memory_are_written_out_and_others_are_not(monkeypatch):
    rows = as_rows(TABLES["long"])
    assert not isinstance(rows.turned(np.eye(6)), TurnedRows)
    monkeypatch.setattr("hsiclearn._rows.tables._LITTLE", 100)
    assert isinstance(rows.turned(np.eye(6)), TurnedRows)
    assert isinstance(as_rows(TABLES["sparse"]).turned(np.eye(12)), TurnedRows)


def test_rows_in_single_precision_stay_so():
    X = TABLES["long"].astype(np.float32)
    for rows in (as_rows(X).turned(np.eye(6)), TurnedRows(as_rows(X), np.eye(6))):
        assert rows.dtype == np.float32
        assert next(rows.chunks())[1].dtype == np.float32
