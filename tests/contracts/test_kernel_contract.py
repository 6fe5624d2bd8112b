"""What every kernel promises: three functions that belong together, in any array library."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import array_api_strict
import numpy as np
import pytest

from hsiclearn import kernels
from hsiclearn._engines import group_by_pair
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.gamma import Dense
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    Multiquadratic,
    Polynomial,
    RelativeGaussian,
    Squared,
)
from naive import assert_close, derivative
from registry import KERNELS, MIXED, OF_DIFFERENCES, OF_ONE_PAIR, D, N, X, frozen

BETA_INNER = frozen(np.linspace(-1.5, 2.0, 21))
BETA_DIFFERENCE = frozen(np.linspace(0.05, 6.0, 21))


@pytest.fixture(params=OF_ONE_PAIR)
def kernel(request):
    return KERNELS[request.param]


@pytest.fixture
def beta(kernel):
    return BETA_DIFFERENCE if kernel.pair.is_difference else BETA_INNER


def test_df_is_the_derivative_of_f(kernel, beta):
    measured = derivative(lambda h: kernel.f(beta + h))
    assert_close(kernel.df(beta), measured, 1e-8)


def test_d2f_is_the_derivative_of_df(kernel, beta):
    measured = derivative(lambda h: kernel.df(beta + h))
    scale = max(np.max(np.abs(measured)), np.max(np.abs(kernel.df(beta))))
    assert_close(kernel.d2f(beta), measured, 1e-8, scale)


@pytest.mark.parametrize(
    "name", ["gaussian", "cauchy", "polynomial-5", "multiquadratic", "sum-of-differences"]
)
def test_taylor_error_falls_with_the_third_power(name):
    """``f(b + h) - f - h f' - h^2 f''/2 = O(h^3)``, with no lower power in sight."""
    k = KERNELS[name]
    b = np.array([0.7])
    steps = np.geomspace(1e-3, 1e-2, 6)
    errors = [
        abs(float((k.f(b + h) - k.f(b) - h * k.df(b) - 0.5 * h**2 * k.d2f(b))[0])) for h in steps
    ]
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert abs(slope - 3.0) < 0.03


@pytest.mark.parametrize("order", [0, 1, 2])
def test_jet_is_f_and_its_derivatives(kernel, beta, order):
    jet = kernel.jet(beta.copy(), order)
    assert len(jet) == order + 1
    expected = (kernel.f(beta), kernel.df(beta), kernel.d2f(beta))
    for (factor, array), value in zip(jet, expected, strict=False):
        assert isinstance(factor, float)
        np.testing.assert_allclose(factor * array, value, rtol=1e-14, atol=1e-14)


def test_f_leaves_its_argument_alone(kernel, beta):
    """The arrays here are read-only: writing over them would raise."""
    before = beta.tobytes()
    for function in (kernel.f, kernel.df, kernel.d2f):
        assert function(beta).shape == beta.shape
    assert beta.tobytes() == before


def test_finite_at_zero(kernel):
    zero = np.zeros(1)
    for function in (kernel.f, kernel.df, kernel.d2f):
        assert np.isfinite(function(zero)).all()


def test_works_elementwise_on_any_shape(kernel, beta):
    square = beta[:20].reshape(4, 5)
    for function in (kernel.f, kernel.df, kernel.d2f):
        np.testing.assert_array_equal(function(square), function(beta[:20]).reshape(4, 5))


@pytest.mark.parametrize("function", ["f", "df", "d2f"])
def test_same_numbers_in_a_strict_array_library(kernel, beta, function):
    strict = getattr(kernel, function)(array_api_strict.asarray(beta, copy=True))
    assert isinstance(strict, array_api_strict.asarray([0.0]).__class__)
    np.testing.assert_allclose(
        np.asarray(strict), getattr(kernel, function)(beta), rtol=1e-15, atol=1e-15
    )


@pytest.mark.parametrize("order", [0, 1, 2])
def test_same_jet_in_a_strict_array_library(kernel, beta, order):
    strict = kernel.jet(array_api_strict.asarray(beta, copy=True), order)
    ours = kernel.jet(beta.copy(), order)
    assert len(strict) == len(ours)
    for (a, array), (b, expected) in zip(strict, ours, strict=True):
        assert a == b
        np.testing.assert_allclose(np.asarray(array), expected, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("name", [n for n in OF_DIFFERENCES if len(KERNELS[n].terms) == 1])
def test_declares_whether_it_grows_with_distance(name):
    """The flag belongs to a kernel on its own; a weight is the combination's affair."""
    ((_, kernel),) = KERNELS[name].terms
    grows = bool(np.all(np.diff(kernel.f(BETA_DIFFERENCE)) > 0))
    assert kernel.grows_with_distance == grows
    assert grows == isinstance(kernel, Squared | Multiquadratic)


# Values: what a kernel is as a Python object -----------------------------------------------------


@pytest.mark.parametrize("is_centered", [True, False])
@pytest.mark.parametrize("name", KERNELS)
def test_declares_whether_it_ignores_shifts(name, is_centered):
    kernel, total = KERNELS[name], {}
    gamma = np.outer(np.arange(N), np.arange(N)) / N
    gamma = Dense.centered(gamma) if is_centered else Dense(gamma)
    for shift in (0.0, 1.0):
        total[shift] = 0.0
        for group in group_by_pair(kernel, X):
            beta = group.pair.beta(*group.pair.beta_factors(X + shift))
            everything = slice(0, N)
            factor, f = group.jet(beta, 0, everything, everything)[0]
            total[shift] += factor * float(np.sum(gamma.matrix * f))
    is_same = abs(total[1.0] - total[0.0]) <= 1e-9 * (abs(total[0.0]) + 1.0)
    assert kernel.ignores_shifts(centered=is_centered) == is_same


@pytest.mark.parametrize("name", KERNELS)
def test_is_frozen(name):
    with pytest.raises(FrozenInstanceError):
        KERNELS[name].bandwidth = 3.0


@pytest.mark.parametrize("name", KERNELS)
def test_equality_and_hash_follow_the_parameters(name):
    kernel, twin = KERNELS[name], copy.deepcopy(KERNELS[name])
    assert twin == kernel
    assert hash(twin) == hash(kernel)
    assert sum(kernel == other for other in KERNELS.values()) == 1


@pytest.mark.parametrize("name", KERNELS)
def test_survives_pickling(name):
    restored = pickle.loads(pickle.dumps(KERNELS[name]))
    assert restored == KERNELS[name]
    for (_, a), (_, b) in zip(restored.terms, KERNELS[name].terms, strict=True):
        assert a.pair == b.pair
        np.testing.assert_array_equal(a.f(BETA_DIFFERENCE), b.f(BETA_DIFFERENCE))


@pytest.mark.parametrize("name", [name for name in KERNELS if not name.startswith("custom")])
def test_repr_can_be_typed_in(name):
    assert eval(repr(KERNELS[name]), vars(kernels).copy()) == KERNELS[name]


@pytest.mark.parametrize("name", KERNELS)
def test_terms_have_one_pair_type_each_and_add_up(name):
    kernel = KERNELS[name]
    assert all(term.terms == ((1.0, term),) for _, term in kernel.terms)
    if name not in MIXED:
        value = sum(weight * term.f(BETA_DIFFERENCE) for weight, term in kernel.terms)
        np.testing.assert_allclose(kernel.f(BETA_DIFFERENCE), value, rtol=1e-14)


# Row scales ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_only_relative_kernels_have_row_scales(name):
    for _, term in KERNELS[name].terms:
        scales = term.row_scales(X)
        assert (scales is not None) == isinstance(term, RelativeGaussian)


@pytest.mark.parametrize("name", ["relative-gaussian", "relative-gaussian-3"])
def test_row_scales_are_inverse_neighbour_distances(name):
    """``1/s_i = max(d_i, floor * median d)``, d_i by sorting all distances."""
    kernel = KERNELS[name]
    distances = np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=2))
    d = np.sort(distances, axis=1)[:, kernel.n_neighbors]  # column 0 is the row itself
    sigma = np.maximum(d, kernel.floor * np.quantile(d, 0.5, method="higher"))
    assert (sigma > d).any() == (kernel.floor == 0.9)  # the floor is at work in one case only
    np.testing.assert_allclose(kernel.row_scales(X), 1.0 / sigma, rtol=1e-13)


def test_row_scales_of_duplicates_come_from_the_floor():
    """Most rows repeated: the median distance is 0 and the 0.9 quantile steps in."""
    rows = np.concatenate([np.zeros((12, D)), X[:8]])
    kernel = RelativeGaussian(n_neighbors=3)
    distances = np.sqrt(np.sum((rows[:, None] - rows[None]) ** 2, axis=2))
    d = np.sort(distances, axis=1)[:, 3]
    assert np.median(d) == 0.0
    sigma = np.maximum(d, 0.5 * np.quantile(d, 0.9, method="higher"))
    np.testing.assert_allclose(kernel.row_scales(rows), 1.0 / sigma, rtol=1e-13)


def test_more_neighbours_than_rows_means_the_last_one():
    few = X[:5]
    np.testing.assert_array_equal(
        RelativeGaussian(50).row_scales(few), RelativeGaussian(4).row_scales(few)
    )


def test_equal_rows_have_no_scale():
    with pytest.raises(DegenerateDataError, match="RelativeGaussian needs rows at a distance"):
        RelativeGaussian().row_scales(np.ones((N, D)))


# Hand-computed numbers ---------------------------------------------------------------------------


def test_worked_example():
    """At b = 3: exp(-3/2s^2) with s^2 = 3/2 is 1/e; 1/(1 + 3/1) = 1/4; (3 + 1)^3 = 64."""
    three = np.array([3.0])
    assert Gaussian(1.5**0.5).f(three)[0] == pytest.approx(np.exp(-1.0), rel=1e-15)
    assert Cauchy(1.0).f(three)[0] == 0.25
    assert Polynomial(3, 1.0).f(three)[0] == 64.0
    assert Polynomial(3, 1.0).df(three)[0] == 48.0
    assert Polynomial(3, 1.0).d2f(three)[0] == 24.0
