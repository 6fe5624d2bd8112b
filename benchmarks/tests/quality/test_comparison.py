"""What is asked of all design sets and of the fresh ones, and who takes part where."""

import numpy as np
import pytest

from hsiclearn_benchmarks.quality import comparison
from hsiclearn_benchmarks.quality.comparison import measure_design, measure_fresh, measure_sets
from hsiclearn_benchmarks.quality.methods import METHODS, OURS, RAW, methods_for
from hsiclearn_benchmarks.quality.sets import SETS
from hsiclearn_benchmarks.quality.standing import Standing
from hsiclearn_benchmarks.quality.suite import Suite


def standing(name, better=()):
    """Errors of 2 for ours, 1 for those that are better, 3 for others; a little from fold to fold.

    So ours is significantly worse where anybody is better.
    """
    keys = methods_for(SETS[name])
    folds = np.linspace(0.0, 0.01, 15).reshape(3, 5)
    level = {key: 2.0 if key == OURS else 1.0 if key in better else 3.0 for key in keys}
    errors = {key: (value + folds * value).tolist() for key, value in level.items()}
    return Standing(SETS[name], errors, dict.fromkeys(keys, 1.0))


@pytest.fixture
def given(monkeypatch):
    """Standings by part, in place of those that are measured."""
    parts = {}
    monkeypatch.setattr(comparison, "_standings", lambda suite, part: (parts[part], ["a note"]))
    return parts


def values(part):
    return [goal.value for goal in part.goals]


def test_design_sets_are_judged_together(given):
    given |= {"sets": [standing("wine"), standing("xor", ["nca"])], "further": [standing("sine")]}
    part = measure_design(Suite())
    assert values(part) == [pytest.approx(4.0 / 3.0), 1]
    assert [goal.is_met for goal in part.goals] == [True, False]
    assert "on 3 design sets" in part.goals[0].what
    assert not measure_sets(Suite()).goals
    assert part.notes.count("a note") == 2


def test_fresh_sets_ask_for_the_best_mean_rank(given):
    given["fresh"] = [standing("wine"), standing("xor", ["nca"])]
    part = measure_fresh(Suite())
    assert values(part) == [0, 1]
    assert all(goal.is_met for goal in part.goals)
    given["fresh"] = [standing("wine", ["rfm"]), standing("xor", ["rfm", "nca"])]
    assert values(measure_fresh(Suite())) == [1, 2]


def test_a_rival_that_failed_leaves_no_verdict(given):
    short = standing("wine")
    given["fresh"] = [Standing(short.data, {OURS: short.errors[OURS]}, {}), standing("xor")]
    assert values(measure_fresh(Suite())) == [None, None]


def test_ours_is_shown_where_a_rival_took_part(given):
    given["fresh"] = [standing("wine"), standing("sine", ["mlkr"])]
    row = next(r for r in measure_fresh(Suite()).table.splitlines() if r.startswith("| MLKR"))
    assert [cell.strip() for cell in row.split("|")[2:5]] == ["1", "1.00", "2.00"]


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("wine", {"mlkr"}),
        ("sine", {"lda", "shrunk-lda", "nca", "wda"}),
        ("digits", {"mlkr", "wda"}),
    ],
)
def test_who_takes_part(name, absent):
    assert set(METHODS) - set(methods_for(SETS[name])) == absent
    assert {OURS, RAW} <= set(methods_for(SETS[name]))


def test_rules_by_size():
    assert METHODS["opg"].takes(129, 64)
    assert not METHODS["opg"].takes(128, 64)
    assert METHODS["wda"].takes(1000, 100)
    assert not METHODS["wda"].takes(1001, 4)
    assert not METHODS["wda"].takes(100, 101)
    assert all(m.limit for m in METHODS.values() if not m.takes(10**6, 10**6))


def test_a_cell_left_empty_by_size_is_told(given):
    given["sets"] = [standing("digits")]
    notes = "\n".join(measure_sets(Suite()).notes)
    assert "WDA is left out by size" in notes
    assert "rOPG" not in notes
