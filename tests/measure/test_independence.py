"""The test: permutations, ties, degenerate sides, and engines that agree."""

import numpy as np
import pytest
from scipy.stats import kstest

from hsiclearn import hsic, hsic_test, kernels
from hsiclearn._measure import permutations
from measure.direct import related


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_permutation_p_values_are_uniform(estimator):
    rng = np.random.default_rng(0)
    pvalues = [
        hsic_test(
            rng.standard_normal(30),
            rng.standard_normal((30, 2)),
            method="permutation",
            n_permutations=39,
            estimator=estimator,
            random_state=rng,
        ).pvalue
        for _ in range(250)
    ]
    assert kstest(np.array(pvalues) - 1 / 80, "uniform").pvalue > 0.01


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("kernel", ["gaussian", "distance", "relative_gaussian", "linear"])
def test_engines_draw_the_same_values(kernel, estimator):
    X, Y = related(80, 2)
    settings = {"method": "permutation", "n_permutations": 20, "estimator": estimator}
    results = [
        hsic_test(X, Y, kernel_x=kernel, engine=engine, **settings)
        for engine in ("dense", "tiled", "nystrom")
    ]
    exact = results[0]
    for result in results[1:]:
        np.testing.assert_allclose(result.null, exact.null, rtol=1e-4, atol=1e-7)
        assert result.statistic == pytest.approx(exact.statistic, rel=1e-4)
        assert result.pvalue == exact.pvalue
    plain = hsic(X, Y, kernel_x=kernel, estimator=estimator)
    assert exact.statistic == pytest.approx(plain, rel=1e-12)


def test_features_that_do_not_fit_are_dropped_and_counted(monkeypatch):
    X, Y = related(300, 3)
    monkeypatch.setattr(permutations, "_FEATURE_BYTES", 16 * 300 * 8)
    settings = {"method": "permutation", "engine": "nystrom", "estimator": "biased"}
    result = hsic_test(X, Y, n_permutations=50, **settings)
    exact = hsic(X, Y)
    assert result.estimate.n_features_x == 8
    assert result.statistic < exact <= result.statistic + result.error
    assert result.pvalue == 1 / 51


def test_ties_count_against_the_alternative():
    """Two binary columns have few different values: every tie must count."""
    x = np.array([0, 0, 0, 1, 1, 1] * 3)
    y = np.roll(x, 1)
    result = hsic_test(x, y, method="permutation", n_permutations=2000)
    count = np.count_nonzero(result.null >= result.statistic * (1 - 1e-9))
    assert result.pvalue == (1 + count) / 2001
    assert len(np.unique(np.round(result.null, 10))) < 12


@pytest.mark.parametrize("method", ["gamma", "permutation"])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
def test_dependence_is_found_and_a_constant_side_is_not(engine, estimator, method):
    X, Y = related(200, 2)
    settings = {"engine": engine, "estimator": estimator, "method": method, "n_permutations": 60}
    result = hsic_test(X, Y, **settings)
    assert result.pvalue < 0.02
    assert (result.engine, result.estimator, result.method) == (engine, estimator, method)
    assert result.n_samples == 200
    assert result.error >= 0
    constant = hsic_test(X, np.full(200, 3.5), **settings)
    assert (constant.statistic, constant.pvalue, constant.null) == (0.0, 1.0, None)


def test_the_null_is_there_to_look_at():
    X, Y = related(100, 1)
    gamma = hsic_test(X, Y, estimator="biased")
    assert gamma.pvalue == pytest.approx(gamma.null.sf(gamma.statistic))
    drawn = hsic_test(X, Y, estimator="biased", method="permutation", n_permutations=400)
    assert drawn.null.shape == (400,)
    assert drawn.null.mean() == pytest.approx(gamma.null.mean(), rel=0.05)
    assert drawn.null.std() == pytest.approx(gamma.null.std(), rel=0.2)


def test_a_coarse_kernel_still_tests_at_the_right_level():
    rng = np.random.default_rng(0)
    pvalues = [
        hsic_test(
            rng.standard_normal((100, 10)),
            rng.standard_normal(100),
            engine="nystrom",
            max_landmarks=10,
        ).pvalue
        for _ in range(300)
    ]
    assert kstest(pvalues, "uniform").pvalue > 0.01


def test_many_rows_in_linear_time():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30_000, 2))
    Y = np.sin(2 * X[:, 0]) + 3 * rng.standard_normal(30_000)
    result = hsic_test(X, Y)
    assert result.engine == "nystrom"
    assert result.pvalue < 1e-10
    drawn = hsic_test(X, Y, method="permutation", n_permutations=30)
    assert drawn.pvalue == 1 / 31
    assert hsic_test(X, rng.standard_normal(30_000)).pvalue > 0.01


def test_kernels_of_opposite_sign_are_refused():
    X, Y = related(50, 1)
    with pytest.raises(ValueError, match="-Squared"):
        hsic_test(X, Y, kernel_x=kernels.Squared())
    assert hsic_test(X, Y, kernel_x=-kernels.Squared(), kernel_y="linear").pvalue < 1.0
