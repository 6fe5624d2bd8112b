"""Many rows: the processes that measure, and every part of the benchmark at small sizes."""

import math

import numpy as np
import pytest
from matplotlib.image import imread
from typer.testing import CliRunner

from hsiclearn._cli.app import app
from hsiclearn_benchmarks.alone import Limits, Meter, Outcome, run_alone
from hsiclearn_benchmarks.bench import Bench
from hsiclearn_benchmarks.parts import Goal
from hsiclearn_benchmarks.pictures import save_scaling
from hsiclearn_benchmarks.scale import PARTS, run_scale
from hsiclearn_benchmarks.scale.data import planted_rows, sparse_rows, write_rows
from hsiclearn_benchmarks.scale.rows import _exponent
from hsiclearn_benchmarks.scale.tasks import fit_table

HUNDRED_MB = 12_500_000  # of doubles


def takes(meter, *, doubles=0, seconds=0.0, problem=None):
    """A task that makes memory and takes its time."""
    import time

    _before = np.ones(HUNDRED_MB)
    with meter.running():
        if problem is not None:
            raise problem
        kept = np.ones(doubles)
        time.sleep(seconds)
    return {"size": kept.size}


@pytest.mark.slow
def test_memory_beyond_what_was_there_and_seconds_are_measured():
    found = run_alone(takes, Limits(), doubles=HUNDRED_MB, seconds=0.2)
    assert found.status == "finished"
    assert found.figures == {"size": HUNDRED_MB}
    assert 95e6 < found.peak < 130e6
    assert 0.2 <= found.seconds < 20.0
    assert 0.0 < found.cpu < found.seconds


@pytest.mark.slow
def test_a_fit_is_ended_where_it_takes_too_much():
    assert run_alone(takes, Limits(seconds=0.2), seconds=600.0).status == "out of time"
    found = run_alone(takes, Limits(bytes=50e6), doubles=HUNDRED_MB, seconds=600.0)
    assert found.status == "out of memory"
    assert not found.finished


@pytest.mark.slow
def test_a_fit_that_fails_says_why():
    found = run_alone(takes, Limits(), problem=ValueError("too wide"))
    assert found == Outcome("failed", problem="ValueError: too wide")
    assert run_alone(takes, Limits(), problem=MemoryError()).status == "out of memory"


@pytest.fixture
def in_process(monkeypatch):
    """Fits without processes: a process takes seconds to start."""

    def run(task, limits, **settings):
        told = {}
        figures = task(Meter(told.__setitem__), **settings)
        return Outcome("finished", told.get("ended", 0.0), told.get("cpu", 0.0), 1e6, figures)

    monkeypatch.setattr("hsiclearn_benchmarks.bench.run_alone", run)


@pytest.mark.slow
@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("name", PARTS)
def test_every_part_makes_its_table(name):
    told = []
    part = PARTS[name](Bench(shrink=500, tell=told.append))
    report = part.report()
    assert told
    assert report.startswith("### ")
    assert "failed" not in report
    assert all(goal.value is not None for goal in part.goals)
    if name == "angles":  # in linear time, the answers of all pairs
        assert "nystrom" in report
        assert all(goal.is_met for goal in part.goals)


@pytest.mark.slow
def test_a_part_as_its_users_run_it(tmp_path):
    folder, picture = tmp_path / "new", tmp_path / "scale.png"
    arguments = ["bench", "scale", "rows", "--quick", "--markdown", folder, "--plot", picture]
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == 0, result.output
    report = (folder / "rows.md").read_text()
    assert report.strip() == result.stdout.strip()
    assert "50,000" in report
    assert "<= 1.05" in report
    assert imread(picture).std() > 0.05


def test_a_wrong_part_is_named():
    result = CliRunner().invoke(app, ["bench", "scale", "columns"])
    assert result.exit_code == 2
    assert "must be of" in result.stderr
    with pytest.raises(ValueError, match="columns"):
        next(run_scale(["columns"]))


def test_a_rival_that_is_not_there_is_said_to_be(monkeypatch, in_process):
    monkeypatch.setattr("hsiclearn_benchmarks.scale.methods.find_spec", lambda name: None)
    assert "not installed" in PARTS["rivals"](Bench(shrink=500)).table


def test_what_did_not_finish_meets_no_goal(monkeypatch):
    def run(task, limits, **settings):
        return Outcome("out of memory" if task is fit_table else "out of time")

    monkeypatch.setattr("hsiclearn_benchmarks.bench.run_alone", run)
    for name, measure in PARTS.items():
        part = measure(Bench(shrink=500))
        assert "out of" in part.report(), name
        assert not any(goal.is_met for goal in part.goals)


def test_goals_by_hand():
    assert Goal("a", 1.0, 1.5).is_met
    assert not Goal("a", 1.0, 1.5, at_most=False).is_met
    assert Goal("a", 70.0, 150.0, unit=" MB").row() == ["a", "70 MB", "<= 150 MB", "yes"]
    assert Goal("a", None, 1.0).row() == ["a", "none", "<= 1", "no"]
    assert Goal("a", 1.0, 1.0).row(judged=False)[-1] == "quick run"


def test_the_exponent_of_a_power_is_its_power():
    curve = [(n, Outcome("finished", 3.0 * n**1.5)) for n in (10, 100, 1000)]
    assert math.isclose(_exponent(curve), 1.5)
    assert _exponent([(10, Outcome("out of time"))]) is None


def test_data_are_as_planted(tmp_path):
    X, y = planted_rows(3000, 4, informative=2)
    again = planted_rows(3000, 4, informative=2)
    assert np.array_equal(X, again[0])
    means = np.array([X[y == k].mean(axis=0) for k in range(5)])
    assert means[:, :2].std() > 4 * means[:, 2:].std()
    codes = write_rows(tmp_path / "rows", 3000, 4)
    stored = np.fromfile(tmp_path / "rows", dtype=np.float32).reshape(3000, 4)
    assert np.array_equal(stored, planted_rows(3000, 4)[0].astype(np.float32))
    assert np.array_equal(codes, planted_rows(3000, 4)[1])
    S, labels = sparse_rows(500, 5000)
    assert S.format == "csr"
    assert 0.0015 < S.nnz / (500 * 5000) <= 0.002
    assert S[labels == 1][:, 40:80].sum() > 10 * S[labels != 1][:, 40:80].sum() / 2


def test_the_picture_of_lines_that_end(tmp_path):
    lines = {"a": [(10.0, 1.0), (100.0, 10.0)], "b": [(10.0, 5.0)], "c": []}
    path = save_scaling(
        lines, {"b": (100.0, "out of time"), "c": (10.0, "out of memory")}, 60.0, tmp_path / "a.png"
    )
    assert imread(path).std() > 0.05
