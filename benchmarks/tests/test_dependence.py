"""The benchmark beside peers: its parts run, and say what they found."""

import pytest

from hsiclearn_benchmarks.dependence import DEPENDENCE_PARTS, run_dependence


def test_a_part_has_a_table_goals_and_notes():
    told = []
    [(name, part)] = run_dependence(
        ["accuracy"], quick=True, progress=lambda done, total, what: told.append(what)
    )
    assert name == "accuracy"
    assert not part.judged
    assert part.goals[0].is_met
    report = part.report()
    assert "| gaussian" in report
    assert "Quick" in report
    assert told[-1] == ""


def test_unknown_parts():
    with pytest.raises(ValueError, match="`parts` must be of"):
        next(run_dependence(["memory"]))
    assert "power" in DEPENDENCE_PARTS
