"""Sums, multiples and names of kernels, and what is refused."""

import re

import numpy as np
import pytest

from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.kernels import (
    DIFFERENCE,
    INNER,
    Cauchy,
    Combination,
    Custom,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
    is_built_in,
    kernel_from_name,
    kernel_names,
    takes_bandwidth,
)
from registry import KERNELS, MIXED

BETA = np.linspace(0.0, 3.0, 9)


@pytest.mark.parametrize("function", ["f", "df", "d2f"])
def test_a_sum_is_the_weighted_sum(function):
    k1, k2 = Gaussian(1.3), Cauchy(0.7)
    of = lambda k: getattr(k, function)(BETA)  # noqa: E731
    np.testing.assert_allclose(of(2 * k1 + k2), 2 * of(k1) + of(k2), rtol=1e-15)
    np.testing.assert_allclose(of(-k1), -of(k1), rtol=1e-15)
    np.testing.assert_allclose(of(k1 * 3), 3 * of(k1), rtol=1e-15)
    np.testing.assert_allclose(of(-(2 * (k1 + 0.5 * k2))), -2 * of(k1) - of(k2), rtol=1e-15)


def test_sums_are_flat():
    kernel = 2 * (Gaussian() + 3 * Cauchy()) + Squared()
    assert kernel.terms == ((2.0, Gaussian()), (6.0, Cauchy()), (1.0, Squared()))


def test_order_of_factor_does_not_matter():
    assert 3 * Gaussian() == Gaussian() * 3 == Gaussian() * 3.0


@pytest.mark.parametrize("name", KERNELS)
def test_negating_twice_changes_nothing(name):
    negated = -KERNELS[name]
    assert negated.terms != KERNELS[name].terms
    assert (-negated).terms == KERNELS[name].terms


@pytest.mark.parametrize("factor", [True, "2", None, [1.0], 1j])
def test_only_numbers_multiply(factor):
    with pytest.raises(TypeError):
        Gaussian() * factor
    with pytest.raises(TypeError):
        factor * Gaussian()


def test_only_kernels_add():
    with pytest.raises(TypeError):
        Gaussian() + 1.0
    with pytest.raises(TypeError):
        1.0 + Gaussian()
    with pytest.raises(TypeError):
        Gaussian() - 1.0


def test_the_rest_of_the_algebra():
    beta = np.linspace(0.0, 3.0, 7)
    both = Gaussian().f(beta), Cauchy().f(beta)
    np.testing.assert_allclose(sum([Gaussian(), Cauchy()]).f(beta), both[0] + both[1])
    np.testing.assert_allclose((Gaussian() - Cauchy()).f(beta), both[0] - both[1])
    np.testing.assert_allclose((Gaussian() / 4).f(beta), both[0] / 4)


@pytest.mark.parametrize("weight", [0, 0.0, float("nan"), float("inf")])
def test_weight_must_mean_something(weight):
    message = "The weight of a kernel in a sum must be finite and not 0."
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        weight * Gaussian()


def test_pair_of_a_sum_is_that_of_its_terms():
    assert (Gaussian() + Cauchy()).pair is DIFFERENCE
    assert (Linear() + Polynomial()).pair is INNER


@pytest.mark.parametrize("name", sorted(MIXED))
def test_a_mixed_sum_is_no_function_of_one_beta(name):
    kernel = KERNELS[name]
    message = "This sum mixes inner-product and difference kernels"
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        _ = kernel.pair
    for function in (kernel.f, kernel.df, kernel.d2f):
        with pytest.raises(InvalidKernelError, match=re.escape(message)):
            function(BETA)


def test_repr_reads_like_the_sum():
    assert (
        repr(2 * Gaussian(1.5) + Cauchy()) == "2*Gaussian(bandwidth=1.5) + 1*Cauchy(bandwidth=1.0)"
    )


# Names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", kernel_names())
def test_a_name_stands_for_the_defaults(name):
    kernel = kernel_from_name(name)
    assert kernel == type(kernel)()
    assert is_built_in(kernel)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gaussian", Gaussian(2.5)),
        ("cauchy", Cauchy(2.5)),
        ("rational_quadratic", RationalQuadratic(2.5)),
        ("multiquadratic", Multiquadratic(2.5)),
        ("inverse_multiquadratic", InverseMultiquadratic(2.5)),
    ],
)
def test_bandwidth_reaches_the_kernels_that_take_one(name, expected):
    assert takes_bandwidth(name)
    assert kernel_from_name(name, 2.5) == expected


@pytest.mark.parametrize("name", ["linear", "polynomial", "squared", "relative_gaussian"])
def test_bandwidth_is_nothing_to_the_others(name):
    assert not takes_bandwidth(name)
    assert kernel_from_name(name, 2.5) == kernel_from_name(name)


def test_unknown_name():
    message = f"`kernel` must be one of {list(kernel_names())} or an object. Got 'rbf'."
    with pytest.raises(ValueError, match=re.escape(message)):
        kernel_from_name("rbf")


def test_what_counts_as_built_in():
    assert not is_built_in(Custom(np.exp, np.exp, np.exp))
    assert not is_built_in(Combination(((1.0, Gaussian()),)))


# Parameters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        (Gaussian, "bandwidth"),
        (Cauchy, "bandwidth"),
        (RationalQuadratic, "bandwidth"),
        (RationalQuadratic, "alpha"),
        (Multiquadratic, "c"),
        (InverseMultiquadratic, "c"),
        (RelativeGaussian, "floor"),
    ],
)
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf"), "median", None])
def test_scales_must_be_positive(kernel, name, value):
    # The second derivative of an inverse multiquadratic has the fifth power of c.
    bounds = "1e-60 to 1e60" if kernel is InverseMultiquadratic else "1e-70 to 1e70"
    message = f"{kernel.__name__} needs `{name}` > 0 and finite ({bounds}). Got {name}={value!r}."
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        kernel(**{name: value})


@pytest.mark.parametrize("degree", [0, -1, 2.0, 1.5, "3"])
def test_degree_must_be_a_positive_integer(degree):
    message = f"Polynomial needs an integer `degree` >= 1. Got degree={degree!r}."
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        Polynomial(degree=degree)


@pytest.mark.parametrize("coef0", [-0.1, float("nan"), float("inf")])
def test_offset_must_not_be_negative(coef0):
    message = f"Polynomial needs a finite `coef0` >= 0. Got coef0={coef0!r}."
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        Polynomial(coef0=coef0)


@pytest.mark.parametrize("n_neighbors", [0, -2, 2.5, "7"])
def test_neighbours_must_be_a_positive_integer(n_neighbors):
    message = (
        f"RelativeGaussian needs an integer `n_neighbors` >= 1. Got n_neighbors={n_neighbors!r}."
    )
    with pytest.raises(InvalidKernelError, match=re.escape(message)):
        RelativeGaussian(n_neighbors=n_neighbors)


def test_custom_knows_two_pair_types():
    assert Custom(np.exp, np.exp, np.exp, pair="inner").pair is INNER
    assert Custom(np.exp, np.exp, np.exp, pair=DIFFERENCE).pair is DIFFERENCE
    message = "`pair` must be one of ['difference', 'inner']. Got 'product'."
    with pytest.raises(ValueError, match=re.escape(message)):
        Custom(np.exp, np.exp, np.exp, pair="product")
