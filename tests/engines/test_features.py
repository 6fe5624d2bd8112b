"""Features of projected rows: what they reproduce, and what they say they leave out."""

import tracemalloc
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from scipy.special import gammainc

from hsiclearn import Objective, solve
from hsiclearn._engines.features import (
    Candidates,
    MonomialFeatures,
    NystromFeatures,
    TaylorFeatures,
)
from hsiclearn._engines.features.monomials import Powers
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable, GaussianColumn, LowRank
from hsiclearn.kernels import Cauchy, Gaussian, InverseMultiquadratic, Polynomial, RelativeGaussian

w = np.random.default_rng(0).standard_normal((60, 3))
SQUARES = np.sum((w[:, None] - w[None]) ** 2, axis=2)


@pytest.mark.parametrize("q", [1, 2, 4])
@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_every_monomial_once(q, degree):
    powers = Powers(q, degree)
    wanted = {a for k in range(degree + 1) for a in combinations_with_replacement(range(q), k)}
    assert {tuple(sorted(axes)) for axes in powers.axes} == wanted
    assert powers.size == len(wanted) == comb(q + degree, degree)
    v = np.random.default_rng(1).standard_normal((q, 7))
    columns = np.ones((powers.size, 7))
    powers.fill(columns, v)
    for axes, column in zip(powers.axes, columns, strict=True):
        np.testing.assert_allclose(column, np.prod(v[list(axes)], axis=0), rtol=1e-13)


def written_out(features):
    C = features.values(w, None, None)
    B = features.whiten(C.T)
    return B.T @ (features.signs[:, None] * B), C


@pytest.mark.parametrize("degree", [2, 4, 9])
def test_a_taylor_series_leaves_out_what_it_says(degree):
    features = TaylorFeatures(-0.5 / 2.0**2, degree, 3)
    series, C = written_out(features)
    rest = np.exp(-SQUARES / 8.0) - series
    np.testing.assert_allclose(np.diag(rest), features.missing(C), atol=1e-14)
    np.testing.assert_allclose(
        np.diag(rest), gammainc(degree + 1, np.sum(w**2, axis=1) / 4.0), atol=1e-14
    )
    assert np.linalg.eigvalsh(rest).min() > -1e-13  # positive definite, hence the bound


def test_the_degree_follows_the_tolerance():
    degrees = [TaylorFeatures.fitting(Gaussian(4.0), w, rtol).size for rtol in (1e-2, 1e-5, 1e-8)]
    assert degrees == sorted(set(degrees))


@pytest.mark.parametrize("kernel", [Cauchy(4.0), Gaussian(0.1), RelativeGaussian()])
def test_no_short_series(kernel):
    assert TaylorFeatures.fitting(kernel, w, 1e-6) is None


@pytest.mark.parametrize("rtol", [1e-2, 1e-5, 1e-9])
def test_no_candidate_is_left_with_more_than_the_tolerance(rtol):
    features = NystromFeatures(Gaussian(1.0), 0, Candidates(w), rtol, 60)
    series, C = written_out(features)
    rest = np.exp(-SQUARES / 2.0) - series
    assert np.abs(np.diag(rest)).max() <= rtol
    np.testing.assert_allclose(np.diag(rest), features.missing(C), atol=1e-12)
    assert np.linalg.eigvalsh(rest).min() > -1e-12
    assert not features.is_exhausted or features.size == 60


def test_landmarks_are_not_more_than_allowed():
    features = NystromFeatures(Gaussian(0.1), 0, Candidates(w), 1e-9, 10)
    assert features.size == 10
    assert features.is_exhausted


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("degree", [3, 21, 40])
def test_monomials_reproduce_a_polynomial_of_any_degree(degree, order):
    kernel = Polynomial(degree, 1.0)
    series, _ = written_out(MonomialFeatures(kernel, order, 3))
    exact = (kernel.f, kernel.df, kernel.d2f)[order](w @ w.T)
    np.testing.assert_allclose(series, exact, rtol=1e-9, atol=1e-12 * np.abs(exact).max())


def test_polynomials_of_high_degree_in_linear_time():
    X = np.random.default_rng(2).standard_normal((50, 4)) / 10
    gamma = ClassTable.centered((X[:, 0] > 0).astype(int))
    found, expected = (solve(X, gamma, Polynomial(25), 2, engine=e) for e in ("features", "dense"))
    assert found.cost == pytest.approx(expected.cost, rel=1e-10)
    assert found.certificate.verified


def test_all_columns_of_a_polynomial_stay_small():
    """Of 39,711 monomials no square matrix, and no sums where landmarks will do."""
    X = np.random.default_rng(3).standard_normal((120, 60))
    gamma = ClassTable.centered((X[:, 0] > 0).astype(int))
    tracemalloc.start()
    phi = Objective(X, gamma, Polynomial(3), "features").point(np.eye(60)).phi
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * 2**20
    expected = Objective(X, gamma, Polynomial(3), "dense").phi(np.eye(60))
    assert np.linalg.norm(phi - expected) <= 1e-6 * np.linalg.norm(expected)
    size = MonomialFeatures(Polynomial(2), 0, 60)
    assert size.whiten(np.ones((size.size, 1))).shape == (comb(62, 2), 1)


@pytest.mark.parametrize(("engine", "kernel"), [("nystrom", Cauchy()), ("features", Polynomial(2))])
def test_a_gamma_that_is_nothing_has_no_roots(engine, kernel):
    X = np.random.default_rng(0).standard_normal((6, 2))
    point = Objective(X, ClassTable.centered(np.zeros(6, int)), kernel, engine).point(np.eye(2))
    assert point.cost == 0.0
    assert not np.any(point.phi)


def test_slopes_whose_squares_vanish_have_landmarks():
    """A kernel that is not definite is decomposed by its square: slopes of 1e-200 have none."""
    rng = np.random.default_rng(0)
    w = 1e60 * rng.standard_normal((8, 1))
    kernel = RelativeGaussian(3)
    found = NystromFeatures(kernel, 2, Candidates(w, kernel.row_scales(w)), 1e-6, 100)
    assert found.size > 0


def test_landmarks_do_not_prove_what_cancels():
    """Rows a hundred bandwidths apart: Phi is exp(-5000), of which sums over rows see nothing."""
    rng = np.random.default_rng(1)
    X = 100.0 * (rng.standard_normal((9, 2)) > 0.0)
    rng = np.random.default_rng(1)
    gamma = LowRank(rng.standard_normal((9, 2)), rng.standard_normal(2))
    with pytest.warns(NotConvergedWarning, match="Phi vanishes"):
        result = solve(X, gamma, Gaussian(1.0), 1, engine="nystrom", random_state=2)
    assert not result.certificate.verified


def test_rows_that_are_all_equal_have_an_error():
    gamma = GaussianColumn(np.array([0.13, -0.13]), 0.01)
    objective = Objective(np.zeros((2, 1)), gamma, InverseMultiquadratic(1.0), "nystrom")
    assert np.isfinite(objective.engine_error(objective.point(np.eye(1))).relative)
