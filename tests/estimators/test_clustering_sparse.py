"""Sparse rows are clustered as the same rows written out."""

import re

import numpy as np
import pytest
from scipy import sparse

from clusterings import ESTIMATORS, guide_of
from hsiclearn import UnsupervisedHSIC, find_views
from hsiclearn._alternation import landmarks

rng = np.random.default_rng(0)
N = 60
CODES = np.arange(N) % 2
X = np.where(rng.random((N, 6)) < 0.4, rng.standard_normal((N, 6)), 0.0)
X[:, 0] += 6.0 * CODES
WIDE = np.concatenate([X, np.where(rng.random((N, 120)) < 0.05, 1.0, 0.0)], axis=1)
SETTINGS = {"n_components": 1, "kernel": "gaussian", "bandwidth": 2.0, "init": "identity"}


def assert_same(model, dense):
    np.testing.assert_array_equal(model.labels_, dense.labels_)
    np.testing.assert_allclose(model.components_, dense.components_, atol=1e-9)
    np.testing.assert_allclose(model.mean_, dense.mean_, atol=1e-12)
    assert model.agreement_ == dense.agreement_


@pytest.mark.parametrize("name", ESTIMATORS)
def test_all_rows(name):
    y = guide_of(name, np.arange(N) // 2 % 2 if name == "alternative" else CODES)
    dense = ESTIMATORS[name](**SETTINGS).fit(X, y)
    rows = sparse.coo_array(X)
    model = ESTIMATORS[name](**SETTINGS).fit(rows, y)
    assert_same(model, dense)
    np.testing.assert_array_equal(model.predict(rows), dense.predict(X))
    np.testing.assert_allclose(model.transform(rows), dense.transform(X), atol=1e-9)


def test_landmarks(monkeypatch):
    """Only the landmarks are written out."""
    monkeypatch.setattr(landmarks, "_LANDMARKS", 40)
    settings = SETTINGS | {"engine": "landmarks"}
    dense = UnsupervisedHSIC(**settings).fit(X)
    assert_same(UnsupervisedHSIC(**settings).fit(sparse.csr_array(X)), dense)
    single = UnsupervisedHSIC(**settings).fit(sparse.csr_array(X.astype(np.float32)))
    np.testing.assert_array_equal(single.labels_, dense.labels_)


def test_more_columns_than_rows():
    dense = UnsupervisedHSIC(**SETTINGS).fit(WIDE)
    assert_same(UnsupervisedHSIC(**SETTINGS).fit(sparse.csc_matrix(WIDE)), dense)


def test_views():
    views = find_views(sparse.csr_array(X), 2, given=CODES, **SETTINGS)
    assert [view.labels_.shape for view in views] == [(N,), (N,)]


@pytest.mark.parametrize(("engine", "rows"), [("auto", 2000), ("landmarks", 2000), ("auto", 10**6)])
def test_what_would_be_too_large_is_refused_with_a_remedy(engine, rows):
    huge = sparse.csr_array(([1.0, 2.0], ([0, 1], [0, 1])), shape=(rows, 10**6))
    solved_on = min(rows, 4000)
    message = f"{solved_on} rows by 1000000 columns are {solved_on * 1e6 / 2**27:.1f} GiB"
    with pytest.raises(ValueError, match=re.escape(message) + ".*TruncatedSVD"):
        UnsupervisedHSIC(engine=engine).fit(huge)


@pytest.mark.parametrize(("value", "message"), [(np.nan, "NaN"), (1e160, "largest entry seen is")])
def test_bad_entries_are_refused_as_in_a_table(value, message):
    bad = X.copy()
    bad[3, 1] = value
    with pytest.raises(ValueError, match=message):
        UnsupervisedHSIC().fit(sparse.csr_array(bad))
