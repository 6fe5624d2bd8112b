"""The suite end to end at small sizes, its record, and its command."""

import json
from concurrent.futures import Executor, Future

import numpy as np
import pytest
from typer.testing import CliRunner

from hsiclearn import SupervisedHSIC
from hsiclearn._cli.app import app
from hsiclearn.exceptions import DataCorruptError
from hsiclearn_benchmarks.quality import (
    QUALITY_PARTS,
    comparison,
    cost,
    methods,
    planted,
    run_quality,
    sparse,
)
from hsiclearn_benchmarks.quality.errors import cross_validate
from hsiclearn_benchmarks.quality.methods import METHODS
from hsiclearn_benchmarks.quality.suite import Suite, our_code, rivals_code, their_code
from hsiclearn_benchmarks.units import Store, Unit, perform

CHEAP = ("ours", "pca", "pls", "raw")


class Here(Executor):
    """Work done at once, in this process: others take seconds to start."""

    def submit(self, function, /, *args):
        future = Future()
        future.set_result(function(*args))
        return future


@pytest.fixture(autouse=True)
def _in_process(monkeypatch):
    monkeypatch.setattr("hsiclearn_benchmarks.units.start_pool", lambda jobs, alone: Here())


@pytest.fixture
def _cheap(monkeypatch):
    chosen = {key: METHODS[key] for key in CHEAP}
    for module in (methods, comparison):
        monkeypatch.setattr(module, "METHODS", chosen)


@pytest.fixture
def _with_auto(monkeypatch):
    """Dimensions and times without the fits behind them."""
    monkeypatch.setattr(
        planted, "find_dimension", lambda kind, n, d, seed: {"found": 2, "true": 1 + (seed == 0)}
    )
    monkeypatch.setattr(cost, "_QUICK_ROWS", 300)
    finder = sparse.Finder("SupervisedHSIC", lambda X, y, k, q: list(range(k)), our_code)
    monkeypatch.setattr(sparse, "FINDERS", {"ours": finder})


@pytest.mark.slow
@pytest.mark.usefixtures("_cheap", "_with_auto")
def test_a_quick_run_makes_every_table_but_judges_nothing():
    told = []
    parts = dict(run_quality(quick=True, jobs=1, progress=lambda *what: told.append(what)))
    assert list(parts) == ["sets", "angles", "dimension", "sparse", "cost"]
    for part in parts.values():
        report = part.report()
        assert "failed" not in report.lower()
        assert ("quick run" in report) == bool(part.goals)
        assert "Quick: one seed" in report
        assert all(goal.value is not None for goal in part.goals)
    assert "| SupervisedHSIC" in parts["sets"].table
    assert told[-1][:2] == (2, 2)
    assert "0 (0" in parts["sparse"].table


def test_a_unit_by_hand():
    found = cross_validate(data="iris", method="lda", seed=0)
    assert len(found["error"]) == len(found["seconds"]) == 5
    np.testing.assert_allclose(
        found["error"], np.add(found["svm"], found["neighbours"]) / 2, rtol=1e-12
    )
    assert 0.0 < np.mean(found["error"]) < 8.0
    json.dumps(found)
    real = cross_validate(data="sine", method="pca", seed=1)
    assert 80.0 < np.mean(real["error"]) < 160.0  # no better than the mean


@pytest.mark.usefixtures("_cheap")
def test_a_choice_of_sets_has_no_goals():
    ((name, part),) = run_quality(only=["wine"], quick=True, jobs=1)
    assert name == "sets"
    assert not part.goals
    assert "iris" not in part.table


@pytest.mark.usefixtures("_cheap")
def test_what_is_in_the_file_is_not_done_again(tmp_path, monkeypatch):
    path = tmp_path / "f.json"
    settings = {"only": ["iris"], "quick": True, "jobs": 1, "json": path}
    ((_, first),) = run_quality(**settings)
    monkeypatch.setattr(comparison, "cross_validate", None)
    ((_, again),) = run_quality(resume=True, **settings)
    assert again == first
    assert len(json.loads(path.read_text())["sets"]) == len(CHEAP)


def half(x):
    return {"half": x / 2}


def tell(done, total, name):
    pass


def test_figures_of_other_code_and_failures_are_had_again(tmp_path):
    path = tmp_path / "f.json"
    units = [Unit("a", half, {"x": 1}, "old"), Unit("b", half, {"x": "?"}, "old")]
    found = perform("p", units, Store(path), jobs=1, tell=tell)
    assert found["a"]["half"] == 0.5
    assert found["b"]["problem"].startswith("TypeError")
    store = Store(path, resume=True)
    assert store.get("p", units[0])["half"] == 0.5
    assert store.get("p", units[1]) is None
    assert store.get("p", Unit("a", half, {"x": 1}, "new")) is None
    assert Store(path).get("p", units[0]) is None
    path.write_text("{")
    with pytest.raises(DataCorruptError, match="leave out --resume"):
        Store(path, resume=True)
    assert their_code() in our_code()
    assert their_code() in rivals_code()
    assert rivals_code("none-such").endswith("no none-such")
    assert {key: m.code() for key, m in METHODS.items()}["lda"] == their_code()


@pytest.mark.slow
def test_processes_with_a_core_each(tmp_path, monkeypatch):
    monkeypatch.undo()
    units = [Unit(f"{seed}", planted.true_angle, _ring(seed)) for seed in range(2)]
    found = perform("p", units, Store(tmp_path / "f.json"), jobs=2, tell=tell)
    assert found["1"]["degrees"] == pytest.approx(planted.true_angle(**_ring(1))["degrees"])
    assert not list(tmp_path.glob(".*"))


def _ring(seed):
    return {"kind": "ring", "n": 60, "d": 4, "seed": seed}


@pytest.mark.usefixtures("_cheap")
def test_what_failed_meets_no_goal(monkeypatch):
    def fails(**settings):
        raise ValueError("no way")

    monkeypatch.setattr(SupervisedHSIC, "fit", lambda self, X, y: fails())
    for name in ("sets", "angles", "dimension", "cost"):
        part = QUALITY_PARTS[name](Suite(quick=True))
        assert "no way" in part.report(), name
        assert not any(goal.is_met for goal in part.goals)


def test_the_angle_is_to_the_subspace_of_standardised_columns(monkeypatch):
    real = planted.make_planted

    def scaled(*args, **settings):
        X, y, W = real(*args, **settings)
        return X * np.arange(1, 5), y, W / np.arange(1, 5)[:, None]

    expected = planted.true_angle(kind="sine", n=300, d=4, seed=0)["degrees"]
    monkeypatch.setattr(planted, "make_planted", scaled)
    assert planted.true_angle(kind="sine", n=300, d=4, seed=0)["degrees"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["columns"], "must be of"),
        (["sets", "--only", "wines"], "must be of"),
        (["further", "--only", "wine"], "must be of"),
        (["further", "--quick"], "must be of"),
        (["design", "--quick"], "must be of"),
        (["design", "--only", "wine"], "must be of"),
        (["sparse", "--only", "wine"], "must be of"),
        (["--resume"], "needs --json"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(arguments, reason):
    result = CliRunner().invoke(app, ["bench", "quality", *arguments])
    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.replace("│", " ").split())
    assert "Traceback" not in result.output


def test_arguments_of_the_function():
    with pytest.raises(ValueError, match="`resume` needs `json`"):
        next(run_quality(resume=True))
    with pytest.raises(ValueError, match="Got 0"):
        next(run_quality(jobs=0))


def test_help():
    result = CliRunner().invoke(app, ["bench", "quality", "--help"])
    assert result.exit_code == 0
    for option in ("--only", "--jobs", "--quick", "--markdown", "--json", "--resume"):
        assert option in result.stdout


@pytest.mark.usefixtures("_cheap")
def test_the_command(tmp_path):
    folder, figures = tmp_path / "new", tmp_path / "figures" / "f.json"
    result = CliRunner().invoke(
        app,
        [
            *("bench", "quality", "--quick", "--only", "iris", "--jobs", "1"),
            *("--markdown", str(folder), "--json", str(figures)),
        ],
    )
    assert result.exit_code == 0, result.output
    assert (folder / "sets.md").read_text().strip() == result.stdout.strip()
    assert "iris, pca, seed 0" in json.loads(figures.read_text())["sets"]
    assert "sets: iris" in result.stderr
