"""Features of projected rows: what they reproduce, and what they say they leave out."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from scipy.special import gammainc

from hsiclearn.engines.features import Candidates, NystromFeatures, TaylorFeatures
from hsiclearn.engines.features.powers import Powers
from hsiclearn.kernels import Cauchy, Gaussian, RelativeGaussian

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
