"""What a user can mend: one line that names the culprit, exit code 2, nothing written."""

import numpy as np
import polars as pl
import pytest

GOOD = "a,b,y\n" + "".join(f"{3 * i},{i * i % 7},{'uv'[i % 2]}\n" for i in range(20))
TARGET = ("--target", "y")


def lines(rows, header="a,b,y"):
    return "\n".join([header, *rows]) + "\n"


def with_cell(text, row=3):
    rows = GOOD.splitlines()
    rows[row] = text
    return "\n".join(rows) + "\n"


# A name, the content of t.csv, the options, what the line must hold.
TABLES = {
    "text among numbers": (with_cell("abc,1,u"), TARGET, ["'a'", "'abc'", "row 3"]),
    "missing": (with_cell(",1,u"), TARGET, ["1 in 'a' (row 3)", "--impute"]),
    "missing target": (with_cell("1,1,"), TARGET, ["'y'", "1 of 20", "--drop-missing-target"]),
    "infinite": (with_cell("inf,1,u"), TARGET, ["'a'", "infinite", "row 3"]),
    "too large": (with_cell("1e300,1,u"), TARGET, ["'a'", "too large"]),
    "text in a quantity": (
        with_cell("abc,1,u"),
        ("--target", "a"),
        ["target 'a'", "'abc'", "row 3"],
    ),
    "constant target": (GOOD.replace("v", "u"), TARGET, ["'y'", "'u'", "all 20 rows"]),
    "all constant": (lines(["1,1,u", "1,1,v", "1,1,u"]), TARGET, ["'a'", "constant"]),
    "one row": (lines(["1,1,u"]), TARGET, ["t.csv", "1 row"]),
    "header only": ("a,b,y\n", TARGET, ["t.csv", "no rows"]),
    "empty": ("", TARGET, ["t.csv", "empty"]),
    "ragged": (with_cell("1,2,3,u"), TARGET, ["Line 4 has 4"]),
    "twice": (GOOD.replace("a,b,y", "a,a,y"), TARGET, ["'a'"]),
    "unknown target": (GOOD, ("--target", "z"), ["'z'", "'a', 'b', 'y'"]),
    "near target": (GOOD, ("--target", "Y"), ["'Y'", "Did you mean 'y'"]),
    "category target": (GOOD, (*TARGET, "--category", "y"), ["'y'", "twice", "--category"]),
    "unknown category": (GOOD, (*TARGET, "--category", "bb"), ["'bb'", "'b'"]),
    "dropped target": (GOOD, (*TARGET, "--drop", "y"), ["'y'", "twice"]),
    "unknown drop": (GOOD, (*TARGET, "--drop", "bb"), ["'bb'", "'b'"]),
    "unknown id": (GOOD, (*TARGET, "--id", "nr"), ["'nr'"]),
    "nothing left": (GOOD, (*TARGET, "--drop", "a,b"), ["No column"]),
    "too many components": (GOOD, (*TARGET, "--components", "3"), ["--components", "2 columns"]),
    "no number": (GOOD, (*TARGET, "--components", "two"), ["--components", "'two'"]),
    "auto and clusters": (GOOD, ("--clusters", "2", "--components", "auto"), ["--target"]),
    "one cluster": (GOOD, ("--clusters", "1"), ["--clusters", ">= 2"]),
    "no task": (GOOD, (), ["--target COL", "--clusters K"]),
    "two tasks": (GOOD, (*TARGET, "--clusters", "2"), ["--target", "--clusters"]),
    "two guides": (GOOD, ("--known", "y", "--against", "y"), ["--known", "--against"]),
    "text as quantity": (GOOD, (*TARGET, "--target-kind", "real"), ["'y'", "'u'"]),
    "too many clusters": (GOOD, ("--clusters", "30", "--drop", "y"), ["20 rows"]),
    "no such folder": (GOOD, (*TARGET, "--model", "none/m.hsic"), ["--model", "'none'"]),
    "a folder": (GOOD, (*TARGET, "--report", "."), ["--report", "directory"]),
    "the input": (GOOD, (*TARGET, "--model", "t.csv", "--force"), ["t.csv", "input"]),
    "the same file": (GOOD, (*TARGET, "--model", "m", "--report", "m"), ["another option"]),
}


def refused(result, *culprits):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    *notes, line = result.stderr.splitlines()  # what was noticed on the way was told by then
    assert line.startswith("hsiclearn: ")
    assert all(note.startswith("note: ") for note in notes)
    for culprit in culprits:
        assert culprit in line


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", TABLES)
def test_a_bad_table_or_option(run, tmp_path, name):
    content, options, culprits = TABLES[name]
    (tmp_path / "t.csv").write_text(content)
    before = contents(tmp_path)
    outputs = () if {"--model", "--report"} & {*options} else ("--model", "m.hsic")
    refused(run("fit", "t.csv", *options, *outputs), *culprits)
    assert contents(tmp_path) == before


FILES = {
    "broken.csv": (GOOD.replace("u", "ü").encode() + b"\xe9\n", "UTF-8"),
    "junk.csv": (bytes(range(256)) * 9, "no text"),
    "cut.parquet": (b"PAR1" + b"\0" * 99, "Parquet"),
    "table.sav": (GOOD.encode(), ".parquet"),
    "m.npy": (b"\x93NUMPY", "NPY"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file(run, tmp_path, name):
    content, culprit = FILES[name]
    (tmp_path / name).write_bytes(content)
    refused(run("fit", name, *TARGET, "--model", "m.hsic"), name, culprit)
    refused(run("test", name, "--y", "y"), name, culprit)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["5GB.csv", "folder"])
def test_a_file_that_is_none(run, tmp_path, name):
    (tmp_path / "folder").mkdir()
    refused(run("fit", name, *TARGET), name)


def test_identifiers_and_dates_are_named_with_the_option_that_helps(run, tmp_path):
    frame = pl.DataFrame({"x": np.arange(80.0), "who": [f"n{i}" for i in range(80)]})
    frame = frame.with_columns(y=pl.col("x") % 2 > 0, day=pl.lit("1/2/2020"), x=pl.col("x") ** 2)
    frame.drop("day").write_csv(tmp_path / "t.csv")
    refused(run("fit", "t.csv", *TARGET), "'who'", "--drop who", "--id who")
    frame.drop("who").write_parquet(tmp_path / "t.parquet")
    refused(run("fit", "t.parquet", *TARGET), "'day'", "dates", "--drop day")


@pytest.fixture
def model(run, tmp_path):
    (tmp_path / "t.csv").write_text(GOOD)
    result = run("fit", "t.csv", *TARGET, "--components", "1", "--model", "m.hsic", "--quiet")
    assert result.exit_code == 0, result.output
    return tmp_path / "m.hsic"


def test_a_model_that_is_none(run, model, tmp_path):
    refused(run("transform", "none.hsic", "t.csv"), "none.hsic")
    refused(run("transform", "t.csv", "t.csv"), "t.csv", "model comes first")
    whole = model.read_bytes()
    for damaged in (whole[:-50], whole.replace(b"SupervisedHSIC", b"SupervisedHSIK"), b""):
        model.write_bytes(damaged)
        refused(run("transform", "m.hsic", "t.csv"), "m.hsic")
        refused(run("report", "m.hsic", "t.csv", "--output", "r.html"), "m.hsic")


def test_a_table_the_model_does_not_fit(run, model, tmp_path):
    before = contents(tmp_path)
    for content, culprit in (
        (GOOD.replace("a,b,y", "a,c,y"), "'b'"),
        (with_cell("x,1,u"), "'x'"),
        (with_cell(",1,u"), "row 3"),
        ("a,b,y\n", "no rows"),
    ):
        (tmp_path / "t.csv").write_text(content)
        refused(run("transform", "m.hsic", "t.csv", "--output", "z.csv"), culprit)
        assert contents(tmp_path).keys() == before.keys()


def test_an_output_that_cannot_be(run, model, tmp_path):
    (tmp_path / "z.csv").write_text("precious")
    refused(run("transform", "m.hsic", "t.csv", "--output", "z.csv"), "z.csv", "--force")
    refused(run("transform", "m.hsic", "t.csv", "--output", "z.xls"), "z.xls", ".parquet")
    refused(run("transform", "m.hsic", "t.csv", "--output", "no/z.csv"), "'no'")
    refused(run("report", "m.hsic", "t.csv", "--output", "no/r.html"), "'no'")
    assert (tmp_path / "z.csv").read_text() == "precious"


TESTS = {
    "unknown y": (("--y", "z"), "'z'"),
    "unknown x": (("--y", "y", "--x", "z"), "'z'"),
    "both sides": (("--y", "y", "--x", "a,y"), "'y'"),
    "nothing left": (("--y", "y", "--drop", "a,b"), "No column"),
}


@pytest.mark.parametrize("name", TESTS)
def test_a_test_that_cannot_be(run, tmp_path, name):
    options, culprit = TESTS[name]
    (tmp_path / "t.csv").write_text(GOOD)
    refused(run("test", "t.csv", *options), culprit)


def test_a_test_of_too_few_rows(run, tmp_path):
    (tmp_path / "t.csv").write_text("\n".join(GOOD.splitlines()[:5]) + "\n")
    refused(run("test", "t.csv", "--y", "y"), "'y'", "6 rows")
