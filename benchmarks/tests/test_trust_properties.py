"""The count of properties: what was judged, and what failed."""

import json

from hsiclearn_benchmarks.trust import properties
from hsiclearn_benchmarks.trust.given import Given


def test_examples_are_those_that_were_judged(monkeypatch):
    def run(given, counts):
        counts.write_text(json.dumps({"test_a_fit_is_honest": [70, 0.7], "test_units": [40, 0.2]}))
        return "....\nFAILED tests/properties/test_solve.py::test_units - AssertionError\n"

    monkeypatch.setattr(properties, "_run", run)
    part = properties.measure_properties(Given(scale=1e-3))
    assert part.title == "Properties: 2 properties, 110 examples"
    assert [goal.is_met for goal in part.goals] == [True, False]
    assert any("test_units" in note for note in part.notes)


def test_a_run_that_counted_nothing_meets_no_goal(monkeypatch):
    monkeypatch.setattr(properties, "_run", lambda given, counts: "INTERNALERROR")
    part = properties.measure_properties(Given(scale=1e-3))
    assert not any(goal.is_met for goal in part.goals)
