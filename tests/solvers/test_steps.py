"""A callback sees every step, may end a solve, and has no other part in the answer."""

from dataclasses import replace

import numpy as np
import pytest

from hsiclearn import Status, solve
from hsiclearn._progress import heard_by, is_heard
from hsiclearn._result import Record
from hsiclearn._solvers import Settings, minimise
from hsiclearn._solvers.steps import Steps, in_words
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import ring
from solvers.test_checkpoint import bits, indefinite, many_rows, wine


class StopAt:
    """Keeps what it sees, and says true from a record on."""

    def __init__(self, count):
        self.count, self.seen = count, []

    def __call__(self, record):
        self.seen.append(record)
        return len(self.seen) >= self.count


def test_every_record_once_and_the_same_bytes():
    whole, seen = solve(*wine()), []
    assert bits(solve(*wine(), callback=seen.append)) == bits(whole)
    # In words: NaN is the same as NaN there, whatever the version of Python.
    seen, kept = ([repr(replace(r, seconds=0.0)) for r in rs] for rs in (seen, whole.history))
    assert seen == kept


def test_a_true_answer_stops_with_the_iterate_of_then():
    whole, stop = solve(*wine()), StopAt(3)
    with pytest.warns(NotConvergedWarning, match=r"Stopped: whoever follows .*resume=True"):
        result = solve(*wine(), callback=stop)
    assert result.status is Status.STOPPED
    assert not result.converged
    assert [r.cost for r in stop.seen] == [r.cost for r in whole.history[:3]]
    assert len(result.history) == len(stop.seen) == 3
    assert result.cost == whole.history[2].cost
    assert result.certificate.second_order is None
    assert result.certificate.stationarity == whole.history[2].gradient


def test_at_the_last_step_the_subspace_is_that_of_the_whole():
    whole = solve(*wine())
    result = minimise(*wine(), Settings(callback=StopAt(len(whole.history))))
    assert result.status is Status.STOPPED  # that there is no move left to make was not yet known
    assert result.W.tobytes() == whole.W.tobytes()


@pytest.mark.parametrize("count", [1, 4])
def test_a_stop_holds_for_all_that_would_follow(count):
    """Of several starts, and while starts are compared on fewer rows."""
    for problem, n_init in ((indefinite(), 4), (many_rows(), 3)):
        stop = StopAt(count)
        result = minimise(*problem, Settings(n_init=n_init, callback=stop))
        assert result.status is Status.STOPPED
        # What follows evaluates a start and no more.
        assert {record.step for record in stop.seen[count:]} <= {"start"}
        assert result.W.shape == (problem[0].shape[1], problem[3])


def test_a_stopped_solve_goes_on_to_the_bytes_of_one_that_was_not(tmp_path):
    for problem, options in (
        (wine(), {}),
        (many_rows(), {"n_init": 3}),
        (indefinite(), {"n_init": 4}),
    ):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npz"
        settings = Settings(checkpoint=path, **options)
        assert minimise(*problem, replace(settings, callback=StopAt(4))).status is Status.STOPPED
        resumed = minimise(*problem, replace(settings, resume=True))
        assert bits(resumed) == bits(minimise(*problem, Settings(**options)))


@pytest.mark.parametrize("solver", ["ism+", "dg", "stiefel"])
def test_every_solver_can_be_stopped(solver):
    result = minimise(*wine(), Settings(solver=solver, callback=StopAt(2)))
    assert result.status is Status.STOPPED
    assert len(result.history) == 2


@pytest.mark.parametrize("error", [ValueError("mine"), StopIteration()])
def test_what_it_raises_is_raised(error):
    def fails(record):
        raise error

    expected = RuntimeError if isinstance(error, StopIteration) else ValueError
    with pytest.raises(expected, match=r"mine|returning True"):
        solve(*wine(), callback=fails)
    assert not is_heard()


def test_work_of_its_own_is_neither_heard_nor_stopped():
    """A callback may solve something itself."""
    X, y, _ = ring(40)
    inner = X, ClassTable.centered(y), Gaussian(1.0), 1
    expected, told, found = bits(minimise(*inner, Settings())), [], []

    def solves(record):
        found.append((bits(minimise(*inner, Settings())), is_heard()))
        return len(found) == 2

    with heard_by(told.append):
        assert minimise(*wine(), Settings(callback=solves)).status is Status.STOPPED
    assert found == [(expected, False)] * 2
    assert {what.stage for what in told} == {"178 rows, dense engine", "verifying"}


def test_one_that_cannot_be_called_is_refused():
    with pytest.raises(ValueError, match=r"`callback` must be callable or None\. Got 3"):
        solve(*wine(), callback=3)


def test_steps_are_told_with_how_many_there_may_be(capsys):
    result = solve(*wine(), verbose=1, max_iter=50)
    lines = [line for line in capsys.readouterr().out.splitlines() if " of 50 " in line]
    assert [int(line.split()[0]) for line in lines] == list(range(len(result.history)))
    assert f"{np.float64(result.cost):.8g}" in lines[-1]


def record(**changes):
    return replace(Record("newton", -1.5, 1e-3, 0.25, 0.5, 2.0, 3, 4, 5), **changes)


def test_the_words_of_a_step():
    assert in_words(record()) == "  newton  cost -1.5  gradient 1.0e-03  angle 2.5e-01  2.000 s"
    assert in_words(record(seconds=np.nan)) == "  newton  cost -1.5  gradient 1.0e-03"


def test_what_is_told_of_a_stage():
    told = []
    steps = Steps("stage", 50, n_starts=3)
    with heard_by(told.append):
        steps.announce()
        steps.begin()
        steps.made(record(), np.eye(2), 7)
    assert [what.at_most for what in told] == [156] * 3  # each start, and no move to make
    assert [(what.is_step, what.is_made) for what in told] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert told[2].detail == f"    7 of 50  {in_words(record())}"
    silent = Steps()
    with heard_by(told.append):
        silent.announce()
        silent.begin()
        silent.made(record(), np.eye(2), 7)
    assert len(told) == 3
    assert not silent.are_stopped


def test_without_a_name_a_callback_is_asked_all_the_same():
    seen = []
    Steps(callback=seen.append).made(record(), np.eye(2), 1)
    assert seen == [record()]
