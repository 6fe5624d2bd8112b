"""Processes that are killed, at a tiny scale."""

import pytest

from hsiclearn_benchmarks.trust.given import Given
from hsiclearn_benchmarks.trust.killer import Moment, attempted
from hsiclearn_benchmarks.trust.kills import measure_kills
from hsiclearn_benchmarks.trust.victims import PROBLEMS, fit


def test_every_kind_is_killed_and_nothing_is_wrong():
    told = []
    part = measure_kills(Given(scale=0.01, tell=told.append))
    kills, wrong = part.goals
    assert kills.value >= 4
    assert (wrong.what, wrong.value) == ("wrong", 0)
    for kind in (next(iter(PROBLEMS)), "hsiclearn.save", "hsiclearn fit", "hsiclearn transform"):
        assert kind in part.table
        assert any(kind.split(".")[0] in what or "saving" in what for what in told)


def test_an_attempt_that_is_killed_has_no_answer_and_one_that_fails_says_why(tmp_path):
    name = next(iter(PROBLEMS))
    killed = attempted(fit, name, tmp_path / "fit.npz", moment=Moment(0.0, writes=2))
    assert not killed.is_done
    assert killed.answer is None
    assert killed.writes == 2
    with pytest.raises(RuntimeError, match="KeyError: 'no such problem'"):
        attempted(fit, "no such problem", None)
