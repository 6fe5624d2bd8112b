"""How a descent without a Hessian ends, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Status
from hsiclearn._solvers import LbfgsSolver, run
from problems import Uphill
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
