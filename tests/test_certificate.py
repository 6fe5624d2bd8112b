"""The certificate against the Hessian written out in full."""

import numpy as np
import pytest
from scipy.optimize import brentq

from hsiclearn import Objective, certify, solve
from hsiclearn.gamma import ClassTable, LowRank
from hsiclearn.kernels import Gaussian, Linear, Polynomial
from problems import standardised


def riemannian_hessian(objective, W):
    """The matrix of Hess and of T_1 on an orthonormal basis of horizontal directions."""
    d, q = W.shape
    B = np.linalg.qr(W, mode="complete")[0][:, q:]
    phi = objective.phi(W)
    directions = [np.outer(b, e) for b in B.T for e in np.eye(q)]
    P = np.eye(d) - W @ W.T
    hess, t1 = [], []
    for Z in directions:
        phi_dot_W = objective.hessian_vector(W, Z) / 2 - phi @ Z
        t1.append([np.vdot(V, phi_dot_W) for V in directions])
        image = P @ (2 * phi @ Z + 2 * phi_dot_W) - 2 * Z @ (W.T @ phi @ W)
        hess.append([np.vdot(V, image) for V in directions])
    return np.array(hess), np.array(t1)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(3.0), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("q", [1, 2])
def test_curvature_gap_and_theorem_against_dense_matrices(kernel, q):
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), kernel)
    W = solve(X, objective.gamma, kernel, q).W
    certificate = certify(objective, W)
    hess, t1 = riemannian_hessian(objective, W)
    phi = objective.phi(W)
    norm = np.linalg.norm(phi)
    values = np.linalg.eigvalsh(phi)
    gap = values[q] - values[q - 1]

    np.testing.assert_allclose(hess, hess.T, atol=1e-8 * np.abs(hess).max())
    lowest = np.linalg.eigvalsh(hess)[0]
    assert certificate.curvature == pytest.approx(lowest / (2 * norm), rel=1e-6)
    assert certificate.eigengap == pytest.approx(gap / norm, rel=1e-8)
    is_lowest = np.trace(W.T @ phi @ W) - values[:q].sum() <= 1e-6 * norm
    assert certificate.is_lowest == is_lowest
    theorem1 = is_lowest and gap >= -np.linalg.eigvalsh(t1)[0] - 1e-6 * norm
    assert certificate.theorem1 == theorem1


def test_theorem1_implies_second_order_and_fails_where_it_must():
    """The gap condition is sufficient, so wherever it holds the curvature is non-negative."""
    verdicts = set()
    for share in (1.0, 0.5, 0.25, 0.12):
        for q in (1, 2, 4):
            X, y, median = standardised("wine")
            certificate = solve(X, ClassTable.centered(y), Gaussian(share * median), q).certificate
            verdicts.add(certificate.theorem1)
            assert certificate.second_order or not certificate.theorem1
    assert verdicts == {True, False}


def test_a_saddle_is_not_certified():
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Linear())
    vectors = np.linalg.eigh(objective.phi_at_zero)[1]
    best, saddle = certify(objective, vectors[:, :2]), certify(objective, vectors[:, [0, 5]])
    assert best.second_order
    assert best.is_lowest
    assert saddle.stationarity <= 1e-12
    assert not saddle.second_order
    assert not saddle.is_lowest
    assert saddle.curvature < -0.01


def test_a_point_off_the_optimum_is_not_stationary():
    X, y, median = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(median))
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((13, 2)))[0]
    certificate = certify(objective, W)
    phi = objective.phi(W)
    expected = np.linalg.norm(phi @ W - W @ (W.T @ phi @ W)) / np.linalg.norm(phi)
    assert certificate.stationarity == pytest.approx(expected, rel=1e-10)
    assert certificate.stationarity > 1e-3


def test_figures_are_free_of_scale():
    X, y, median = standardised("wine")
    gamma = ClassTable.centered(y)
    W = solve(X, gamma, Gaussian(median), 2).W
    plain = certify(Objective(X, gamma, Gaussian(median)), W)
    scaled = certify(Objective(X, 1e6 * gamma, Gaussian(median)), W)
    assert scaled.curvature == pytest.approx(plain.curvature, rel=1e-8)
    assert scaled.eigengap == pytest.approx(plain.eigengap, rel=1e-8)


@pytest.mark.parametrize(("name", "expected"), [("wine", True), ("digits", False)])
def test_full_rank(name, expected):
    """Digits has three constant pixels: Phi cannot have full rank there."""
    X, y, _ = standardised(name)
    X, y = X[:300], y[:300]
    certificate = certify(
        Objective(X, ClassTable.centered(y), Gaussian(5.0)), np.eye(X.shape[1], 2)
    )
    assert certificate.full_rank is expected


def test_large_problems_are_judged_by_exact_spectra():
    """d > 200: eigenvectors 0 and 2 are stationary but not lowest, and must not pass for it."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 300))
    y = rng.integers(0, 6, 400)
    objective = Objective(X, ClassTable.centered(y), Linear())
    values, vectors = np.linalg.eigh(objective.phi_at_zero)
    assert not certify(objective, vectors[:, [0, 2]]).is_lowest
    best = certify(objective, vectors[:, :2])
    assert best.is_lowest
    assert best.eigengap == pytest.approx(
        (values[2] - values[1]) / np.linalg.norm(values), rel=1e-6
    )


def stationary_lines(objective):
    """All stationary W for d = 2, q = 1: zeros of the gradient as a function of the angle."""

    def frame(angle):
        return np.array([[np.cos(angle)], [np.sin(angle)]])

    def slope(angle):
        turn = np.array([-np.sin(angle), np.cos(angle)])
        return turn @ objective.gradient(frame(angle))[:, 0]

    grid = np.linspace(0.0, np.pi, 181)
    slopes = [slope(angle) for angle in grid]
    for left, right, a, b in zip(grid, grid[1:], slopes, slopes[1:], strict=False):
        if a * b < 0:
            yield brentq(slope, left, right, xtol=1e-13), frame


def test_the_sign_of_t1():
    """Lowest eigenvectors may be maxima; there "gap >= T_1" holds and "gap >= -T_1" does not."""
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((20, 2)), np.arange(20) % 2
        objective = Objective(X, ClassTable.centered(y), Gaussian(0.5))
        for angle, frame in stationary_lines(objective):
            h = 1e-4
            bend = objective.cost(frame(angle + h)) + objective.cost(frame(angle - h))
            curvature = (bend - 2 * objective.cost(frame(angle))) / h**2
            W, Z = frame(angle), frame(angle + np.pi / 2)
            phi = objective.phi(W)
            gap = float((Z.T @ phi @ Z - W.T @ phi @ W)[0, 0])
            t1 = float(np.vdot(Z, objective.phi_dot(W, Z)))
            assert curvature == pytest.approx(2 * (gap + t1), abs=1e-4 * np.linalg.norm(phi))
            if gap > 0 > curvature:
                found += 1
                assert gap >= t1
                assert gap < -t1
                assert certify(objective, W).theorem1 is False
    assert found >= 3


@pytest.mark.parametrize(
    ("W", "match"),
    [
        (np.full((13, 1), np.nan), "must be finite. 13 of 13 entries"),
        (np.eye(13, 14), r"1 <= q <= 13. Got dtype float64, shape \(13, 14\)"),
        (np.eye(5, 2), r"shape \(13, q\)"),
        (np.eye(13)[0], r"shape \(13,\)"),
        (np.eye(13, 2, dtype=complex), "must be real"),
        (2.0 * np.eye(13, 2), r"\|W'W - I\|_F is 4.24.*np.linalg.qr"),
        (np.zeros((13, 1)), "orthonormal"),
    ],
)
def test_only_a_basis_is_certified(W, match):
    X, y, median = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(median))
    with pytest.raises(ValueError, match=match):
        certify(objective, W)


def test_where_phi_vanishes_at_the_optimum_the_curvature_is_the_yardstick():
    """Of two collinear columns the best W may lean out of their row space: Phi is 0 there."""
    x = np.random.default_rng(0).standard_normal((80, 1))
    objective = Objective(np.hstack([x, 2 * x]), LowRank.centered(np.sin(3 * x)), Gaussian(0.1))

    def leaning(angle):
        return np.array([[np.cos(angle)], [np.sin(angle)]])

    def slope(angle):
        return np.vdot(objective.gradient(leaning(angle)), leaning(angle + np.pi / 2))

    along = np.arctan(2.0)
    angle = brentq(slope, along - 1.55, along - 0.5, xtol=1e-15)
    best = leaning(angle)
    certificate, off = certify(objective, best), certify(objective, leaning(angle + 1e-3))
    assert objective.point(best).norm < 1e-9 * abs(objective.cost(best))
    assert not objective.point(best).vanishes
    assert certificate.verified
    assert off.stationarity > 0.1
