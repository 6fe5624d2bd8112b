"""The mean over blocks, its error and its null."""

import numpy as np
import pytest
from scipy.stats import kstest

from hsiclearn import cka, hsic_estimate, hsic_test, kernels
from hsiclearn.exceptions import DependenceWarning
from measure.direct import kernel_matrix, related, unbiased


def test_the_mean_over_blocks_is_that_of_the_formula():
    X, Y = related(120, 1)
    settings = {"kernel_x": kernels.Gaussian(1.0), "kernel_y": kernels.Gaussian(0.5)}
    found = hsic_estimate(
        X, Y, engine="block", block_size=20, estimator="unbiased", random_state=3, **settings
    )
    order = np.random.default_rng([3, 2]).permutation(120).reshape(6, 20)
    K, L = kernel_matrix(X, settings["kernel_x"]), kernel_matrix(Y, settings["kernel_y"])
    values = [unbiased(K[np.ix_(i, i)], L[np.ix_(i, i)]) for i in order]
    assert found.value == pytest.approx(np.mean(values), rel=1e-10)
    assert found.error == pytest.approx(np.std(values, ddof=1) / np.sqrt(6), rel=1e-10)
    assert not found.guaranteed


def test_it_agrees_with_all_pairs_within_a_few_standard_errors():
    X, Y = related(4000, 2)
    for normalize in (False, True):
        settings = {"estimator": "unbiased", "normalize": normalize}
        exact = hsic_estimate(X, Y, engine="tiled", **settings).value
        found = hsic_estimate(X, Y, engine="block", block_size=100, **settings)
        assert abs(found.value - exact) < 4 * found.error
        assert found.error < 0.1 * found.value


def test_scales_of_rows_are_those_among_all_rows():
    X, Y = related(200, 1)
    kernel = kernels.RelativeGaussian()
    found = hsic_estimate(
        X, Y, kernel_x=kernel, engine="block", block_size=40, estimator="unbiased"
    )
    K, L = kernel_matrix(X, kernel), kernel_matrix(Y, kernels.Gaussian(1.0))
    given = hsic_estimate(
        K, Y, kernel_x="precomputed", engine="block", block_size=40, estimator="unbiased"
    )
    assert found.value == pytest.approx(given.value, rel=1e-10)
    assert L.shape == K.shape


def test_its_p_values_are_uniform_under_independence():
    rng = np.random.default_rng(0)
    pvalues = [
        hsic_test(
            rng.standard_normal(400),
            rng.standard_normal(400),
            engine="block",
            block_size=20,
        ).pvalue
        for _ in range(200)
    ]
    assert kstest(pvalues, "uniform").pvalue > 0.01


def test_it_finds_dependence():
    X, Y = related(2000, 1)
    result = hsic_test(X, Y, engine="block")
    assert (result.method, result.engine) == ("normal", "block")
    assert result.pvalue < 1e-4
    assert result.null.std() > 0


def test_errors_and_warnings():
    X, Y = related(100, 1)
    with pytest.raises(ValueError, match="estimator='unbiased'"):
        hsic_estimate(X, Y, engine="block")
    with pytest.raises(ValueError, match="block_size <= 20"):
        hsic_estimate(X, Y, engine="block", estimator="unbiased", block_size=50)
    with pytest.warns(DependenceWarning, match="standard error"):
        cka(X, Y, engine="block", estimator="unbiased", block_size=10)
