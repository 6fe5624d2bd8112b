"""Linear time against all pairs: the true value lies where the error says."""

import numpy as np
import pytest

from hsiclearn import cka, hsic, hsic_estimate, kernels
from hsiclearn._measure import evaluation
from hsiclearn.exceptions import DependenceWarning
from measure.direct import KERNELS, related

ROUNDING = 1e-11


def both(X, Y, **settings):
    exact = hsic_estimate(X, Y, engine="tiled", **settings).value
    return exact, hsic_estimate(X, Y, engine="nystrom", **settings)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("max_landmarks", [3, 10, 40, 500])
@pytest.mark.parametrize("kernel", ["gaussian", "cauchy", "distance", "linear"])
def test_biased_hsic_is_between_value_and_value_plus_error(kernel, max_landmarks, seed):
    X, Y = related(300, 1 + 2 * seed, seed)
    exact, found = both(X, Y, kernel_x=kernel, max_landmarks=max_landmarks)
    assert found.guaranteed
    slack = ROUNDING * exact
    assert found.value - slack <= exact <= found.value + found.error + slack


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("max_landmarks", [3, 20, 100])
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_every_estimate_is_within_its_error(estimator, normalize, max_landmarks, seed):
    X, Y = related(250, 3, seed)
    exact, found = both(X, Y, estimator=estimator, normalize=normalize, max_landmarks=max_landmarks)
    assert abs(exact - found.value) <= found.error + ROUNDING


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_every_kernel(name, estimator):
    X, Y = related(200, 2)
    exact, found = both(X, Y, kernel_x=KERNELS[name], estimator=estimator)
    assert found.value == pytest.approx(exact, rel=1e-5)
    unknown = ("relative gaussian", "minus multiquadratic")
    assert found.guaranteed is (name not in unknown)
    if found.guaranteed:
        assert abs(exact - found.value) <= found.error + ROUNDING * abs(exact)


@pytest.mark.parametrize("name", ["linear", "polynomial", "minus squared"])
def test_polynomials_and_classes_are_exact(name):
    X, Y = related(300, 3)
    labels = Y[:, 0] > 0
    exact, found = both(X, labels, kernel_x=KERNELS[name])
    assert found.error == 0.0
    assert found.guaranteed
    assert found.value == pytest.approx(exact, rel=1e-11)


def test_more_landmarks_where_the_error_asks_for_them(monkeypatch):
    """Independent sides have a tiny HSIC: a share of it needs a finer kernel."""
    monkeypatch.setattr(evaluation, "_TOLERANCES", (1e-3, 1e-10))
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2000, 2)), rng.standard_normal(2000)
    found = hsic_estimate(X, Y, engine="nystrom")
    assert found.error < 0.01 * found.value
    dependent = hsic_estimate(X, X[:, 0] + 0.1 * Y, engine="nystrom")
    assert dependent.error < 0.01 * dependent.value
    assert dependent.n_features_x < found.n_features_x


def test_a_large_error_is_stated_and_warned_of():
    X = np.random.default_rng(0).standard_normal((1500, 20))
    found = hsic_estimate(X, X[:, 0], engine="nystrom", max_landmarks=20)
    assert found.error > 0.01 * found.value
    for measure in (hsic, cka):
        with pytest.warns(DependenceWarning, match="more than 1 %"):
            measure(X, X[:, 0], engine="nystrom", max_landmarks=20)


def test_auto_is_exact_for_few_rows_and_linear_for_many():
    X, Y = related(10_500, 1)
    assert hsic_estimate(X[:400], Y[:400]).engine == "dense"
    assert hsic_estimate(X[:2000], Y[:2000]).engine == "tiled"
    many = hsic_estimate(X, Y, kernel_y="linear")
    assert many.engine == "nystrom"
    exact = hsic(X, Y, kernel_y="linear", engine="tiled")
    assert many.value - ROUNDING <= exact <= many.value + many.error + ROUNDING


def test_too_many_classes_for_features_are_visited_pair_by_pair():
    labels = np.arange(10_400) % 5200
    found = hsic_estimate(np.arange(10_400.0), labels, kernel_y="delta")
    assert found.engine == "tiled"


def test_sums_of_kernels_with_a_negative_weight_are_bounded_on_both_sides():
    X, Y = related(250, 2)
    kernel = kernels.Gaussian(1.0) - 0.5 * kernels.Gaussian(3.0)
    for limit in (5, 20, 80):
        for normalize in (False, True):
            exact, found = both(X, Y, kernel_x=kernel, max_landmarks=limit, normalize=normalize)
            assert found.guaranteed
            assert abs(exact - found.value) <= found.error + ROUNDING


def test_auto_visits_all_pairs_where_landmarks_are_too_few():
    X, Y = related(10_100, 12)
    found = hsic_estimate(X, Y[:, 0], max_landmarks=30)
    assert found.engine == "tiled"
    assert "30 landmarks" in found.reason
    assert found.error == 0.0
