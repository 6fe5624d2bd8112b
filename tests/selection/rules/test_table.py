"""Which rule the parameters of an estimator stand for."""

import pytest

from hsiclearn._selection import rule_for
from hsiclearn._selection.rules import Eigengap, Fixed, HeldOut, Median, Projected
from hsiclearn.kernels import Cauchy, Gaussian, Linear


@pytest.mark.parametrize(
    ("n_components", "kernel", "bandwidth", "rule"),
    [
        (2, "gaussian", 0.5, Fixed(0.5)),
        (2, "gaussian", "median", Median()),
        (2, "gaussian", "median-projected", Projected()),
        (2, "cauchy", "auto", HeldOut()),
        (2, "linear", "auto", Fixed()),
        (2, Gaussian(3.0), "auto", Fixed()),
        ("auto", "gaussian", "auto", HeldOut(HeldOut())),
        ("auto", "gaussian", "median", HeldOut(Median())),
        ("auto", "linear", "auto", HeldOut(Fixed())),
        ("eigengap", "gaussian", "median-projected", Eigengap(Projected())),
        ("eigengap", Gaussian(3.0), 0.5, Eigengap(Fixed())),
    ],
)
def test_the_rule(n_components, kernel, bandwidth, rule):
    assert rule_for(n_components, kernel, bandwidth)[0] == rule


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [("cauchy", Cauchy(0.5)), ("linear", Linear()), (Gaussian(3.0), Gaussian(3.0))],
)
def test_the_kernels_to_choose_from(kernel, expected):
    """An object keeps its bandwidth, and some have none."""
    assert rule_for(1, kernel, "auto")[1](0.5) == expected
