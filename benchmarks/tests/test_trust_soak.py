"""The soak, of a few fits."""

import numpy as np

from hsiclearn_benchmarks.trust import run_trust
from hsiclearn_benchmarks.trust.soak import _part


def test_every_kind_of_work_once():
    ((name, part),) = run_trust(["soak"], scale=0.02)
    assert name == "soak"
    report = part.report()
    assert report.startswith("### Soak: 20 fits in one process")
    assert {goal.what: goal.is_met for goal in part.goals}["open files: growth"]
    row = [cell.strip() for cell in part.table.splitlines()[2].split("|")[1:-1]]
    assert row[:3] == ["20", "2", "2"]


def test_what_grows_is_a_goal_missed():
    fits = np.arange(10, 1001, 10)
    looks = np.stack([fits, 2**20 * (100 + 0.02 * fits), 3 + (fits > 500), 9 + 0 * fits], axis=1)
    part = _part(1000, {"looks": looks.tolist(), "errors": 0, "interrupted": 0})
    met = [goal.is_met for goal in part.goals]
    assert met == [False, False, False, True]
    assert abs(part.goals[1].value - 2.0) < 1e-6  # a hundred fits
