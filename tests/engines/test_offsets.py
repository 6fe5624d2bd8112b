"""Rows far from 0: the same answer where no sum sees the mean, and no claim where one does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from hsiclearn import Objective, SupervisedHSIC, certify, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Custom, Gaussian, Linear, Polynomial, Squared

_RNG = np.random.default_rng(0)
X = _RNG.standard_normal((60, 4))
CODES = (X[:, 1] + 0.5 * X[:, 2] + 0.3 * _RNG.standard_normal(60) > 0).astype(int)
GAMMA = ClassTable.centered(CODES)
INVARIANT = [Linear(), Polynomial(1, 2.0), Gaussian(1.0) + 0.5 * Linear(), -1.0 * Squared()]
FORMS = {
    "dense": (lambda Z: Z, "dense"),
    "tiled": (lambda Z: Z, "tiled"),
    "nystrom": (lambda Z: Z, "nystrom"),
    "sparse": (sparse.csr_array, "nystrom"),
    "stream": (lambda Z: lambda: iter([Z[:25], Z[25:]]), "nystrom"),
    "sparse stream": (
        lambda Z: lambda: iter([sparse.csr_array(Z[:25]), sparse.csr_array(Z[25:])]),
        "nystrom",
    ),
}


@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", INVARIANT, ids=repr)
def test_the_mean_is_not_seen(kernel, form, offset):
    far = X + offset
    near = far - offset  # exact: the two differ by less than a factor of 2
    convert, engine = FORMS[form]
    found = solve(convert(far), GAMMA, kernel, 1, engine=engine, tol=1e-8)
    expected = solve(near, GAMMA, kernel, 1, engine="dense", tol=1e-8)
    assert found.certificate.verified
    assert found.certificate.rounding == 0.0
    allowed = 1e-7 if engine in ("dense", "tiled") else 1e-6
    assert sine_of_largest_angle(found.W, expected.W) <= allowed
    assert found.cost == pytest.approx(expected.cost, rel=1e-6)
    assert found.certificate.curvature == pytest.approx(expected.certificate.curvature, rel=1e-3)
    if found.engine_error.guaranteed:
        phi = Objective(near, GAMMA, kernel, "dense").phi(found.W)
        difference = Objective(convert(far), GAMMA, kernel, engine).phi(found.W) - phi
        assert np.linalg.norm(difference) <= 1e-5 * np.linalg.norm(phi)


def test_features_of_a_subset_stay_centred():
    far = sparse.csr_array(X + 1e8)
    objective = Objective(far, GAMMA, Gaussian(2.0), "nystrom").subset(np.arange(40))
    near = (far.toarray() - 1e8)[:40]
    expected = Objective(near, GAMMA.take(np.arange(40)), Gaussian(2.0), "dense")
    W = np.linalg.qr(np.ones((4, 1)))[0]
    assert np.allclose(objective.phi(W), expected.phi(W), rtol=1e-5, atol=1e-5)


def _integers(a, bits):
    """``2^bits a`` in integers of any length."""
    return np.array([[round(int(2**bits) * Fraction(v)) for v in row] for row in a], dtype=object)


def _exact_phi(Z, gamma, kernel, W):
    """``-X' (Gamma o f') X`` of the polynomial kernel, without any rounding."""
    Z, W, gamma = _integers(Z, 24), _integers(W, 24), _integers(gamma, 64)
    p, c = kernel.degree, int(kernel.coef0) * 2**96
    S = gamma * (p * ((Z @ W) @ (Z @ W).T + c) ** (p - 1))
    unit = Fraction(1, 2 ** (48 + 64 + 96 * (p - 1)))
    return [[-value * unit for value in row] for row in Z.T @ S @ Z]


@pytest.mark.parametrize("engine", ["dense", "tiled", "features"])
@pytest.mark.parametrize("kernel", [Polynomial(2), Polynomial(3, 0.0)], ids=repr)
def test_rounding_is_bounded_where_the_mean_is_seen(kernel, engine):
    W = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 2)))[0].round(5)
    W, Z = (np.round(a * 2**20) / 2**20 for a in (W, X[:30]))
    gamma = ClassTable.centered(CODES[:30])
    for offset in (0.0, 1e3, 1e6):
        objective = Objective(Z + offset, gamma, kernel, engine)
        point = objective.point(W)
        exact = _exact_phi(Z + offset, gamma.to_dense(), kernel, W)
        differences = [
            float(Fraction(ours) - theirs)
            for ours, theirs in zip(point.phi.ravel(), np.ravel(exact), strict=True)
        ]
        error, bound = np.linalg.norm(differences) / point.norm, objective.rounding(point)
        assert error <= bound <= 1e4 * max(error, 1e-16)


@pytest.mark.parametrize("form", ["dense", "tiled", "sparse", "stream"])
@pytest.mark.parametrize("offset", [1e6, 1e8, 1e12])
def test_nothing_is_verified_beyond_rounding(form, offset):
    convert, engine = FORMS[form]
    engine = "features" if engine == "nystrom" else engine
    far = convert(X + offset)
    with pytest.warns(NotConvergedWarning, match="centre them"):
        found = solve(far, GAMMA, Polynomial(2), 1, engine=engine)
    certificate = found.certificate
    assert certificate.lost_in_rounding
    assert not certificate.verified
    assert not certificate.is_lowest
    assert certificate.second_order is None
    assert certificate.theorem1 is None
    assert "rounding" in certificate.verdict
    assert found.engine_error.relative >= found.engine_error.rounding == certificate.rounding


def test_moderate_rows_are_verified():
    for kernel in (Polynomial(2), Polynomial(3), Gaussian(1.0) + Polynomial(2)):
        for engine in ("dense", "tiled"):
            found = solve(X + 3.0, GAMMA, kernel, 1, engine=engine)
            assert found.certificate.verified
            assert 0.0 < found.certificate.rounding <= 1e-10


def test_a_gamma_that_is_not_centred_sees_the_mean():
    gamma = Dense(GAMMA.to_dense() + 1.0)
    objective = Objective(X + 100.0, gamma, Linear())
    W = np.eye(4)[:, :1]
    direct = -(X + 100.0).T @ gamma.matrix @ (X + 100.0)
    assert np.allclose(objective.phi(W), direct, rtol=1e-12)
    assert 0.0 < certify(objective, W).rounding <= 1e-12


def test_a_kernel_of_ones_own_is_bounded_too():
    cube = Custom(lambda b: b**3, lambda b: 3 * b**2, lambda b: 6 * b, pair="inner")
    W = np.eye(4)[:, :1]
    for offset in (1.0, 1e6):
        ours, theirs = (
            Objective(X + offset, GAMMA, kernel) for kernel in (Polynomial(3, 0.0), cube)
        )
        assert theirs.rounding(theirs.point(W)) == pytest.approx(ours.rounding(ours.point(W)), 1e-6)


def test_the_estimator_warns_of_rounding():
    with pytest.warns(ConvergenceWarning, match="StandardScaler"):
        found = SupervisedHSIC(1, kernel=Polynomial(2), init="phi-zero").fit(X + 1e7, CODES)
    assert not found.certificate_.verified
