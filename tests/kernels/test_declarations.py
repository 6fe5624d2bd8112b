"""What kernels declare of themselves, held against their values."""

import dataclasses
import re

import numpy as np
import pytest

from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
    kernel_from_name,
    kernel_names,
)
from naive import assert_close
from registry import KERNELS

ROWS = np.random.default_rng(0).standard_normal((12, 3))
BETA = np.sum((ROWS[:, None] - ROWS[None]) ** 2, axis=2)
ALONE = {name: k for name, k in KERNELS.items() if len(k.terms) == 1 and k.terms[0][1] is k}


def sign_of(matrix):
    """1 of a positive definite matrix, -1 of a negative definite one, 0 of any other."""
    values = np.linalg.eigvalsh(matrix)
    return int(values.min() > 0.0) - int(values.max() < 0.0)


@pytest.mark.parametrize("name", [name for name, k in ALONE.items() if any(k.definite)])
def test_signs_are_those_of_matrices_of_distances(name):
    kernel = ALONE[name]
    found = tuple(sign_of(function(BETA)) for function in (kernel.f, kernel.df, kernel.d2f))
    assert kernel.definite == found


@pytest.mark.parametrize("name", ALONE)
def test_what_has_no_sign_declares_none(name):
    """Of inner products, and where rows have scales, nothing is known; squares have no sign."""
    kernel = ALONE[name]
    has_sign = isinstance(
        kernel, Gaussian | Cauchy | RationalQuadratic | InverseMultiquadratic | Multiquadratic
    )
    assert any(kernel.definite) == has_sign


@pytest.mark.parametrize("name", ALONE)
def test_what_is_declared_is_the_function(name):
    kernel, functions = ALONE[name], [ALONE[name].f, ALONE[name].df, ALONE[name].d2f]
    if (power := kernel.power) is not None:
        for order, function in enumerate(functions):
            size, unit, exponent = power.slope(order)
            assert_close(function(BETA), size * (1.0 + BETA / unit) ** exponent, 1e-13)
    if kernel.coefficients is not None:
        polynomial = np.polynomial.Polynomial(kernel.coefficients)
        for order, function in enumerate(functions):
            assert_close(function(BETA), polynomial.deriv(order)(BETA), 1e-13)
    if kernel.rate is not None:
        assert_close(kernel.df(BETA), kernel.rate * kernel.f(BETA), 1e-15)


def test_which_kernels_declare_what():
    def declared(what):
        return {type(k).__name__ for k in ALONE.values() if getattr(k, what) not in (None, False)}

    assert declared("rate") == {"Gaussian"}
    assert declared("coefficients") == {"Linear", "Polynomial", "Squared"}
    powers = {"Cauchy", "InverseMultiquadratic", "Multiquadratic", "RationalQuadratic"}
    assert declared("power") == powers
    assert declared("grows_with_distance") == {"Squared", "Multiquadratic"}
    assert declared("has_row_scales") == {"RelativeGaussian"}


def test_scale_is_the_length_a_kernel_has():
    scales = {name: kernel_from_name(name, 2.5).scale for name in kernel_names()}
    without = dict.fromkeys(("linear", "polynomial", "squared", "relative_gaussian"))
    assert scales == dict.fromkeys(set(scales) - set(without), 2.5) | without


def test_defaults():
    defaults = {cls(): cls(1.0) for cls in (Gaussian, Cauchy, Multiquadratic)}
    defaults[InverseMultiquadratic()] = InverseMultiquadratic(c=1.0)
    defaults[RationalQuadratic()] = RationalQuadratic(1.0, 1.0)
    defaults[Polynomial()] = Polynomial(3, 1.0)
    defaults[RelativeGaussian()] = RelativeGaussian(7, 0.5)
    assert list(defaults) == list(defaults.values())


@pytest.mark.parametrize(
    ("cls", "end"),
    [(Gaussian, 70), (Cauchy, 70), (Multiquadratic, 70), (InverseMultiquadratic, 60)],
)
def test_lengths_end_where_their_powers_would(cls, end):
    """The fourth; of an inverse multiquadratic the fifth, in its second derivative."""
    [name] = [field.name for field in dataclasses.fields(cls)]
    least, most = float(f"1e-{end}"), float(f"1e{end}")
    assert cls(1.01 * least).scale == 1.01 * least
    assert cls(np.float32(2.0)).scale == 2.0
    for value in (least, most):
        with pytest.raises(InvalidKernelError, match=re.escape(f"Got {name}={value}. Squares of")):
            cls(value)
    for value in (0.0, np.inf, True):
        with pytest.raises(InvalidKernelError, match=re.escape("use bandwidth='median'")):
            cls(value)


@pytest.mark.parametrize("kernel", [Polynomial(1, 0.5), Squared()], ids=repr)
def test_a_straight_line_does_not_bend(kernel):
    np.testing.assert_array_equal(kernel.d2f(BETA), np.zeros_like(BETA))
