"""The rules of descents that only compare, or that predict: first steps, searches, ends."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn._solvers import rough, sharpen
from hsiclearn._solvers.rough import _at, _has_cheap_hessian, _retracted, _searched, rough_descent
from hsiclearn._solvers.sharpen import sharpened
from hsiclearn._solvers.steps import Steps
from registry import orthonormal

A = np.diag(np.geomspace(1.0, 30.0, 8))


class Rayleigh:
    """``tr(W'AW) / 2 - 100`` and its gradient, counted."""

    noise = 0.0
    n_samples = 10

    def __init__(self, costs=None):
        self.seen, self.costs = [], costs

    def cost_and_gradient(self, W):
        self.seen.append(W)
        cost = 0.5 * np.trace(W.T @ A @ W) - 100.0 if self.costs is None else self.costs.pop(0)
        return cost, A @ W


W = orthonormal(8, 2, seed=0)


def tangent(W):
    return A @ W - W @ (W.T @ A @ W)


def test_the_first_step_is_by_three_tenths_down_the_gradient():
    objective = Rayleigh()
    rough_descent(objective, W, gain=0.0, max_iter=1)
    g = tangent(W)
    expected = _retracted(W, -0.3 * g / np.linalg.norm(g))
    np.testing.assert_allclose(objective.seen[1], expected, atol=1e-14)


def test_it_ends_where_five_steps_gain_a_share_of_the_cost():
    costs = [rough_descent(Rayleigh(), W, gain=0.0, max_iter=k).cost for k in range(30)]
    for gain in (1e-2, 1e-3, 1e-5):
        first = next(k for k in range(5, 30) if costs[k - 5] - costs[k] <= gain * abs(costs[k]))
        assert rough_descent(Rayleigh(), W, gain=gain, max_iter=200).cost == costs[first]
    assert costs[0] == Rayleigh().cost_and_gradient(W)[0]
    assert rough_descent(Rayleigh(), W, gain=1.0, max_iter=200).cost == costs[5]


def test_five_steps_that_gain_nothing_are_the_last():
    still = Rayleigh([-100.0] * 50)
    still.noise = 0.1  # so that a step may be taken
    rough_descent(still, W, gain=0.0, max_iter=40)
    assert len(still.seen) == 6


@pytest.mark.parametrize(("noise", "floor"), [(0.0, 1e-12), (1e-6, 1e-7)])
def test_a_gradient_that_is_rounding_is_none(noise, floor):
    for share, left in ((0.9, False), (1.1, True)):
        angle = np.arctan(share * floor)
        V = np.cos(angle) * np.eye(8)[:, :1] + np.sin(angle) * np.eye(8)[:, 1:2]
        slope = np.eye(8)[:, :1]  # of which all but a share of sin(angle) is along V
        objective = SimpleNamespace(noise=noise, cost_and_gradient=lambda _, s=slope: (0.0, s))
        assert bool(_at(objective, V)[1].any()) is left


def searched(costs, Z, *, noise=0.0, cost=-100.0):
    objective = Rayleigh(list(costs))
    objective.noise = noise
    return _searched(objective, W, Z, float(np.vdot(tangent(W), Z)), cost), objective


def test_a_search_turns_no_farther_than_its_limit_and_asks_for_a_small_fall():
    g = tangent(W)
    unit = g / np.linalg.norm(g)
    for size, length in ((0.5, 1.0), (1.4, 0.5), (7.0, 0.1)):
        found, objective = searched([-1e9], -size * unit)
        assert found[1] == pytest.approx(length)
        np.testing.assert_allclose(objective.seen[0], _retracted(W, -size * length * unit))
    Z = -0.5 * unit
    slope = 0.5 * np.linalg.norm(g)
    found, _ = searched([-100.0 - 1.01e-4 * slope], Z)
    assert found[1] == 1.0
    np.testing.assert_allclose(found[3], tangent(found[0]), atol=1e-12)
    found, objective = searched([-100.0 - 0.99e-4 * slope, -1e9], Z)
    assert len(objective.seen) == 2
    assert 0.1 <= found[1] <= 0.5
    assert searched([-100.0 + 0.5 * slope, -1e9], Z)[0][1] == pytest.approx(1.0 / 3.0)
    assert searched([-100.0 + 0.9e-3], 1e-9 * Z, noise=1e-4)[0][1] == 1.0
    assert searched([-100.0 + 1.1e-3, -1e9], 1e-9 * Z, noise=1e-4)[0][1] < 1.0
    found, objective = searched([0.0] * 12, Z)
    assert found is None
    assert len(objective.seen) == 12


def test_where_nothing_falls_or_nothing_is_known_it_ends_where_it_was():
    uphill = Rayleigh([0.0] + [1.0] * 12)
    found = rough_descent(uphill, W, gain=0.0, max_iter=9)
    assert (found.W is W, found.cost, len(uphill.seen)) == (True, 0.0, 13)
    lost = Rayleigh([np.nan])
    assert rough_descent(lost, W, gain=0.0, max_iter=9).W is W
    still = Rayleigh()
    assert (
        rough_descent(still, np.eye(8, 2), gain=0.0, max_iter=9).W.tolist() == np.eye(8, 2).tolist()
    )
    assert len(still.seen) == 1


def test_after_a_search_that_fails_the_memory_is_to_blame_once():
    """One step, then a dozen failures with a memory, then a dozen without."""
    objective = Rayleigh([0.0, -50.0] + [1.0] * 24)
    found = rough_descent(objective, W, gain=0.0, max_iter=9)
    assert found.cost == -50.0
    assert len(objective.seen) == 26


@pytest.mark.parametrize(
    ("n", "d", "q", "cheap"),
    [
        (10**6, 60, 1, True),
        (10**6, 61, 1, False),
        (10**6, 20, 3, True),
        (100, 200, 2, True),  # 12 million products
        (100, 201, 2, False),
        (144, 200, 2, True),  # n^2 d 6 = 24.9 million
        (145, 200, 2, False),
        (204, 200, 1, True),  # n^2 d 3
        (205, 200, 1, False),
    ],
)
def test_where_a_hessian_is_cheap(n, d, q, cheap):
    assert _has_cheap_hessian(n, d, q) is cheap


def test_newton_where_it_is_and_gradients_else(monkeypatch):
    asked = []
    monkeypatch.setattr(rough, "rough_descent", lambda *a, **k: asked.append((a, k)))
    rough.rough_fit(Rayleigh(), np.eye(600, 1), 1e-3)
    [((_, start), settings)] = asked
    assert start.shape == (600, 1)
    assert settings == {"gain": 1e-3, "max_iter": 60}


# A descent that predicts: with the loss and the search written down -------------------------------

X = np.random.default_rng(1).standard_normal((300, 3))
Y = np.random.default_rng(2).standard_normal((300, 1)) + 5.0


@pytest.fixture
def scripted(monkeypatch):
    """The losses of the steps, and what was asked: of the loss, and of scipy's search."""
    told = SimpleNamespace(losses=[1.0], made=None, at=[], search=None, status=1)

    class Loss:
        def __init__(self, *given):
            told.made = given

        def at(self, A, ridge):
            told.at.append((A, ridge))
            k = (
                min(round(100 * (A[0, 0] - told.first)), len(told.losses) - 1)
                if told.started
                else 0
            )
            loss = told.losses[k] if told.started else abs(np.log(ridge / told.ridge))
            return SimpleNamespace(loss=loss, gradient=np.full(A.shape, 2.0), by_ridge=0.25)

    def minimize(value, start, **settings):
        told.search = start, settings
        theta, nit = start, 0
        try:
            for k in range(1, min(len(told.losses), 1 + settings["options"]["maxiter"])):
                theta = start.copy()
                theta[0] += k / 100
                value(theta)
                settings["callback"](theta)
                nit = k
        except StopIteration:
            nit += 1
        return SimpleNamespace(x=theta, nit=nit, status=told.status)

    def begin(losses, ridge=1e-3, W=None, **settings):
        told.losses, told.ridge, told.started = losses, ridge, False
        told.at.clear()
        W = np.eye(3, 2) if W is None else W
        plain = Loss.at

        def at(self, A, ridge):
            if len(told.at) == 3 and not told.started:
                told.started, told.first = True, A[0, 0]
            return plain(self, A, ridge)

        monkeypatch.setattr(Loss, "at", at)
        try:
            return sharpened(X, Y, W, **settings)
        finally:
            monkeypatch.setattr(Loss, "at", plain)

    monkeypatch.setattr(sharpen, "PredictionLoss", Loss)
    monkeypatch.setattr(sharpen, "minimize", minimize)
    return told, begin


@pytest.mark.parametrize(
    ("losses", "settled"),
    [
        ([1.0, 0.9, 0.8, 0.7, 0.6, 0.5], 0),
        ([1.0, 0.999, 0.998, 0.997, 0.996, 0.9901], 6),  # a hundredth of the loss
        ([1.0, 0.999, 0.998, 0.997, 0.996, 0.9899], 0),
        ([1.0, 0.991, 0.9908, 0.9906, 0.9904, 0.99005], 6),
        ([0.05, 0.05, 0.05, 0.05, 0.05, 0.0491], 6),  # a thousandth of the variance
        ([0.05, 0.05, 0.05, 0.05, 0.05, 0.0489], 0),
        ([1.0, 1.0, 1.0, 1.0, 1.0], 0),  # not of four steps
        ([2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 7),
    ],
)
def test_it_settles_where_five_steps_gain_too_little(losses, settled, scripted):
    _, begin = scripted
    found = begin(losses, max_iter=50)
    assert found.losses == tuple(losses[: settled or None])
    assert found.has_settled is bool(settled)
    assert not found.was_stopped
    assert not found.ran_out


def test_what_it_begins_with(scripted):
    told, begin = scripted
    begin([1.0, 0.5], bandwidth=0.25)
    data, target, landmarks, weights = told.made
    assert data is X
    np.testing.assert_allclose(target, Y - Y.mean())
    some = np.sort(np.random.default_rng(0).choice(300, 100, replace=False))
    np.testing.assert_array_equal(landmarks, X[some])
    assert weights is None
    assert [ridge for _, ridge in told.at[:3]] == [1e-4, 1e-3, 1e-2]
    assert [ridge for _, ridge in told.at[3:]] == pytest.approx([1e-3] * 2)
    start, settings = told.search
    np.testing.assert_allclose(start, np.r_[4.0 * np.eye(3, 2).ravel(), np.log(1e-3)])
    assert settings["bounds"] == [(None, None)] * 6 + [(np.log(1e-6), 0.0)]
    assert settings["options"] == {"maxiter": 100}
    assert (settings["method"], settings["jac"]) == ("L-BFGS-B", True)
    for q, count in ((2, 100), (3, 120)):
        begin([1.0, 0.5], W=np.eye(3, q))
        assert len(told.made[2]) == count
    begin([1.0, 0.5], landmarks=7)
    assert len(told.made[2]) == 7
    begin([1.0, 0.5], landmarks=1000)
    assert len(told.made[2]) == 300
    v = np.random.default_rng(3).uniform(size=300)
    begin([1.0, 0.5], weights=v)
    np.testing.assert_allclose(told.made[1], Y - v @ Y / v.sum())
    assert told.made[3] is v
    distances = np.linalg.norm((X[:, None] - X)[:, :, :2], axis=2)[np.triu_indices(300, 1)]
    found = begin([1.0], ridge=1e-2)
    assert found.bandwidth == pytest.approx(0.5 * np.median(distances))
    assert told.search[0][-1] == pytest.approx(np.log(1e-2))


def test_of_rows_in_one_place_the_directions_are_taken_as_they_are(scripted, monkeypatch):
    told, begin = scripted
    monkeypatch.setattr(sharpen, "typical_distance", lambda *_: 0.0)
    begin([1.0])
    np.testing.assert_array_equal(told.search[0][:-1], np.eye(3, 2).ravel())


def test_what_it_returns(scripted):
    told, begin = scripted
    found = begin([1.0, 0.5, 0.25], bandwidth=0.25, max_iter=2)
    assert found.ran_out
    assert not found.has_settled
    theta = 4.0 * np.eye(3, 2)
    theta[0, 0] += 0.02
    np.testing.assert_allclose(found.A, theta * np.sqrt(2.0) / np.linalg.norm(theta))
    assert found.bandwidth == pytest.approx(np.sqrt(2.0) / np.linalg.norm(theta))
    sizes = [np.sqrt((4.0 + k / 100) ** 2 + 16.0) for k in range(3)]
    np.testing.assert_allclose(found.gradients, np.array(sizes) * 2.0 * np.sqrt(6.0))
    assert [(r.step, r.cost, r.evaluations, r.iterations) for r in found.history] == [
        ("start", 1.0, 1, 0),
        ("lbfgs", 0.5, 2, 1),
        ("lbfgs", 0.25, 3, 2),
    ]
    assert [r.gradient for r in found.history] == list(found.gradients)
    assert np.isnan([found.history[0].angle, found.history[0].seconds]).all()
    told.status = 0  # of scipy: its own rule is met
    assert begin([1.0, 0.5], bandwidth=0.25, max_iter=9).has_settled


class Heard(Steps):
    """Keeps what it is told."""

    def __init__(self):
        super().__init__()
        self.log = []

    def begin(self):
        self.log.append("begin")

    def made(self, record, W, number):
        self.log.append((record.step, record.cost, record.iterations, W.shape, number))


def test_every_step_is_told_with_its_number(scripted):
    _, begin = scripted
    steps = Heard()
    begin([1.0, 0.5, 0.25], steps=steps)
    assert steps.log == [
        "begin",
        ("start", 1.0, 0, (3, 2), 0),
        "begin",
        ("lbfgs", 0.5, 1, (3, 2), 1),
        "begin",
        ("lbfgs", 0.25, 2, (3, 2), 2),
        "begin",
    ]


class Stopping(Steps):
    are_stopped = True


def test_a_stop_is_no_end(scripted):
    _, begin = scripted
    found = begin([1.0, 0.5, 0.25], steps=Stopping())
    assert found.was_stopped
    assert not found.has_settled
    assert found.losses == (1.0,)
    assert found.ran_out
