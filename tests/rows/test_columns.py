"""Some columns of rows of every form, and how far columns spread."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn._rows import as_rows, column_deviations

X = np.random.default_rng(0).standard_normal((40, 6)) * np.arange(1, 7) + 3.0
FORMS = {
    "array": lambda: X,
    "sparse": lambda: sparse.csr_array(X),
    "stream": lambda: lambda: iter([X[:15], X[15:]]),
    "sparse stream": lambda: lambda: iter([sparse.csr_array(X)]),
}


@pytest.mark.parametrize("form", FORMS)
def test_columns_of_columns(form):
    first, second = np.array([1, 0, 1, 1, 0, 1], bool), np.array([0, 1, 1, 0], bool)
    rows = as_rows(FORMS[form]()).keep_columns(first).keep_columns(second)
    assert rows.shape == (40, 2)
    np.testing.assert_allclose(rows.take(np.arange(40)), X[:, [2, 3]])


@pytest.mark.parametrize("form", FORMS)
def test_deviations(form):
    rows = as_rows(FORMS[form]())
    np.testing.assert_allclose(column_deviations(rows, X.mean(axis=0)), X.std(axis=0))
