"""What an objective refuses, and how it says so."""

import re

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.kernels import DIFFERENCE, AbstractKernel, Custom, Gaussian
from registry import MATRIX, D, N, Q, W, X


@pytest.mark.parametrize(
    ("bad", "seen"),
    [
        (X + 1j, f"Got dtype complex128, shape ({N}, {D})."),
        (X[:, 0], f"Got dtype float64, shape ({N},)."),
        (X[:0], f"Got dtype float64, shape (0, {D})."),
        (X[:, :0], f"Got dtype float64, shape ({N}, 0)."),
        (X.astype(str), "Got dtype <U"),
        (X.astype(object), f"Got dtype object, shape ({N}, {D})."),
    ],
)
def test_data_must_be_a_real_matrix(bad, seen):
    message = "X must be a real matrix with at least one row and one column. " + seen
    with pytest.raises(ValueError, match=re.escape(message)):
        Objective(bad, MATRIX)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_data_must_be_finite(value):
    bad = X.copy()
    bad[3, 1] = bad[5, 0] = value
    message = "X must be finite. 2 entries are NaN or infinite: impute or drop."
    with pytest.raises(ValueError, match=re.escape(message)):
        Objective(bad, MATRIX)


def test_gamma_must_be_symmetric():
    bad = MATRIX.copy()
    bad[0, 1] += 1.0
    with pytest.raises(ValueError, match=re.escape("`gamma` must be symmetric. Entry (0, 1) is")):
        Objective(X, bad)


def test_gamma_must_fit_the_data():
    message = f"`gamma` must have one row per row of X, {N}. Got 3."
    with pytest.raises(ValueError, match=re.escape(message)):
        Objective(X, np.eye(3))


def test_unknown_names():
    with pytest.raises(ValueError, match=re.escape("`kernel` must be one of")):
        Objective(X, MATRIX, "rbf")
    with pytest.raises(ValueError, match=re.escape("`engine` must be one of")):
        Objective(X, MATRIX, engine="gpu")


@pytest.mark.parametrize("method", ["cost", "phi", "gradient", "point"])
@pytest.mark.parametrize("bad", [W.T, W[:, 0], W[:-1], W[None]])
def test_frame_must_have_a_row_per_feature(method, bad):
    message = f"`W` must be real with one row per feature, shape ({D}, q). Got dtype"
    with pytest.raises(ValueError, match=re.escape(message)):
        getattr(Objective(X, MATRIX), method)(bad)


def test_direction_must_fit_the_frame():
    objective = Objective(X, MATRIX)
    message = f"`Z` must have the shape of `W`, ({D}, {Q}). Got ({D}, 1)."
    with pytest.raises(ValueError, match=re.escape(message)):
        objective.hessian_vector(W, W[:, :1])
    with pytest.raises(ValueError, match=re.escape("`Z` must be real with one row per feature")):
        objective.hessian_vector(W, W.T)


# Kernels of one's own ----------------------------------------------------------------------------


def f(b):
    return np.exp(-b / 3.0)


def df(b):
    return -np.exp(-b / 3.0) / 3.0


def d2f(b):
    return np.exp(-b / 3.0) / 9.0


@pytest.mark.parametrize("pair", ["difference", "inner"])
def test_a_right_kernel_passes(pair):
    kernel = Custom(f, df, d2f, pair=pair)
    assert Objective(X, MATRIX, kernel).kernel is kernel


def test_a_right_kernel_is_the_built_in_one():
    ours, theirs = (
        Objective(X, MATRIX, Custom(f, df, d2f)),
        Objective(X, MATRIX, Gaussian(1.5**0.5)),
    )
    np.testing.assert_allclose(ours.phi(W), theirs.phi(W), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("pair", ["difference", "inner"])
@pytest.mark.parametrize(
    ("functions", "named"),
    [
        ((f, lambda b: -df(b), lambda b: -d2f(b)), "df"),
        ((f, lambda b: 2 * df(b), d2f), "df"),
        ((f, lambda b: 1.001 * df(b), d2f), "df"),
        ((f, df, lambda b: -d2f(b)), "d2f"),
        ((f, df, lambda b: 3 * d2f(b)), "d2f"),
        ((f, df, np.zeros_like), "d2f"),
    ],
)
def test_a_wrong_derivative_is_an_error(functions, named, pair):
    message = rf"`{named}` of Custom\(.* disagrees with the numerical derivative: at beta="
    with pytest.raises(InvalidKernelError, match=message):
        Objective(X, MATRIX, Custom(*functions, pair=pair))


def test_a_wrong_derivative_in_a_sum_is_an_error():
    wrong = Custom(f, lambda b: -df(b), d2f)
    with pytest.raises(InvalidKernelError, match="`df` of Custom"):
        Objective(X, MATRIX, Gaussian() + 0.5 * wrong)


@pytest.mark.parametrize(
    "bad",
    [lambda b: np.full_like(b, np.nan), lambda b: np.ones(1), lambda b: np.full_like(b, np.inf)],
)
def test_a_derivative_must_be_finite_and_of_the_shape_of_beta(bad):
    with pytest.raises(InvalidKernelError, match="must return finite values of the shape of beta"):
        Objective(X, MATRIX, Custom(f, bad, d2f))


class Slipped(AbstractKernel):
    """A kernel of a user's own class, with a slip in its slope."""

    pair = DIFFERENCE

    def f(self, beta):
        return 1.0 / (1.0 + beta)

    def df(self, beta):
        return -1.0 / (1.0 + beta)

    def d2f(self, beta):
        return 2.0 / (1.0 + beta) ** 3


def test_a_users_own_class_is_checked_too():
    with pytest.raises(InvalidKernelError, match=r"`df` of .*Slipped.* disagrees"):
        Objective(X, MATRIX, Slipped())


def test_complex_frames_are_refused():
    with pytest.raises(ValueError, match="`W` must be real"):
        Objective(X, MATRIX, Gaussian()).cost(np.eye(D, 2) * 1j)


def test_a_kernel_that_is_not_finite_is_refused():
    kernel = Custom(lambda b: b * np.nan, np.ones_like, np.zeros_like)
    with pytest.raises(InvalidKernelError, match="is not finite on these data"):
        Objective(X, MATRIX, kernel)


def test_a_kernel_that_is_rough_at_zero_is_judged_fairly():
    """Matern 5/2 in the squared distance: its third derivative is infinite at 0."""

    def f(b):
        r = np.sqrt(5 * b)
        return (1 + r + r**2 / 3) * np.exp(-r)

    def df(b):
        r = np.sqrt(5 * b)
        return -5 / 6 * (1 + r) * np.exp(-r)

    def d2f(b):
        return 25 / 12 * np.exp(-np.sqrt(5 * b))

    Objective(X, MATRIX, Custom(f, df, d2f))
    with pytest.raises(InvalidKernelError, match="`d2f` of Custom"):
        Objective(X, MATRIX, Custom(f, df, lambda b: 1.01 * d2f(b)))


def test_a_narrow_but_correct_kernel_is_accepted():
    """At 0.02 of a typical distance f' is 1e-244: its digits are no matter."""
    rate = 0.5 / 0.02**2

    def f(b):
        return np.exp(-rate * b)

    Objective(X, MATRIX, Custom(f, lambda b: -rate * f(b), lambda b: rate**2 * f(b)))
    with pytest.raises(InvalidKernelError, match="`df` of Custom"):
        Objective(X, MATRIX, Custom(f, lambda b: rate * f(b), lambda b: rate**2 * f(b)))


def test_what_the_caller_does_to_x_later_is_no_matter():
    mine = X.copy()
    objective = Objective(mine, MATRIX, "linear")
    before = objective.cost(W)
    mine *= 2.0
    assert objective.cost(W + 0.0) == before
    assert objective.phi(W)[0, 0] == Objective(X, MATRIX, "linear").phi(W)[0, 0]
