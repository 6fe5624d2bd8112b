"""Corrections by hand: a linear kernel, and a sample whose curvature is a multiple of the truth.

A Newton step by ``c`` times the Hessian shrinks a small gradient to ``|1 - 1/c|`` of its size.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._solvers import corrections
from hsiclearn._solvers.corrections import cheap_look, corrected
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Linear
from registry import orthonormal

SIZES = np.array([5.0, 3.0, 2.0, 1.0])
BEST = np.eye(4)[:, :1]
TOL = 1e-5


def diagonal(factor=1.0):
    return Objective(np.eye(4), Dense(factor * np.diag(SIZES)), Linear())


class Watched:
    """All rows, a sample with so many times their curvature, and how often all were asked."""

    n_samples = 4

    def __init__(self, factor, *, by_pairs=False):
        self._objective, self.is_pairwise, self.passes = diagonal(), by_pairs, 0
        self.stand_in = diagonal(factor)
        self.singles = 0

    def in_single(self):
        self.singles += 1
        return self

    def cost_and_gradient(self, W):
        self.passes += 1
        return self._objective.cost(W), self._objective.gradient(W)

    def stationarity(self, W):
        return self._objective.point(W).stationarity


def turned(angle):
    """From the best direction towards the others; the gradient is about the angle."""
    other = np.zeros((4, 1))
    other[1:] = orthonormal(3, 1, seed=0)
    return np.cos(angle) * BEST + np.sin(angle) * other


@pytest.mark.parametrize(
    ("factor", "by_pairs", "taken"),
    [
        (1.25, False, True),  # a fifth is left
        (1.0 / 0.72, False, True),  # 0.28
        (1.0 / 0.68, False, False),  # 0.32: not worth its pass
        (1.0 / 0.32, True, True),  # 0.68, where other steps cost ten times as much
        (1.0 / 0.18, True, False),  # 0.82
        (-1.0, True, False),
    ],
)
def test_a_step_is_taken_if_it_leaves_little_of_the_gradient(factor, by_pairs, taken):
    objective, W = Watched(factor, by_pairs=by_pairs), turned(3e-4)
    found, _ = corrected(objective, W, TOL)
    assert (objective.stationarity(found) < 0.9 * objective.stationarity(W)) == taken
    if not taken:
        assert found is W
        assert objective.passes == 2


def test_the_curvature_of_all_rows_leads_there_at_once():
    objective = Watched(1.0)
    W, cost = corrected(objective, turned(1e-3), TOL)
    assert objective.stationarity(W) < 1e-8
    assert objective.passes == 2  # at the start and where it led: nobody looks again
    assert cost == pytest.approx(-5.0, abs=1e-5)


def test_what_gradients_told_corrects_the_curvature():
    """One direction only matters here, and its secant is right: the second step has no error."""
    objective = Watched(1.25)
    W = np.cos(1e-3) * BEST + np.sin(1e-3) * np.eye(4)[:, 1:2]
    found, _ = corrected(objective, W, 1e-7)
    assert objective.stationarity(found) < 1e-3 * 0.2 * objective.stationarity(W)
    assert objective.passes <= 3


@pytest.mark.parametrize(("share", "steps"), [(0.69, 0), (0.72, 1)])
def test_a_gradient_below_the_tolerance_is_enough(share, steps):
    """0.7 of it: there is no gain in a smaller one."""
    scale = np.linalg.norm(SIZES)
    angle = share * TOL * scale / np.linalg.norm((5.0 - SIZES[1:, None]) * turned(1.0)[1:])
    W = turned(np.arcsin(np.sin(1.0) * angle))
    objective = Watched(1.0)
    assert objective.stationarity(W) == pytest.approx(share * TOL, rel=1e-3)
    found, _ = corrected(objective, W, TOL)
    assert (found is not W) == bool(steps)
    assert objective.passes == 1 + steps


@pytest.mark.parametrize(("tol", "singles"), [(1e-7, 1), (0.99e-7, 0)])
def test_single_precision_is_for_tolerances_it_meets(tol, singles):
    objective = Watched(1.0)
    corrected(objective, turned(1e-3), tol)
    assert objective.singles == singles


def test_a_look_is_the_gradient_of_all_rows_beside_phi_of_the_sample():
    objective, W = Watched(2.0), turned(0.3)
    look = cheap_look(objective, W, TOL)
    assert objective.passes == 1
    assert look.cost == pytest.approx(diagonal().cost(W))
    assert look.stationarity == pytest.approx(0.5 * diagonal().point(W).stationarity, rel=1e-12)


def test_a_step_that_raises_the_cost_is_not_taken():
    """By a millionth of it at most: single precision tells no less."""
    for rise, taken in [(0.9e-6, True), (1.1e-6, False)]:
        objective, W = Watched(1.25), turned(3e-4)
        exact = objective.cost_and_gradient

        def raised(there, exact=exact, W=W, rise=rise):
            _, slope = exact(there)
            return (-5.0 if there is W else -5.0 * (1.0 - rise)), slope

        objective.cost_and_gradient = raised
        found, _ = corrected(objective, W, TOL)
        assert (found is not W) == taken


@pytest.mark.parametrize(("angle", "asked"), [(0.02, 2), (0.004, 1)])
def test_the_curvature_is_taken_anew_after_a_turn(angle, asked):
    """Beyond a hundredth, and before that from where it was."""
    objective, points = Watched(1.25), []
    sample = objective.stand_in
    objective.stand_in = SimpleNamespace(point=lambda W: points.append(W) or sample.point(W))
    corrected(objective, turned(angle), 1e-9)
    assert len(points) == asked


def slowly(left):
    """Steps that leave such a share of the gradient: of the Hessian along each axis the rest."""
    stiffness = np.array([np.inf, *(2.0 * (5.0 - SIZES[1:]))])[:, None]
    return lambda here, gradient, known: -(1.0 - left) * gradient / stiffness


@pytest.mark.parametrize(("by_pairs", "left", "most"), [(False, 0.28, 6), (True, 0.6, 15)])
def test_so_many_steps_at_most(by_pairs, left, most, monkeypatch):
    """Each passes all rows once, and so does the start."""
    monkeypatch.setattr(corrections, "_step", slowly(left))
    objective = Watched(1.0, by_pairs=by_pairs)
    W = turned(1e-3)
    found, cost = corrected(objective, W, 1e-14)
    assert objective.passes == 1 + most
    shrunk = objective.stationarity(found) / objective.stationarity(W)
    assert shrunk == pytest.approx(left**most, rel=0.05)
    assert cost == pytest.approx(-5.0, abs=1e-4)


@pytest.mark.parametrize(("share", "passes"), [(0.9, 2), (1.1, 3)])
def test_the_last_step_is_not_looked_at_where_its_end_is_known(share, passes, monkeypatch):
    """The share that the step before left says what this one leaves: three tenths of ``tol``."""
    monkeypatch.setattr(corrections, "_step", slowly(0.1))
    W = turned(1e-3)
    objective = Watched(1.0)
    tol = 0.1 * 0.1 * objective.stationarity(W) / 0.3 / share
    found, _ = corrected(objective, W, tol)
    assert objective.passes == passes
    shrunk = objective.stationarity(found) / objective.stationarity(W)
    assert shrunk == pytest.approx(0.1**2, rel=0.1)


def test_a_correction_by_pairs_is_that_of_bfgs(monkeypatch):
    """``-H g`` with H the inverse of the Hessian, told by the pairs in their order."""
    H0, told = np.linalg.inv(np.diag([2.0, 3.0, 4.0, 5.0])), []

    def step(hessian, r, radius, forcing):
        told.append((radius, forcing))
        return SimpleNamespace(Z=-H0 @ r)

    monkeypatch.setattr(corrections, "newton_step", step)
    hessian = SimpleNamespace(horizontal=lambda r: r, precondition=lambda r: 4.0 * r)
    g = np.array([[1.0], [2.0], [-1.0], [0.5]])
    A = np.diag([1.0, 2.0, 8.0, 5.0]) + 0.3
    rng = np.random.default_rng(0)
    known = [(s, A @ s) for s in rng.standard_normal((2, 4, 1))]
    known.insert(1, (known[0][0], -known[0][1]))  # uphill: of no use
    H = H0
    for s, y in (known[0], known[2]):
        r = 1.0 / float(np.vdot(s, y))
        left = np.eye(4) - r * s @ y.T
        H = left @ H @ left.T + r * s @ s.T
    found = corrections._step(SimpleNamespace(hessian=hessian), g, known)
    np.testing.assert_allclose(found, -H @ g, atol=1e-12)
    [(radius, forcing)] = told
    assert forcing == 0.01
    plain = corrections._step(SimpleNamespace(hessian=hessian), g, [])
    np.testing.assert_allclose(plain, -H0 @ g, atol=1e-15)
    assert told[1][0] == pytest.approx(4.0 * 2.0 * np.linalg.norm(g))  # natural lengths
    assert radius > 0.0
