"""``hsiclearn fit --weights``: a column that says how often each row counts."""

import json

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.usefixtures("unrendered")

FIT = ("--target", "kind", "--bandwidth", "1.5", "--drop", "name", "--impute", "--json")


@pytest.fixture
def weighed(flowers, tmp_path):
    """The flowers with gaps and weights 0 .. 3, and each as often as its weight says."""
    flowers["times"] = np.arange(60) % 4
    flowers.loc[[7, 30], "length"] = np.nan
    flowers.to_csv(tmp_path / "weighed.csv", index=False)
    often = flowers.loc[np.repeat(flowers.index, flowers["times"])].drop(columns="times")
    often.to_csv(tmp_path / "often.csv", index=False)
    return flowers


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_weight_of_two_is_a_row_that_stands_there_twice(run, weighed, tmp_path):
    """Also in means, medians and the most frequent colour of the columns."""
    found = run("fit", "weighed.csv", *FIT, "--weights", "times")
    assert "rows of weight 0 are left out: 15" in found.stderr
    weighted, repeated = figures(found), figures(run("fit", "often.csv", *FIT))
    assert weighted["weights"] == "times"
    assert repeated["weights"] is None
    assert (weighted["rows"], repeated["rows"]) == (45, 90)
    assert weighted["features"] == repeated["features"]
    assert weighted["cost"] == pytest.approx(repeated["cost"], rel=1e-10)
    for mine, theirs in zip(weighted["components"], repeated["components"], strict=True):
        for part in ("loadings", "standardised"):
            assert mine[part] == pytest.approx(theirs[part], abs=1e-6)
        assert mine["sd"] == pytest.approx(theirs["sd"], rel=1e-6)
    text = run("fit", "weighed.csv", *FIT[:-1], "--weights", "times", "--report", "r.html").stdout
    assert "times says how often each row counts" in text
    page = (tmp_path / "r.html").read_text()
    assert "Rows count as often as the weights say" in page
    assert "--weights times" in page
    assert "was fitted on other rows" not in page


@pytest.mark.parametrize("role", [("--clusters", "2"), ("--known", "some")])
def test_clusters_take_them_too(run, flowers, tmp_path, role):
    some = flowers.assign(some=flowers["kind"].where(np.arange(60) % 3 == 0), times=2.0)
    some.to_csv(tmp_path / "t.csv", index=False)
    fit = ("fit", "t.csv", *role, "--drop", "name,colour", "--weights", "times", "--json")
    found = figures(run(*fit))
    assert found["weights"] == "times"
    assert {"length", "noise", "width"} <= set(found["features"])
    assert "times" not in found["features"]
    assert sum(found["clusters"]["sizes"].values()) == 60


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["a"] * 60, "must hold numbers. It holds text"),
        ([1.0] * 59 + [None], "is missing in 1 of 60 rows (row 60)"),
        ([1.0] * 5 + [-2.0] * 55, "must not be negative. It is -2 in row 6"),
        ([0.0] * 59 + [1.0], "zero on all rows but one"),
    ],
)
def test_what_is_no_weight(run, flowers, tmp_path, values, said):
    flowers.assign(times=values).to_csv(tmp_path / "t.csv", index=False)
    result = run("fit", "t.csv", "--target", "kind", "--weights", "times")
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.split())


def test_a_column_is_asked_for_once(run, weighed):
    result = run("fit", "weighed.csv", *FIT, "--weights", "kind")
    assert "'kind' is asked for twice" in result.stderr
    result = run("fit", "weighed.csv", *FIT, "--weights", "times", "--groups", "times")
    assert "'times' is asked for twice" in result.stderr


def test_a_folder_that_stays_in_its_files_takes_none(run, tmp_path, monkeypatch, flowers):
    monkeypatch.setattr("hsiclearn._cli.tables.facts._DRAWN", 20)
    (tmp_path / "rows").mkdir()
    frame = pd.concat([flowers] * 2).assign(times=2.0).reset_index(drop=True)
    frame.to_parquet(tmp_path / "rows" / "part.parquet")
    result = run("fit", "rows", "--target", "kind", "--weights", "times")
    assert result.exit_code != 0
    assert "takes no --weights" in result.stderr
