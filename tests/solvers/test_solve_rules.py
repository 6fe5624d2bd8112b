"""What becomes of a solve whose stages are written down: its end, its error, its certificate."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._result import EngineError
from hsiclearn._solvers import Run, Settings
from hsiclearn._solvers.solve import _staged
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Linear

OBJECTIVE = Objective(np.eye(4), Dense(np.diag([4.0, 3.0, 2.0, 1.0])), Linear(), "dense")
GOOD = Run(OBJECTIVE.point(np.eye(4, 1)), Status.CONVERGED, (), "good")
POOR = Run(OBJECTIVE.point(np.eye(4)[:, 3:]), Status.MAX_ITER, (), "poor")


class Stages:
    def __init__(self, stopped=(), raises=(), visited=()):
        self.flags, self.raises, self.runs = list(stopped), raises, 0
        self._visited = list(visited)

    @property
    def were_stopped(self):
        return self.flags.pop(0) if self.flags else False

    def run(self, objective, starts, tol, *, is_near=False):
        self.runs += 1
        self.near = is_near
        if self.raises:
            raise KeyboardInterrupt
        return [POOR, GOOD]

    def visited(self):
        return self._visited


def staged(stages, **settings):
    """What the problem is asked to make a result of."""
    made = SimpleNamespace(
        objective=OBJECTIVE, q=1, start_from=lambda W: W, result=lambda *given: given
    )
    return _staged(made, Settings(init=np.eye(4, 1), **settings), None, stages)


def test_the_lowest_run_is_made_exact_and_returned():
    run, tol, error = staged(Stages(), tol=1e-3)
    assert (run, tol) == (GOOD, 1e-3)
    assert error == OBJECTIVE.engine_error(GOOD.point)


@pytest.mark.parametrize("stopped", [[True, True], [False, True]])
def test_a_stop_returns_the_best_so_far(stopped):
    for visited, best in (([], GOOD), ([POOR], POOR), ([POOR, GOOD], GOOD)):
        run, _, error = staged(Stages(list(stopped), visited=visited))
        assert (run.status, run.start) == (Status.STOPPED, best.start)
        assert error == EngineError()


def test_an_interrupt_is_raised_or_returns_what_there_is():
    with pytest.raises(KeyboardInterrupt):
        staged(Stages(raises=True, visited=[GOOD]))
    with pytest.raises(KeyboardInterrupt):
        staged(Stages(raises=True), on_interrupt="return")
    run, _, _ = staged(Stages(raises=True, visited=[POOR, GOOD]), on_interrupt="return")
    assert (run.status, run.start) == (Status.INTERRUPTED, "good")


def test_of_sums_that_are_not_exact_the_error_is_unknown_where_it_ends_early(monkeypatch):
    nearly = SimpleNamespace(is_in_linear_time=True, n_samples=4, n_features=4)
    made = SimpleNamespace(
        objective=nearly, q=1, start_from=lambda W: W, result=lambda *given: given
    )
    settings = Settings(init=np.eye(4, 1), solver="stiefel")
    _, _, error = _staged(made, settings, None, Stages([True, True]))
    assert np.isnan([error.relative, error.angle]).all()
    assert not error.guaranteed


def test_a_start_that_was_made_better_is_near(monkeypatch):
    for better in (False, True):
        monkeypatch.setitem(
            _staged.__globals__,
            "by_gradients",
            lambda objective, starts, settings, better=better: list(starts) if better else starts,
        )
        stages = Stages()
        staged(stages)
        assert stages.near is better
