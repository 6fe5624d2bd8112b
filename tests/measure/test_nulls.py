"""The null distribution: exact moments, calibration, and the mean of the unbiased estimate."""

from itertools import permutations

import numpy as np
import pytest

from hsiclearn import hsic, hsic_test, kernels
from hsiclearn._measure.nulls import gamma_null, permutation_moments
from hsiclearn._measure.sums import centre_in_place, dense_sums
from measure.direct import kernel_matrix, unbiased


def symmetric(n, seed):
    A = np.random.default_rng(seed).standard_normal((n, n))
    return A + A.T if seed % 2 else A @ A.T


@pytest.mark.parametrize("seeds", [(0, 1), (1, 3), (2, 4)])
def test_moments_over_all_orders(seeds):
    K, L = (centre_in_place(symmetric(6, seed)) for seed in seeds)
    orders = [np.array(order) for order in permutations(range(6))]
    values = [np.vdot(K, L[np.ix_(i, i)]) for i in orders]
    mean, variance = permutation_moments(dense_sums(K, L))
    assert mean == pytest.approx(np.mean(values), rel=1e-10)
    assert variance == pytest.approx(np.var(values), rel=1e-10)


def test_the_gamma_has_the_moments_of_the_estimate_over_all_orders():
    rng = np.random.default_rng(0)
    K = kernel_matrix(rng.standard_normal(6), kernels.Gaussian(1.0))
    L = kernel_matrix(rng.standard_normal(6), kernels.Gaussian(0.5))
    sums = dense_sums(centre_in_place(K.copy()), centre_in_place(L.copy()))
    orders = [np.array(order) for order in permutations(range(6))]
    drawn = [unbiased(K, L[np.ix_(i, i)]) for i in orders]
    null = gamma_null(sums, "unbiased")
    assert null.mean() == pytest.approx(np.mean(drawn), abs=1e-15)
    assert null.std() == pytest.approx(null.frozen().std())
    assert null.sf(0.01) == pytest.approx(null.frozen().sf(0.01))
    assert null.var() == pytest.approx(np.var(drawn), rel=1e-10)
    biased = gamma_null(sums, "biased")
    assert biased.mean() == pytest.approx(permutation_moments(sums)[0] / 25, rel=1e-12)
    assert biased.var() == pytest.approx(permutation_moments(sums)[1] / 25**2, rel=1e-10)


def independent(kind, n, d, rng):
    X = rng.standard_normal((n, d))
    return X, rng.integers(0, 3, n) if kind == "classes" else rng.standard_normal((n, d))


@pytest.mark.parametrize(
    ("kind", "n", "d", "estimator"),
    [("real", 50, 1, "biased"), ("real", 60, 5, "unbiased"), ("classes", 50, 5, "biased")],
)
def test_rejections_at_five_percent(kind, n, d, estimator):
    """Of a thousand: a test that rejects 8 % would pass once in twenty-five times."""
    rng = np.random.default_rng(0)
    pvalues = [
        hsic_test(*independent(kind, n, d, rng), estimator=estimator).pvalue for _ in range(1000)
    ]
    assert 0.04 <= np.mean(np.array(pvalues) < 0.05) <= 0.065


@pytest.mark.parametrize("kind", ["real", "classes"])
def test_the_unbiased_estimate_is_zero_on_average(kind):
    """To 0.14 of its spread; the biased one is off by two to three times its spread."""
    rng = np.random.default_rng(1)
    values = np.array(
        [hsic(*independent(kind, 20, 2, rng), estimator="unbiased") for _ in range(500)]
    )
    assert abs(values.mean()) < 3 * values.std(ddof=1) / np.sqrt(values.size)
    assert values.min() < 0
