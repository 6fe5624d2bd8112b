"""How two rows meet, pair by pair, wherever the rows are and however they lie in memory."""

import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn._devices import to_host
from hsiclearn.kernels import DIFFERENCE, INNER, Gaussian, Polynomial
from hsiclearn.kernels._pairs import as_pair
from naive import assert_close

RNG = np.random.default_rng(29)
W, Z, B = (RNG.standard_normal((7, 2)) for _ in range(3))
S = RNG.standard_normal((7, 7))
D = np.diag(S.sum(axis=1))
LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "single": lambda a: a.astype(np.float32),
    "strict": lambda a: make("strict", a),
}
OF = {
    "inner": (W @ W.T, W @ Z.T + Z @ W.T, S),
    "difference": (
        ((W[:, None] - W) ** 2).sum(axis=2),
        2.0 * ((W[:, None] - W) * (Z[:, None] - Z)).sum(axis=2),
        2.0 * (D - S),
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", OF)
def test_beta_and_its_derivative_are_products_of_thin_factors(name, layout):
    pair, (beta, dot, _) = as_pair(name), OF[name]
    w, z = (LAYOUTS[layout](a) for a in (W, Z))
    rtol = 1e-6 if layout == "single" else 1e-14
    left, right = pair.beta_factors(w)
    assert left.dtype == right.dtype == w.dtype
    assert_close(to_host(pair.beta(left[2:, :], right[:5, :])), beta[2:, :5], rtol, beta.max())
    dots = [to_host(a) for a in pair.beta_dot_factors(w, z)]
    assert_close(dots[0] @ dots[1].T, dot, rtol)
    kept = w[...] if layout == "strict" else w.copy()
    np.testing.assert_array_equal(to_host(w), to_host(kept))


def test_whole_numbers_have_distances():
    w = np.array([[0, 3], [4, 0]])
    np.testing.assert_array_equal(DIFFERENCE.beta(*DIFFERENCE.beta_factors(w)), [[0, 25], [25, 0]])


def test_squared_distances_have_no_sign_and_go_where_they_are_told():
    w = 1e8 + RNG.standard_normal((9, 3))
    left, right = DIFFERENCE.beta_factors(w)
    assert (left @ right.T).min() < 0.0
    space = np.empty(81)
    for pair in (DIFFERENCE, INNER):
        beta = pair.beta(left, right, space)
        assert np.shares_memory(beta, space)
        product = left @ right.T
        expected = np.abs(product) if pair is DIFFERENCE else product
        np.testing.assert_array_equal(beta, expected)


@pytest.mark.parametrize("name", OF)
def test_contractions(name):
    """``c L(S)``: S, or twice the row sums less S."""
    pair, (_, _, L) = as_pair(name), OF[name]
    assert_close(pair.contraction(S @ B, S.sum(axis=1), B), L @ B, 1e-14)
    assert_close(pair.contracted(B.T @ S @ B, S.sum(axis=1), B), B.T @ L @ B, 1e-14)
    assert_close(pair.combined(B.T @ D @ B, B.T @ S @ B), B.T @ L @ B, 1e-14)
    assert as_pair(pair) is pair
    assert pair.name == name
    assert pair.is_difference == (name == "difference")


def test_a_kernel_says_what_its_rows_may_do():
    """Differences never see a shift; inner products not to the first power, if centred."""
    for kernel, plain, centred in (
        (Gaussian(), True, True),
        (Polynomial(1), False, True),
        (Polynomial(2), False, False),
        (Polynomial(1) + Gaussian(), False, True),
    ):
        assert kernel.ignores_shifts(centered=False) == plain
        assert kernel.ignores_shifts(centered=True) == centred


@pytest.mark.parametrize("degree", range(1, 9))
def test_powers_by_products(degree):
    beta = np.linspace(-2.0, 3.0, 7)
    kernel = Polynomial(degree, 0.5)
    np.testing.assert_allclose(kernel.f(beta), (beta + 0.5) ** degree)
    np.testing.assert_allclose(kernel.df(beta), degree * (beta + 0.5) ** (degree - 1))
    second = degree * (degree - 1) * (beta + 0.5) ** max(degree - 2, 0)
    np.testing.assert_allclose(kernel.d2f(beta), second)
    polynomial = np.polynomial.Polynomial(kernel.coefficients)
    np.testing.assert_allclose(polynomial(beta), kernel.f(beta))
