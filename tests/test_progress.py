"""Who tells, and who listens."""

import numpy as np
import pytest

from hsiclearn._progress import (
    Printer,
    Told,
    also_heard_by,
    aside,
    ask_to_stop,
    heard_by,
    is_heard,
    printed_if,
    seen_at,
    shown_by,
    stop_is_asked,
    stoppable,
    tell,
)


def test_one_listener_at_a_time_and_the_one_before_comes_back():
    outer, inner = [], []
    tell("nobody")
    with heard_by(lambda what: outer.append((what.stage, what.detail))):
        tell("a")
        with heard_by(lambda what: inner.append((what.stage, what.detail))):
            tell("b", "1 of 2")
        with heard_by(None):
            assert not is_heard()
            tell("nobody")
        with pytest.raises(ValueError, match="no"), heard_by(None):
            raise ValueError("no")
        tell("c")
    assert not is_heard()
    assert outer == [("a", ""), ("c", "")]
    assert inner == [("b", "1 of 2")]


def test_one_more_listens_after_whoever_does():
    told = []
    with heard_by(lambda what: told.append(("first", what.stage))):
        with also_heard_by(lambda what: told.append(("then", what.stage))), also_heard_by(None):
            tell("a")
        tell("b")
    with also_heard_by(lambda what: told.append(("alone", what.stage))):
        tell("c")
    assert told == [("first", "a"), ("then", "a"), ("first", "b"), ("alone", "c")]


def test_a_stop_is_that_of_the_whole_work_and_of_no_other():
    ask_to_stop()
    assert not stop_is_asked()
    with stoppable():
        with stoppable():
            assert not aside(stop_is_asked)
            ask_to_stop()
            assert not aside(stop_is_asked)
        assert stop_is_asked()
    assert not stop_is_asked()
    with stoppable():
        assert not stop_is_asked()


def test_what_is_shown_goes_through_everybody_on_the_way():
    with shown_by(lambda W: ["lost", W]):
        assert seen_at("W") is None
        with shown_by(lambda W: ["outer", W], first=True), shown_by(lambda W: ["inner", W]):
            assert seen_at("W")() == ["outer", ["inner", "W"]]
            with shown_by(lambda W: W, first=True):
                assert seen_at("W")() == "W"


def test_a_stage_is_printed_once_with_the_time_and_details_below(capsys, monkeypatch):
    seconds = iter([5.0, 5.25, 65.0 + 60 * 60])
    monkeypatch.setattr("hsiclearn._progress.time.perf_counter", lambda: next(seconds))
    printer = Printer()
    for what in (("a", ""), ("a", "1"), ("a", "2"), ("b", "3"), ("c",)):
        printer(Told(*what))
    assert capsys.readouterr().out.splitlines() == [
        "a",
        "    1",
        "    2",
        "b, after 0.250 s",
        "    3",
        "c, after 1 h 01 min",
    ]


def test_verbose_prints_unless_somebody_listens(capsys):
    told = []
    with printed_if(0):
        tell("silent")
    with printed_if(1):
        tell("loud")
    with heard_by(lambda what: told.append(what.stage)), printed_if(1):
        tell("heard")
    assert capsys.readouterr().out == "loud\n"
    assert told == ["heard"]


def test_a_fit_tells_the_choice_its_stages_and_its_steps():
    from hsiclearn import SupervisedHSIC, UnsupervisedHSIC

    X = np.random.default_rng(0).standard_normal((60, 4))
    told = []
    with heard_by(lambda what: told.append((what.stage, what.detail))):
        SupervisedHSIC(1, objective="dependence").fit(X, X[:, 0] > 0)
        first, told[:] = list(told), []
        UnsupervisedHSIC(2, 1).fit(X)
    stages = list(dict.fromkeys(stage for stage, _ in first))
    assert stages[0] == "choosing, 1 dimension"
    assert stages[1] == "holding rows out, 1 dimension"
    assert stages[2].startswith("chosen on 60 rows")
    assert stages[3:] == ["60 rows, dense engine", "verifying"]
    details = [detail for stage, detail in first if stage == stages[0]]
    assert details[0].startswith("bandwidth ")
    assert details[0].endswith("(1 of 5), start path")
    assert ", lowest loss 0." in details[-1]
    parts = [detail for stage, detail in first if stage == stages[1]]
    assert "part 1 of 3" in parts[0]
    assert "part 3 of 3" in parts[2]
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages[:2] == ["searching on 60 rows", "polishing on 60 rows"]
    assert "settling on 60 rows" in stages
