"""Features that are held: one smooth function of W, at its anchor those chosen there."""

import numpy as np
import pytest

from hsiclearn._engines import NystromEngine
from hsiclearn._linalg import orthonormal_basis
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, RationalQuadratic, RelativeGaussian
from naive import assert_close
from registry import orthonormal

N, D = 3000, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D))
GAMMA = ClassTable.centered((X[:, 0] > 0).astype(int) + (X[:, 1] > 0.3))
W = orthonormal(D, 2, seed=1)
NARROW, WIDE = Gaussian(0.8), Gaussian(8.0)


def turned(angle):
    return orthonormal_basis(W + angle * orthonormal(D, 2, seed=2))


@pytest.mark.parametrize("kernel", [NARROW, WIDE, RationalQuadratic(), RelativeGaussian()])
def test_at_its_anchor_nothing_changes_and_nearby_little(kernel):
    rows = X[:400] if kernel.has_row_scales else X
    fresh = NystromEngine(rows, GAMMA.take(np.arange(len(rows))), kernel, rtol=1e-7)
    held = fresh.held_at(W)
    assert held.total(W) == fresh.total(W)
    np.testing.assert_array_equal(held.contract(W)[1], fresh.contract(W)[1])
    near = turned(0.05)
    assert held.total(near) == pytest.approx(fresh.total(near), rel=1e-5)
    assert_close(held.contract(near)[1], fresh.contract(near)[1], 1e-5)
    assert_close(held.multiply(near, near, W), fresh.multiply(near, near, W), 1e-2)


def test_landmarks_follow_w():
    """``sum Gamma o k(w, Z) k(Z, Z)^-1 k(Z, w)`` with the rows of the anchor, written out."""
    held, near = NystromEngine(X, GAMMA, NARROW, rtol=1e-4).held_at(W), turned(0.3)
    [(_, features)] = held._passes.features(W, 0)
    w, Z = X @ near, (X @ near)[features.landmarks.places]
    w, Z = (v - X.mean(axis=0) @ near for v in (w, Z))
    K = NARROW.f(((w[:, None] - Z) ** 2).sum(axis=2))
    G = NARROW.f(((Z[:, None] - Z) ** 2).sum(axis=2))
    expected = np.sum(GAMMA.to_dense() * (K @ np.linalg.solve(G, K.T)))
    assert held.total(near) == pytest.approx(expected, rel=1e-9)


def roughness(engine):
    """The third differences of the cost along a curve, beside the cost."""
    costs = np.array([engine.total(turned(a)) for a in np.arange(8) * 1e-4])
    return np.abs(np.diff(costs, 3)).max() / np.abs(costs[0])


def test_held_costs_are_smooth_where_fresh_ones_jump():
    fresh = NystromEngine(X, GAMMA, NARROW, rtol=1e-4)
    held = fresh.held_at(W)
    assert roughness(held) <= 1e-10
    assert roughness(fresh) > 1e-8
    assert held.noise < 1e-14 < fresh.noise


def test_a_series_is_the_same_everywhere():
    held = NystromEngine(X, GAMMA, WIDE, rtol=1e-5).held_at(W)
    assert held.held_at(turned(0.2)) is held
    landmarks = NystromEngine(X, GAMMA, NARROW, rtol=1e-5).held_at(W)
    assert landmarks.held_at(turned(0.2)) is not landmarks


def test_what_is_refined_is_chosen_anew():
    held = NystromEngine(X, GAMMA, NARROW, rtol=1e-4).held_at(W)
    finer = held.refined(W, 0.1)
    assert finer.noise > held.noise
    assert finer.accuracy.rtol == pytest.approx(1e-5)
    assert held.sharpened(0.1).accuracy.rtol == pytest.approx(1e-5)
