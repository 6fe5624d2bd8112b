"""The command: run as its users run it, with and without its extras."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._cli import main
from hsiclearn._cli.app import app
from hsiclearn.datasets import make_planted

WITHOUT_TYPER = """
import sys
sys.modules["typer"] = None
sys.argv = ["hsiclearn", "demo"]
from hsiclearn._cli import main
main()
"""


def figure_after(label, text):
    """The first number after a label."""
    return float(re.search(rf"{label}\s+(-?[\d.]+)", text).group(1))


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The console script, as a process: what it printed, and the folder it wrote to."""
    folder = tmp_path_factory.mktemp("demo")
    script = Path(sys.executable).with_name("hsiclearn")
    run = subprocess.run([script, "demo"], capture_output=True, text=True, cwd=folder, check=False)
    return run, folder / "demo-output"


@pytest.mark.long
def test_demo_reports_the_fit(demo):
    result, _ = demo
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    wine, ring = result.stdout.split("Ring:")
    for name in ("SupervisedHSIC", "LDA", "PCA"):
        assert 90 < figure_after(name, wine) <= 100
    data = load_wine()
    model = SupervisedHSIC(n_components=2).fit(
        StandardScaler().fit_transform(data.data), data.target
    )
    assert figure_after("cost", wine) == pytest.approx(model.cost_, abs=2e-3)
    assert "This is a verified local optimum" in wine
    assert "NOT verified" not in wine
    assert "Converged" in wine
    for i, component in enumerate(model.components_, start=1):
        assert f"component {i}  {data.feature_names[np.argmax(np.abs(component))]} " in wine
    assert ring.count("degrees") == 3


@pytest.mark.long
def test_demo_finds_the_ring_that_lda_misses(demo):
    ring = demo[0].stdout.split("Ring:")[1]
    rows = dict(re.findall(r"^ +(\w+) +\d+ +(\d+) degrees", ring, flags=re.MULTILINE))
    assert int(rows["SupervisedHSIC"]) < 15
    assert int(rows["LDA"]) > 40


@pytest.mark.long
def test_demo_ends_with_the_answer_and_the_report(demo):
    result, directory = demo
    assert result.stdout.splitlines()[-1] == "demo-output/report.html"
    page = (directory / "report.html").read_text()
    assert "178 wines of three growers" in page
    answer = result.stdout.split("The answer for the wines")[1]
    assert answer.split().count("component") == 2
    for name in load_wine().feature_names:
        assert name in answer
        assert name in page


@pytest.mark.long
def test_demo_may_be_run_again(demo, monkeypatch):
    """The wines once more, with the same words, page and picture; quick folds and ring."""
    first, directory = demo
    files = {path.name: path.read_bytes() for path in directory.iterdir()}
    monkeypatch.chdir(directory.parent)
    monkeypatch.setattr("hsiclearn._cli.demo.make_planted", lambda kind: make_planted(kind, 60, 3))
    monkeypatch.setattr("hsiclearn._cli.demo.cross_val_score", lambda *_, **__: np.ones(5))
    again = CliRunner().invoke(app, ["demo", "--output", "demo-output"])
    assert again.exit_code == 0
    for part in ("SupervisedHSIC on all rows", "The answer for the wines"):
        one, other = (
            text.split(part)[1].split("Ring:")[0] for text in (first.stdout, again.output)
        )
        assert one == other
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == files


@pytest.mark.long
def test_demo_writes_one_valid_picture(demo):
    result, directory = demo
    assert sorted(path.name for path in directory.iterdir()) == ["report.html", "wine.png"]
    assert "demo-output/wine.png" in result.stdout
    height, width, channels = imread(directory / "wine.png").shape
    assert 400 <= height <= 1200
    assert 400 <= width <= 1600
    assert channels == 4


def test_main_prints_the_version(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["hsiclearn", "--version"])
    with pytest.raises(SystemExit) as leaving:
        main()
    assert leaving.value.code == 0
    assert capsys.readouterr().out == f"hsiclearn {hsiclearn.__version__}\n"


def test_help_has_an_example():
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "hsiclearn demo --output" in result.output


def test_an_output_that_cannot_be_written_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr("hsiclearn._cli.demo.cross_val_score", lambda *_, **__: np.ones(5))
    (tmp_path / "taken").write_text("")
    result = CliRunner().invoke(app, ["demo", "--output", str(tmp_path / "taken" / "below")])
    assert result.exit_code == 1
    assert "Cannot write to" in result.stderr
    assert "Traceback" not in result.output


def test_without_typer_one_line_says_what_to_install(tmp_path):
    command = [sys.executable, "-c", WITHOUT_TYPER]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert "pip install 'hsic-learn[cli]'" in run.stderr
