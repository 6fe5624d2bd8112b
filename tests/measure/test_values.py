"""The values: beside the formulas written out, and beside hyppo."""

import numpy as np
import pytest
from hyppo.independence import Hsic

from hsiclearn import cka, hsic, hsic_estimate, kernels
from measure.direct import (
    ESTIMATORS,
    KERNELS,
    delta_matrix,
    distance_matrix,
    kernel_matrix,
    related,
)

EXACT = ("dense", "tiled")
X, Y = related()
LABELS = np.digitize(X[:, 0] + Y[:, 0], [-1.0, 0.0, 1.0])


@pytest.mark.parametrize("engine", EXACT)
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_as_written_out(name, estimator, engine):
    kernel, other = KERNELS[name], kernels.Gaussian(0.6)
    K, L = kernel_matrix(X, kernel), kernel_matrix(Y, other)
    formula = ESTIMATORS[estimator]
    settings = {
        "kernel_x": kernel,
        "kernel_y": other,
        "estimator": estimator,
        "engine": engine,
    }
    assert hsic(X, Y, **settings) == pytest.approx(formula(K, L), rel=1e-10, abs=1e-14)
    wanted = formula(K, L) / np.sqrt(formula(K, K) * formula(L, L))
    assert cka(X, Y, **settings) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("engine", [*EXACT, "nystrom"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_classes_on_either_side(estimator, engine):
    L = delta_matrix(LABELS)
    names = np.array(["a", "b", "c", "d"])[LABELS]
    formula = ESTIMATORS[estimator]
    K = kernel_matrix(X, kernels.Linear())
    settings = {"estimator": estimator, "engine": engine}
    assert hsic(X, names, kernel_x="linear", **settings) == pytest.approx(formula(K, L), rel=1e-10)
    assert hsic(LABELS, names, **settings) == pytest.approx(formula(L, L), rel=1e-10)
    other = (LABELS > 1).astype(bool)
    assert hsic(names, other, **settings) == pytest.approx(
        formula(L, delta_matrix(other)), rel=1e-10
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_named_kernels_take_the_bandwidth(estimator):
    K, L = kernel_matrix(X, kernels.Cauchy(0.7)), kernel_matrix(Y, kernels.Gaussian(2.5))
    value = hsic(X, Y, kernel_x="cauchy", bandwidth_x=0.7, bandwidth_y=2.5, estimator=estimator)
    assert value == pytest.approx(ESTIMATORS[estimator](K, L), rel=1e-10)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("engine", EXACT)
def test_precomputed_matrices(estimator, engine):
    K, L = kernel_matrix(X, kernels.Gaussian(0.7)), delta_matrix(LABELS)
    value = hsic(
        K, LABELS, kernel_x="precomputed", kernel_y="delta", estimator=estimator, engine=engine
    )
    assert value == pytest.approx(ESTIMATORS[estimator](K, L), rel=1e-10)


@pytest.mark.parametrize("bias", [True, False])
def test_hyppo_has_the_same_cka(bias):
    stat = Hsic(bias=bias, gamma=0.4).statistic(X, Y)
    stat = stat**2 if bias else stat  # hyppo hands out the root of the biased one
    bandwidth = np.sqrt(0.5 / 0.4)
    estimator = "biased" if bias else "unbiased"
    value = cka(X, Y, bandwidth_x=bandwidth, bandwidth_y=bandwidth, estimator=estimator)
    assert value == pytest.approx(stat, rel=1e-10)


def test_hyppo_has_the_same_cka_at_the_median_of_x():
    x, y = X[:, :1], Y[:, :1]
    median = np.median(distance_matrix(x)[np.triu_indices(len(x), 1)])
    value = cka(x, y, bandwidth_y=median, estimator="unbiased")
    assert value == pytest.approx(Hsic().statistic(x, y), rel=1e-10)


@pytest.mark.parametrize("n", [600, 1100])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_tiles_add_up(n, estimator):
    x, y = related(n, 3)
    dense, tiled = (hsic(x, y, estimator=estimator, engine=e) for e in EXACT)
    assert tiled == pytest.approx(dense, rel=1e-11)


@pytest.mark.parametrize("engine", [*EXACT, "nystrom"])
def test_digits_are_kept_far_from_zero_and_at_wide_bandwidths(engine):
    """A Gaussian of bandwidth s tends to the linear kernel over s^2, whatever the offset is."""
    wide = 1e4
    near = hsic(X, Y, kernel_x="linear", kernel_y="linear", engine=engine)
    moved = hsic(X + 1e6, Y - 1e6, kernel_x="linear", kernel_y="linear", engine=engine)
    assert moved == pytest.approx(near, rel=1e-8)
    gaussian = hsic(X + 1e4, Y, bandwidth_x=wide, bandwidth_y=wide, engine=engine)
    assert gaussian * wide**4 == pytest.approx(near, rel=1e-5)


def test_the_record_says_what_was_done():
    estimate = hsic_estimate(X, LABELS, bandwidth_x=0.5)
    assert (estimate.engine, estimate.error, estimate.guaranteed) == ("dense", 0.0, True)
    assert estimate.kernel_x == "Gaussian(bandwidth=0.5)"
    assert estimate.kernel_y == "delta"
    assert estimate.n_samples == len(X)
    assert estimate.n_features_x is None
    assert "rows" in estimate.reason
    assert float(estimate) == hsic(X, LABELS, bandwidth_x=0.5)
