"""Sparse rows: the same numbers as dense ones."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import cka, hsic, hsic_test
from hsiclearn.kernels import Gaussian, Linear, Polynomial, RelativeGaussian

_RNG = np.random.default_rng(0)
DENSE = _RNG.standard_normal((90, 12)) * (_RNG.random((90, 12)) < 0.3)
DENSE[:, 3] = 1000.0 + _RNG.standard_normal(90)  # a year: no zeros, far from 0
X = sparse.csr_array(DENSE)
Y = DENSE[:, 0] ** 2 + 0.1 * _RNG.standard_normal(90)
KERNELS = ["auto", "linear", "squared", "cauchy", Polynomial(2), Gaussian(1.0) + 0.5 * Linear()]


@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_values_are_those_of_dense_rows(kernel, engine):
    settings = {"kernel_x": kernel, "engine": engine}
    for estimator in ("biased", "unbiased"):
        for measure in (hsic, cka):
            expected = measure(DENSE, Y, estimator=estimator, **settings)
            found = measure(X, Y, estimator=estimator, **settings)
            assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("method", ["gamma", "permutation"])
def test_tests_are_those_of_dense_rows(method):
    settings = {"method": method, "n_permutations": 99}
    expected = hsic_test(DENSE, Y, **settings)
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        found = hsic_test(form(DENSE), Y, **settings)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
    both = hsic_test(X, sparse.csr_array(Y[:, None]), **settings)
    assert both.pvalue == pytest.approx(expected.pvalue, rel=1e-8)


def test_blocks_and_many_rows():
    rng = np.random.default_rng(1)
    A = sparse.random_array((2300, 400), density=0.02, random_state=rng, format="csr")
    y = np.asarray(A[:, :5].sum(axis=1)).ravel()
    settings = {"estimator": "unbiased", "engine": "block", "random_state": 3}
    assert hsic_test(A, y, **settings).pvalue == pytest.approx(
        hsic_test(A.toarray(), y, **settings).pvalue, rel=1e-8
    )


def test_more_columns_than_a_dense_table_could_have():
    A = sparse.random_array(
        (60, 300_000), density=3e-5, random_state=np.random.default_rng(2), format="csr"
    )
    result = hsic_test(A, np.arange(60.0))
    assert 0.0 < result.pvalue <= 1.0
    with pytest.raises(ValueError, match="engine='tiled'"):
        hsic_test(A, np.arange(60.0), engine="nystrom")


def test_most_rows_equal_or_all():
    rows = np.zeros((60, 80))
    rows[:10, 0] = np.arange(10.0)
    y = np.arange(60.0)
    assert hsic(sparse.csr_array(rows), y) == pytest.approx(hsic(rows, y), rel=1e-10)
    assert hsic(sparse.csr_array(np.ones((60, 3))), y) == 0.0
    assert hsic_test(sparse.csr_array((60, 3)), y).pvalue == 1.0


@pytest.mark.parametrize(
    ("rows", "kernel", "message"),
    [
        (X, "delta", "needs X dense"),
        (X, RelativeGaussian(), "neighbours among dense rows"),
        (sparse.csr_array([[np.nan, 1.0]] * 9), "auto", "must be finite"),
        (sparse.csr_array((0, 3)), "auto", "rows and columns"),
    ],
)
def test_what_sparse_rows_cannot_be(rows, kernel, message):
    with pytest.raises(ValueError, match=message):
        hsic(rows, Y, kernel_x=kernel)
