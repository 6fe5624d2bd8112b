"""Rows of any size: HSIC scales with them, CKA and p-values do not notice."""

import math

import numpy as np
import pytest

from hsiclearn import cka, hsic, hsic_test
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.kernels import Linear, Polynomial
from measure.direct import related

X, Y = related(60, 3)
SCALES = [1e-150, 1e-80, 1e-45, 1e-20, 1e20, 1e38, 1e60]
POWERS = {"linear": 2, "squared": 2, "distance": 1}


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
@pytest.mark.parametrize("kernel", POWERS)
@pytest.mark.filterwarnings("ignore:CKA is::hsiclearn.exceptions")
def test_alignment_has_no_unit(kernel, engine, estimator):
    settings = {"kernel_x": kernel, "kernel_y": kernel, "engine": engine, "estimator": estimator}
    expected = cka(X, Y, **settings)
    for s in SCALES:
        assert cka(s * X, s * Y, **settings) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("method", ["gamma", "permutation"])
@pytest.mark.parametrize("kernel", ["linear", "distance"])
def test_p_values_have_no_unit(kernel, method):
    settings = {"kernel_x": kernel, "method": method, "n_permutations": 50}
    expected = hsic_test(X, Y, **settings)
    for s in SCALES[1:]:
        found, unit = hsic_test(s * X, Y, **settings), s ** POWERS[kernel]
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
        assert found.statistic == pytest.approx(unit * expected.statistic, rel=1e-9)
        spread, wanted = (
            float(np.ptp(r.null)) if method != "gamma" else r.null.std() for r in (found, expected)
        )
        assert spread == pytest.approx(unit * wanted, rel=1e-9)


@pytest.mark.parametrize("kernel", POWERS)
def test_hsic_scales_with_the_rows(kernel):
    settings = {"kernel_x": kernel, "kernel_y": "linear"}
    expected = hsic(X, Y, **settings)
    for s in (1e-60, 1e-20, 1e20, 1e60):
        assert hsic(s * X, Y, **settings) == pytest.approx(s ** POWERS[kernel] * expected, rel=1e-9)
    K = X @ X.T
    expected = hsic(K, Y, kernel_x="precomputed")
    assert hsic(1e65 * K, Y, kernel_x="precomputed") == pytest.approx(1e65 * expected, rel=1e-9)


def test_what_no_double_holds_is_an_error():
    with pytest.raises(ValueError, match=r"about 1e-40\d, which is no double"):
        hsic(1e-100 * X, 1e-100 * Y, kernel_x="linear", kernel_y="linear")
    with pytest.raises(ValueError, match="Scale X"):
        hsic(1e30 * X, Y, kernel_x=Polynomial(3))
    assert math.isfinite(hsic(1e30 * X, Y, kernel_x=Polynomial(2, 0.0) + 2 * Polynomial(2, 0.0)))
    assert hsic(X, Y, kernel_x=Linear() + Polynomial(2)) > 0.0


@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
@pytest.mark.parametrize("kernel", ["gaussian", "linear", "distance"])
@pytest.mark.parametrize("n", [6, 10, 31])
def test_a_side_that_does_not_vary_without_its_diagonal_is_0_divided_by_0(n, kernel, engine):
    a, b = np.eye(n)[:2]
    settings = {"kernel_x": kernel, "kernel_y": kernel, "engine": engine}
    others = (a, b, np.random.default_rng(0).standard_normal(n))
    for other in others:
        with pytest.warns(DependenceWarning, match="0 divided by 0"):
            assert cka(a, other, estimator="unbiased", **settings) == 0.0
    assert hsic_test(a, b, **settings).pvalue == 1.0


def test_unbiased_alignment_is_at_most_1_in_size():
    rng = np.random.default_rng(1)
    for n in (5, 8, 20):
        for _ in range(20):
            A, B = (rng.integers(0, 3, (n, 2)).astype(float) for _ in range(2))
            if any(np.ptp(side, axis=0).min() == 0 for side in (A, B)):
                continue
            assert abs(cka(A, B, estimator="unbiased")) <= 1.0
            assert cka(A, A, estimator="unbiased") == pytest.approx(1.0)
