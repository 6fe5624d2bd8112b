"""Several real columns by components: against all pairs, at the accuracy asked for."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._engines import DenseEngine, NystromEngine
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn.gamma import Dense, GaussianColumns
from hsiclearn.kernels import Gaussian
from naive import assert_close
from registry import orthonormal

N, BANDWIDTH = 400, 1.6
TARGETS = {
    "normal": np.random.default_rng(0).standard_normal((N, 3)),
    "heavy tails": np.random.default_rng(1).standard_t(2.0, (N, 2)),
    "repeated": np.random.default_rng(2).integers(0, 4, (N, 3)).astype(float),
}


def centred(Y):
    square = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    H = np.eye(len(Y)) - 1.0 / len(Y)
    return H @ np.exp(-square / (2 * BANDWIDTH**2)) @ H


@pytest.fixture(params=TARGETS)
def Y(request):
    return TARGETS[request.param]


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-8])
def test_the_error_between_rows_is_the_share_asked_for(Y, rtol):
    gamma = GaussianColumns(Y, BANDWIDTH, rtol=rtol)
    off = ~np.eye(N, dtype=bool)
    missing = np.abs(gamma.apply(np.eye(N)) - centred(Y))[off].sum()
    assert missing <= 10 * rtol * np.abs(centred(Y))[off].sum()
    assert_close(gamma.to_dense(), centred(Y), 5 * rtol, scale=1.0)  # the means


def test_fewer_components_than_landmarks_and_fewer_for_less(Y):
    coarse, fine = (GaussianColumns(Y, BANDWIDTH, rtol=r) for r in (1e-3, 1e-6))
    assert coarse.rank <= fine.rank <= fine._components.landmarks.shape[0]
    assert coarse.finer().rtol == pytest.approx(1e-5)


def test_chosen_rows(Y):
    index, gamma = np.arange(0, N, 2), GaussianColumns(Y, BANDWIDTH, rtol=1e-9)
    part = centred(Y)[np.ix_(index, index)]
    off = ~np.eye(index.size, dtype=bool)
    # Of rows that are centred by others the mean of what they have alone is not known.
    assert np.abs(gamma.take(index).to_dense() - part)[off].max() <= 5.0 / N
    assert not gamma.take(index).is_centered
    again = gamma.centered_on(index)
    assert_close(again.to_dense(), centred(Y[index]), 1e-8, scale=1.0)
    assert again.is_centered


@pytest.mark.parametrize("name", ["normal", "repeated"])
def test_eigenpairs_are_those_of_the_matrix(name):
    Y = TARGETS[name]
    U, s = GaussianColumns(Y, BANDWIDTH, rtol=1e-9).factors(4)
    np.testing.assert_allclose(U.T @ U, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(s, np.linalg.eigvalsh(centred(Y))[:-5:-1], rtol=1e-6)


@pytest.mark.parametrize("d", [3, 12])
def test_sums_in_linear_time_are_those_of_all_pairs(Y, d):
    """Phi, Hessian products and blocks; once X is the narrower side of a product, once not."""
    X = np.random.default_rng(4).standard_normal((N, d))
    W, Z = orthonormal(d, 2, seed=5), orthonormal(d, 2, seed=6)
    exact = DenseEngine(X, Dense(centred(Y)), Gaussian(1.7))
    found = NystromEngine(X, GaussianColumns(Y, BANDWIDTH, rtol=1e-9), Gaussian(1.7), rtol=1e-12)
    assert_close(found.contract(W)[1], exact.contract(W)[1], 1e-6)
    assert_close(found.multiply(W, W, Z), exact.multiply(W, W, Z), 1e-6)
    assert_close(found.hessian_blocks(W), exact.hessian_blocks(W), 1e-6)


def test_a_target_of_several_columns_and_many_rows_takes_it():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6000, 4))
    target = read_target(X[:, :2] + 0.5 * rng.standard_normal((6000, 2)))
    gamma, W = supervised_gamma(target), orthonormal(4, 2, seed=1)
    assert isinstance(gamma, GaussianColumns)
    found = Objective(X, gamma, Gaussian(2.0), "nystrom", rtol=1e-8).phi(W)
    exact = Objective(X, gamma, Gaussian(2.0), "tiled").phi(W)  # pair by pair it is exact
    assert_close(found, exact, 1e-5)


def test_columns_far_from_zero_have_the_same_kernel():
    Y = TARGETS["normal"]
    here, far = (GaussianColumns(Y + shift, BANDWIDTH).to_dense() for shift in (0.0, 1e6))
    assert_close(far, here, 1e-8)
