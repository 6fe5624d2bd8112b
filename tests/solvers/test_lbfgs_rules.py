"""How a descent without a Hessian ends, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Status
from hsiclearn._linalg import nearest_basis
from hsiclearn._objective import AbstractObjective
from hsiclearn._solvers import LbfgsSolver, run
from hsiclearn._solvers.memory import backtracked
from hsiclearn.exceptions import DegenerateDataError
from problems import Uphill, WrittenPoint
from registry import orthonormal


def test_where_no_step_falls_there_is_a_kink():
    solver = LbfgsSolver(Uphill(), 1e-6)
    outcome = run(solver, orthonormal(4, 2, seed=0), max_iter=50)
    assert outcome.status is Status.SETTLED
    assert solver.ended == "kink"
    assert len(outcome.history) == 1


def accepted(costs, *, worth=0.0, bound=0.0, stationarity=1.0, first=-100.0):
    """The verdicts after steps that lead to these costs, at a tolerance of 1e-2."""
    solver = LbfgsSolver(Uphill(), 1e-2, worth, bound)
    solver._point = SimpleNamespace(cost=first)
    trials = [SimpleNamespace(cost=cost, stationarity=stationarity) for cost in costs]
    statuses = [solver._accept(trial, "lbfgs", 1, 0.0).status for trial in trials]
    return statuses, solver.ended


@pytest.mark.parametrize(("gain", "ends"), [(0.099, True), (0.101, False)])
def test_three_idle_steps_in_a_row_end_it(gain, ends):
    """Idle: a gain of at most a tenth of the tolerance, beside the cost."""
    statuses, ended = accepted([-100.0 - gain * k for k in (1, 2, 3)])
    assert statuses == [None, None, Status.SETTLED if ends else None]
    assert ended == ("kink" if ends else "")
    interrupted, _ = accepted([-100.0, -100.0, -200.0, -200.0, -200.0])
    assert interrupted == [None] * 5


def test_what_ends_with_a_small_gradient_has_converged():
    statuses, _ = accepted([-100.0] * 3, stationarity=1e-2)
    assert statuses[-1] is Status.CONVERGED


@pytest.mark.parametrize(("gain", "creeps"), [(0.99, True), (1.01, False)])
@pytest.mark.parametrize("bound", [0.0, -300.0])
def test_ten_steps_together_must_be_worth_it(gain, creeps, bound):
    """Beside the distance of the cost from its bound."""
    last = -200.0
    start = last + gain * 0.05 * abs(last - bound)
    costs = np.concatenate([np.linspace(start, last, 11)])
    statuses, ended = accepted(list(costs), worth=0.05, bound=bound)
    assert statuses[:10] == [None] * 10
    assert (statuses[10] is Status.SETTLED) == creeps
    assert ended == ("creep" if creeps else "")


class Written(AbstractObjective):
    """Costs that are written down, on a Phi of eigenvalues 0, 1, 2, 3."""

    X, engine, n_samples, n_features = np.zeros((2, 4)), "dense", 2, 4

    def __init__(self, costs):
        self.costs, self.seen = list(costs), []

    def point(self, W):
        self.seen.append(np.asarray(W))
        cost = self.costs.pop(0)
        if cost is None:
            raise DegenerateDataError("too few neighbours")
        return WrittenPoint(self, np.asarray(W), cost, np.diag([0.0, 1.0, 2.0, 3.0]))


def begun(*costs, W=None, spectral=False):
    solver = LbfgsSolver(Written([0.0, *costs]), 1e-6)
    solver.start(orthonormal(4, 1, seed=0) if W is None else W)
    solver._spectral = spectral
    return solver


@pytest.mark.parametrize(("share", "taken"), [(0.31, True), (0.29, False)])
def test_a_spectral_step_keeps_three_tenths_of_its_promise(share, taken):
    W = orthonormal(4, 1, seed=0)
    promised = float((W.T @ np.diag([0.0, 1.0, 2.0, 3.0]) @ W)[0, 0])  # the lowest is 0
    solver = begun(-share * promised, spectral=True)
    step = solver.step()
    assert (step.kind, step.moved, step.evaluations) == ("spectral", taken, 1)
    assert solver._spectral is taken
    assert (step.eigengap == pytest.approx(1.0)) is taken
    degenerate = begun(None, spectral=True)
    assert not degenerate.step().moved
    assert not degenerate._spectral


def test_a_step_turns_by_half_a_right_angle_at_most_and_is_cut_back():
    solver = begun(None, 1.0, -1e9)
    here = solver._point
    gradient = 2.0 * here.residual
    Z = -here.split.divide(gradient, 0.05)
    size = np.linalg.norm(Z, 2)
    first = min(1.0, 1.0 / size)
    carried = []
    solver._memory.move_to = lambda *given: carried.extend(given)
    step = solver.step()
    assert (step.kind, step.evaluations, step.moved) == ("lbfgs", 3, True)
    slope = np.vdot(gradient, Z)
    second = backtracked(slope, first, np.inf)
    lengths = [first, second, backtracked(slope, second, 1.0)]
    for W, length in zip(solver.objective.seen[1:], lengths, strict=True):
        np.testing.assert_allclose(W, nearest_basis(here.W + length * Z), atol=1e-14)
    there = solver._point
    expected = there.W, lengths[2] * Z, gradient, 2.0 * there.residual
    for given, right in zip(carried, expected, strict=True):
        np.testing.assert_allclose(given, right, atol=1e-14)
    assert step.eigengap == pytest.approx(here.split.gap)


@pytest.mark.parametrize(("share", "taken"), [(1.01, True), (0.99, False)])
def test_a_search_asks_for_a_ten_thousandth_of_the_slope(share, taken):
    probe = begun()
    gradient = 2.0 * probe._point.residual
    Z = -probe._point.split.divide(gradient, 0.05)
    length = min(1.0, 1.0 / np.linalg.norm(Z, 2))
    solver = begun(share * 1e-4 * length * np.vdot(gradient, Z), -1e9)
    assert solver.step().evaluations == (1 if taken else 2)


def test_a_search_ends_after_fifteen_and_blames_the_memory_first():
    solver = begun(*[1.0] * 15, *[1.0] * 15)
    s = 1e-3 * solver._point.residual
    solver._memory.move_to(solver._point.W, s, 0.0 * s, s)
    assert solver._memory
    step = solver.step()
    assert (step.evaluations, step.moved, step.status) == (15, False, None)
    assert not solver._memory
    assert solver.ended == ""
    assert solver.step().status is Status.SETTLED
    assert solver.ended == "kink"


def test_a_memory_that_leads_uphill_is_cleared():
    solver = begun(-1e9)
    here = solver._point
    gradient = 2.0 * here.residual
    solver._memory.direction = lambda g, divide: g  # uphill
    solver._memory.clear = lambda: cleared.append(1)
    cleared = []
    solver.step()
    assert cleared == [1]
    Z = -here.split.divide(gradient, 0.05)
    length = min(1.0, 1.0 / np.linalg.norm(Z, 2))
    np.testing.assert_allclose(
        solver.objective.seen[-1], nearest_basis(here.W + length * Z), atol=1e-14
    )


def test_where_there_is_nothing_to_do():
    whole = begun(W=np.eye(4)).step()
    assert (whole.status, whole.moved) == (Status.SETTLED, False)
    best = begun(W=np.eye(4, 1)).step()
    assert (best.status, best.moved) == (Status.CONVERGED, False)
    at_the_tolerance = begun()
    at_the_tolerance.tol = at_the_tolerance._point.stationarity
    assert at_the_tolerance.step().status is Status.CONVERGED
