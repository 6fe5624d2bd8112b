"""Columns of real tables: row numbers, dates, gaps, and all their problems in one run."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import hsiclearn


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


FIT = ("--target", "kind", "--drop", "name,colour", "--components", "1")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_row_numbers_are_left_out_or_kept(run, flowers, tmp_path, suffix):
    table = flowers.assign(rownames=np.arange(1, 61))
    table.to_csv(tmp_path / "t.csv", index=False)
    pl.read_csv(tmp_path / "t.csv").write_parquet(tmp_path / "t.parquet")
    found = figures(run("fit", f"t{suffix}", *FIT, "--json"))
    assert sorted(found["features"]) == ["length", "noise", "width"]
    told = "column 'rownames' numbers the rows and is left out; --keep rownames keeps it"
    assert told in found["notes"]
    found = figures(run("fit", f"t{suffix}", *FIT, "--keep", "rownames", "--json"))
    assert "rownames" in found["features"]
    assert not any("rownames" in note for note in found["notes"])


def test_rows_are_numbered_as_they_were_read(run, flowers, tmp_path):
    """Leaving out rows without a label must not make a feature of their numbers."""
    table = flowers.assign(nr=np.arange(60))
    table.loc[7, "kind"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    found = figures(run("fit", "t.csv", *FIT, "--drop-missing-target", "--json"))
    assert "nr" not in found["features"]


def test_a_model_with_or_without_row_numbers_takes_its_own_columns(run, flowers, tmp_path):
    flowers.assign(nr=np.arange(60)).to_csv(tmp_path / "t.csv", index=False)
    for options, columns in (((), 3), (("--keep", "nr"), 4)):
        fit = run("fit", "t.csv", *FIT, *options, "--model", "m.hsic", "--force")
        assert fit.exit_code == 0
        assert hsiclearn.load(tmp_path / "m.hsic")[0].n_features_in_ == columns
        result = run("transform", "m.hsic", "t.csv")
        assert (result.exit_code, result.stderr) == (0, "")


def test_row_numbers_may_be_asked_for_or_tested(run, flowers, tmp_path):
    flowers.assign(nr=np.arange(60)).to_csv(tmp_path / "t.csv", index=False)
    assert "numbers the rows" not in run("fit", "t.csv", *FIT, "--id", "nr").stderr
    result = run("fit", "t.csv", "--target", "nr", "--drop", "name,kind,colour")
    assert "numbers the rows" not in result.stderr
    assert "asked for twice" in run("fit", "t.csv", *FIT, "--id", "nr", "--keep", "nr").stderr
    result = run("test", "t.csv", "--y", "kind")
    assert "'nr' numbers the rows and is left out; --x nr tests it" in result.stderr
    assert " nr " not in result.stdout
    assert "nr" in run("test", "t.csv", "--y", "kind", "--x", "nr").stdout


def test_a_table_of_row_numbers_alone_is_refused(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i},{'uv'[i % 2]}\n" for i in range(20)))
    result = run("fit", "t.csv", "--target", "y")
    assert result.exit_code == 2
    assert "'a' numbers the rows" in result.stderr
    assert "--keep" in result.stderr


@pytest.fixture
def broken(flowers, tmp_path):
    """Five problems, one of them the target's."""
    rows = np.arange(60)
    table = flowers.drop(columns="colour").assign(
        empty=None,
        when=[f"{i % 9 + 1}/{i % 8 + 1}/2020" for i in rows],
        gap=np.where(rows == 4, np.nan, rows / 7),
    )
    table.loc[3, "kind"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    return table


def test_all_problems_are_told_at_once_with_the_options_that_settle_them(run, broken):
    result = run("fit", "t.csv", "--target", "kind")
    assert result.exit_code == 2
    first, *lines = result.stderr.splitlines()
    assert first == "hsiclearn: the table has 5 problems:"
    for line, name in zip(lines, ["kind", "name", "empty", "when", "gap"], strict=False):
        assert line.startswith("  ")
        assert f"'{name}'" in line
    *_, last = lines
    assert last == "  All at once: --drop-missing-target --drop name,empty,when --impute"
    mended = run("fit", "t.csv", "--target", "kind", *last.split(": ")[1].split())
    assert mended.exit_code == 0, mended.output


def test_a_verb_is_told_only_of_its_own_options(run, flowers, broken):
    """The problems of new rows cannot be dropped: the model needs their columns."""
    assert run("fit", "flowers.csv", *FIT, "--model", "m.hsic").exit_code == 0
    bad = flowers.assign(length="x", width=np.nan)
    bad.to_csv("bad.csv", index=False)
    result = run("transform", "m.hsic", "bad.csv")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 3
    assert "All at once" not in result.stderr


def test_notes_are_few_however_many_columns_there_are(run, flowers, tmp_path):
    rng = np.random.default_rng(0)
    texts = {f"t{j}": np.array(["a", "b", None])[rng.integers(3, size=60)] for j in range(30)}
    flowers.assign(**texts).to_csv(tmp_path / "t.csv", index=False)
    result = run("fit", "t.csv", *FIT, "--json")
    found = figures(result)
    *of_columns, of_rows = found["notes"]
    assert len(of_columns) == 2
    assert "60 rows" in of_rows
    assert result.stderr.count("note: ") == 3
    assert sum("becomes 2 columns" in line for line in found["encoding"]) == 30
    assert sum("kept as the category '(blank)'" in line for line in found["encoding"]) == 30
    many = {f"u{j}": [f"{k}:{j}" for k in range(60)] for j in range(20)}
    flowers.assign(**many).to_csv(tmp_path / "t.csv", index=False)
    assert run("test", "t.csv", "--y", "kind").stderr.startswith(
        "note: 21 columns cannot be tested: 'name', 'u0'"
    )


def test_many_missing_values_are_a_warning(run, flowers, tmp_path):
    table = flowers.assign(x=np.where(np.arange(60) % 3 == 0, np.nan, np.arange(60) ** 2))
    table.to_csv(tmp_path / "t.csv", index=False)
    result = run("fit", "t.csv", *FIT, "--impute")
    assert "warning: Many values were missing and were filled with one value: 'x' (33%)" in (
        result.stderr
    )


def test_dates_are_features_and_come_back_with_new_rows(run, flowers, tmp_path):
    days = pd.date_range("2020-03-01", periods=60, freq="11D").strftime("%d/%m/%Y")
    flowers.assign(sold=days).to_csv(tmp_path / "t.csv", index=False)
    result = run("fit", "t.csv", *FIT, "--model", "m.hsic", "--json")
    assert {"sold:days", "sold:month"} <= set(figures(result)["features"])
    assert "'sold' holds dates, read with the day first" in result.stderr
    whole = run("transform", "m.hsic", "t.csv").stdout.splitlines()
    flowers.assign(sold=days)[:3].to_csv(tmp_path / "few.csv", index=False)
    assert run("transform", "m.hsic", "few.csv").stdout.splitlines() == whole[:4]
    found = json.loads(run("test", "t.csv", "--y", "kind", "--x", "sold", "--json").stdout)
    assert found["tests"][0]["p"] < 1e-6  # the kinds follow each other


@pytest.fixture
def patients(tmp_path):
    """40 patients, five near-copies of each, and a coin for each patient."""
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(40), 5)
    X = rng.standard_normal((40, 4))[who] + 0.01 * rng.standard_normal((200, 4))
    table = pd.DataFrame(X, columns=list("abcd"))
    table["patient"] = [f"p{i}" for i in who]
    table["ill"] = rng.permutation(np.repeat(["yes", "no"], 20))[who]
    table.to_csv(tmp_path / "p.csv", index=False)


def test_rows_of_a_group_are_held_out_together(run, patients):
    alone = run("fit", "p.csv", "--target", "ill", "--id", "patient", "--json")
    assert "200 rows have 40 names in 'patient'" in alone.stderr
    assert "use --groups patient" in alone.stderr
    assert figures(alone)["found_dependence"]
    grouped = run("fit", "p.csv", "--target", "ill", "--groups", "patient", "--json")
    assert "names in 'patient'" not in grouped.stderr
    assert not figures(grouped)["found_dependence"]
    assert sorted(figures(grouped)["features"]) == list("abcd")
    refused = run("fit", "p.csv", "--clusters", "2", "--groups", "patient")
    assert refused.exit_code == 2
    assert "--groups says which rows are held out together" in refused.stderr


def test_dates_that_run_with_the_rows_are_told(run, flowers, tmp_path):
    days = pd.date_range("2020-01-05", periods=60, freq="3D").strftime("%Y-%m-%d")
    flowers.assign(day=days).to_csv(tmp_path / "t.csv", index=False)
    assert "the dates of 'day' run with the rows" in run("fit", "t.csv", *FIT).stderr
    flowers.assign(day=np.roll(days, 7)).to_csv(tmp_path / "t.csv", index=False)
    assert "run with the rows" not in run("fit", "t.csv", *FIT).stderr
