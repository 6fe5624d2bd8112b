"""``hsiclearn bench``, as its users run it."""

import json

import pytest
from matplotlib.image import imread
from typer.testing import CliRunner

from data_folder import data_file
from hsiclearn import plotting
from hsiclearn._cli.app import app
from hsiclearn_benchmarks import pictures


@pytest.fixture(autouse=True)
def _data(monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(data_file("car").parent))


def test_paper_prints_and_writes(tmp_path):
    files = {name: tmp_path / "new" / name for name in ("t.md", "t.json", "t.png")}
    result = CliRunner().invoke(
        app,
        [
            *("bench", "paper", "--quick", "--data", "wine", "--check", "--budget", "60"),
            *("--markdown", str(files["t.md"]), "--json", str(files["t.json"])),
            *("--plot", str(files["t.png"])),
        ],
    )
    assert result.exit_code == 0, result.output
    assert "-1628.139" in result.output
    assert files["t.md"].read_text().strip() == result.stdout.strip()
    assert json.loads(files["t.json"].read_text())["budget"] == 60.0
    assert imread(files["t.png"]).std() > 0.05


def test_a_wrong_name_is_named():
    result = CliRunner().invoke(app, ["bench", "paper", "--data", "wines"])
    assert result.exit_code == 2
    assert "must be of" in result.stderr
    assert "Traceback" not in result.output


def test_data_that_are_not_there_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    result = CliRunner().invoke(app, ["bench", "paper", "--quick", "--data", "car"])
    assert result.exit_code == 1
    assert "car.csv.gz" in result.stderr


def test_a_file_that_cannot_be_written_is_found_out_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "t.json"
    result = CliRunner().invoke(app, ["bench", "paper", "--json", str(path)])
    assert result.exit_code == 1
    assert "file" in result.stderr
    assert "supervised" not in result.output


def test_starts_prints_a_table():
    result = CliRunner().invoke(app, ["bench", "starts", "--random", "1"])
    assert result.exit_code == 0
    assert "from Phi_0" in result.stdout


def test_a_wrong_command_line_is_one_line():
    result = CliRunner().invoke(app, ["bench", "paper", "--data", "beer"])
    assert result.exit_code == 2
    assert result.stderr.startswith("hsiclearn: ")
    assert result.stderr.count("\n") == 1
    assert "hsiclearn bench paper --help" in result.stderr
    assert "Commands:" in CliRunner().invoke(app, ["bench"]).output


@pytest.mark.parametrize("name", ["save_curves", "save_scaling"])
def test_the_pictures_are_found_under_their_old_names(name):
    with pytest.warns(FutureWarning, match="moved to hsiclearn_benchmarks.pictures"):
        assert getattr(plotting, name) is getattr(pictures, name)
