"""The paper's tables: what the quick run must reproduce, and how a cell fails."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from data_folder import data_file
from hsiclearn.exceptions import DataNotFoundError
from hsiclearn_benchmarks.paper.data import DATA
from hsiclearn_benchmarks.paper.printed import PRINTED, agrees
from hsiclearn_benchmarks.paper.run import Cell, PaperRun, run_paper
from hsiclearn_benchmarks.paper.solvers import CLUSTERERS, METHODS, REDUCERS
from hsiclearn_benchmarks.paper.tables import paper_report
from hsiclearn_benchmarks.paper.worker import Measured, open_worker

SMALL = ("wine", "cancer", "car")


@pytest.fixture(scope="module")
def data():
    """The loaders look where the tests do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HSICLEARN_DATA", str(data_file("car").parent))
        yield


@pytest.fixture(scope="module")
def quick(data):
    return run_paper(data=SMALL, quick=True, heldout=False, budget=60.0)


def cells(run, method):
    return {(c.table, c.data): c for c in run.cells if c.method == method}


def test_the_printed_costs_are_reproduced(quick):
    assert quick.complaints() == []
    found = cells(quick, "ism+")
    assert found["supervised", "wine"].cost == pytest.approx(-1628.139, abs=1e-3)
    assert found["unsupervised", "wine"].cost == pytest.approx(-39.082, abs=1e-3)
    assert found["unsupervised", "cancer"].cost == pytest.approx(-33.299, abs=1e-3)
    assert found["unsupervised", "car"].cost == pytest.approx(-79.175, abs=1e-3)


def test_ours_is_at_or_below_what_was_known_to_be_reachable(quick):
    found = cells(quick, "spectral")
    known = {"wine": -39.19, "cancer": -33.67, "car": -79.67}
    for name, cost in known.items():
        assert found["unsupervised", name].cost <= cost
    assert found["supervised", "car"].cost == pytest.approx(-2305.0511, abs=1e-3)


def test_training_errors_of_the_baselines_are_the_printed_ones(quick):
    for name in SMALL:
        for method in ("pca+svm", "svm", "lda"):
            cell = cells(quick, method)["supervised", name]
            assert cell.score == pytest.approx(cell.printed.score, abs=0.5)


def test_costs_over_time_end_at_the_cost(quick):
    for method in ("spectral", "ism+"):
        for cell in cells(quick, method).values():
            seconds, costs = np.array(cell.history).T
            assert np.all(np.diff(seconds) >= 0)
            assert seconds[-1] <= cell.seconds
            assert costs[-1] == pytest.approx(cell.cost, rel=1e-9)


def test_report_and_json_hold_every_cell(quick, tmp_path):
    report = paper_report(quick)
    for name in SMALL:
        assert f"### {name}, supervised" in report
        assert f"### {name}, unsupervised" in report
    assert "-1628.14" in report
    quick.write_json(tmp_path / "paper.json")
    stored = json.loads((tmp_path / "paper.json").read_text())
    assert len(stored["cells"]) == len(quick.cells)
    assert stored["cells"][1]["printed"]["cost"] == "-1628.14"


def test_complaints_name_what_is_wrong(quick):
    def shifted(cell, by):
        fields = {**vars(cell), "cost": cell.cost + by}
        return Cell(**fields)

    ism = cells(quick, "ism+")["supervised", "wine"]
    ours = cells(quick, "spectral")["supervised", "wine"]
    wrong = PaperRun((shifted(ism, 0.02), ours), 1.0).complaints()
    assert len(wrong) == 1
    assert "printed is -1628.14" in wrong[0]
    below = PaperRun((ism, shifted(ours, 0.5)), 1.0).complaints()
    assert len(below) == 1
    assert "is below spectral" in below[0]


@pytest.mark.slow
def test_a_cell_that_runs_out_says_so_and_the_next_one_runs(data):
    with open_worker() as worker:
        slow = worker.measure("supervised", "sm-loops", "car", 1.0)
        assert slow.figures is None
        assert slow.problem == "over 1 s"
        quick = worker.measure("supervised", "svm", "wine", 60.0)
        assert quick.figures["score"] == 0.0


def test_a_failing_cell_says_why_and_is_complained_of(monkeypatch, tmp_path):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    with open_worker() as worker:
        found = worker.measure("supervised", "gm", "car", 60.0)
    assert found.figures is None
    assert "car.csv.gz" in found.problem
    run = PaperRun((Cell.of("supervised", "car", "gm", found),), 60.0)
    assert "car.csv.gz" in run.complaints()[0]
    assert "### Failed" in paper_report(run)


def test_data_that_are_not_there_are_an_error_before_any_work(monkeypatch, tmp_path):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match="car"):
        run_paper(data=["car"], quick=True)


@pytest.mark.slow
def test_only_the_method_itself_is_timed(data):
    """Imports and scoring take longer than a quarter of a second; the method does not."""
    with open_worker() as worker:
        found = worker.measure("supervised", "ism+", "wine", 0.25)
    assert found.figures is not None


@pytest.mark.slow
def test_a_child_leaves_with_its_parent(data, tmp_path):
    code = (
        "from hsiclearn_benchmarks.paper.worker import Worker\n"
        "if __name__ == '__main__':\n"
        "    worker = Worker()\n"
        "    worker._pipe.send(('supervised', 'sm-loops', 'car'))\n"
        "    print(worker._process.pid, flush=True)\n"
        "    worker._process.join()\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while _is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_bracketed_cost_of_a_cell_that_ran_out():
    measured = Measured(None, "over 1 s", ((0.1, -3.0), (0.2, -5.0), (0.3, -4.0)))
    run = PaperRun((Cell.of("supervised", "wine", "sm-loops", measured),), 1.0)
    report = paper_report(run)
    assert "(-5.000)" in report
    assert "over 1 s" in report


def test_unknown_data_is_an_error():
    with pytest.raises(ValueError, match="wine"):
        run_paper(data=["wines"])


@pytest.mark.parametrize(
    ("cost", "printed", "same"),
    [(-1628.139, "-1628.14", True), (-4684.4, "-4685", False), (-39.082, "-39.1", True)],
)
def test_agreement_is_to_the_printed_digit(cost, printed, same):
    assert agrees(cost, printed) is same


def test_every_printed_figure_has_a_method_and_a_data_set():
    for table, methods in (("supervised", REDUCERS), ("unsupervised", CLUSTERERS)):
        assert set(PRINTED[table]) == set(DATA)
        for rows in PRINTED[table].values():
            assert set(rows) <= set(methods)
            assert {m for m in methods if not METHODS[m].in_loops} - {"spectral"} <= set(rows)
