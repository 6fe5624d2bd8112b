"""Features of projected rows on a device: the same numbers as of numpy."""

import numpy as np
import pytest
from scipy.special import gammainc

from foreign_arrays import LIBRARIES, make
from hsiclearn._devices import to_host
from hsiclearn._engines.features import (
    Candidates,
    MonomialFeatures,
    NystromFeatures,
    TaylorFeatures,
    farthest_rows,
)
from hsiclearn._engines.features.tails import poisson_tail
from hsiclearn._rows import DeviceRows, as_rows
from hsiclearn.kernels import Cauchy, Gaussian, Polynomial, RelativeGaussian, Squared
from registry import orthonormal

w = np.random.default_rng(0).standard_normal((60, 3))
SCALES = np.random.default_rng(1).uniform(0.5, 2.0, 60)
FEATURES = {
    "landmarks": NystromFeatures(Gaussian(2.0), 1, Candidates(w), 1e-8, 50),
    "landmarks of a slope": NystromFeatures(Cauchy(2.0), 1, Candidates(w), 1e-8, 50),
    "with scales": NystromFeatures(RelativeGaussian(5), 1, Candidates(w, SCALES), 1e-8, 50),
    "monomials": MonomialFeatures(Polynomial(3, 2.0), 0, 3),
    "norms": MonomialFeatures(Squared(), 0, 3),
    "series": TaylorFeatures(-0.5, 6, 3),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", FEATURES)
def test_values_sums_and_what_is_missing(library, name):
    features = FEATURES[name]
    scales = SCALES if name == "with scales" else None
    right = features.values(w, scales, None)
    placed = None if scales is None else make(library, scales)
    ours = features.values(make(library, w), placed, None)
    np.testing.assert_allclose(to_host(ours), right, rtol=1e-12, atol=1e-14)
    A = right.T @ w
    for by in (features.whiten, features.unwhiten):
        B = A if by == features.whiten else features.whiten(A)
        stacked = to_host(by(make(library, np.stack([B, 2.0 * B]))))
        np.testing.assert_allclose(stacked[0], by(B), rtol=1e-9, atol=1e-9 * np.abs(by(B)).max())
        np.testing.assert_allclose(stacked[1], 2.0 * stacked[0], rtol=1e-12)
    if features.is_bounded:
        missing = features.missing(right.copy())
        np.testing.assert_allclose(to_host(features.missing(ours)), missing, atol=1e-13)


@pytest.mark.parametrize("m", [2, 7, 21])
def test_tail_of_a_poisson_variable(m):
    x = np.concatenate([[0.0, 1e-9, 1e-3], np.linspace(0.1, 800.0, 4000)])
    np.testing.assert_allclose(poisson_tail(m, x), gammainc(m, x), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("n", [30, 5000, 100_000])
def test_farthest_rows_are_those_of_numpy(n):
    """Of many rows they are looked for in groups first."""
    X = np.random.default_rng(2).standard_t(3, (n, 3))
    W = orthonormal(3, 2, seed=7)
    right = farthest_rows(as_rows(X), W, 40)
    ours = farthest_rows(DeviceRows(make("strict", X), budget=8 * 18 * n // 3), W, 40)
    np.testing.assert_array_equal(ours.places, right.places)
    np.testing.assert_allclose(ours.w, right.w, rtol=1e-12)
