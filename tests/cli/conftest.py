"""A folder with small tables, and the command run inside it."""

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from hsiclearn._cli.app import app

COMMAND = typer.main.get_command(app)  # built once: that takes longer than most verbs


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("hsiclearn._cli.console._LONG", 1e9)  # seconds: no lines by the clock

    monkeypatch.setattr("typer.testing._get_command", lambda _: COMMAND, raising=False)

    def invoke(*arguments):
        return CliRunner().invoke(app, [str(part) for part in arguments])

    return invoke


@pytest.fixture(scope="session")
def flower_table():
    """60 rows: two numbers that tell the kind, one that does not, a colour, a name."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1, 2], 20)
    return pd.DataFrame(
        {
            "length": (kind + 0.2 * rng.standard_normal(60)).round(4),
            "width": (np.abs(kind - 1) + 0.2 * rng.standard_normal(60)).round(4),
            "noise": rng.standard_normal(60).round(4),
            "colour": np.array(["red", "blue", "grey"])[rng.integers(3, size=60)],
            "name": [f"no {i}" for i in range(60)],
            "kind": np.array(["aster", "briar", "clover"])[kind],
        }
    )


@pytest.fixture
def flowers(tmp_path, flower_table):
    """The table, and a file of it in the folder of the test."""
    flower_table.to_csv(tmp_path / "flowers.csv", index=False)
    return flower_table.copy()
