"""``hsiclearn test``: the figures of the library, sorted and corrected."""

import json

import numpy as np
import pandas as pd
import pytest

from hsiclearn import cka, hsic_test
from hsiclearn._cli.independence import ranked


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["tests"]


def test_each_column_is_tested_as_the_library_does(run, flowers):
    found = {t["columns"][0]: t for t in figures(run("test", "flowers.csv", "--y=kind", "--json"))}
    assert set(found) == {"length", "width", "noise", "colour"}
    length = flowers["length"].to_numpy()
    length = (length - length.mean()) / length.std()
    expected = hsic_test(length, flowers["kind"].to_numpy())
    assert found["length"]["p"] == pytest.approx(expected.pvalue, rel=1e-6)
    assert found["length"]["hsic"] == pytest.approx(expected.statistic, rel=1e-9)
    colour = cka(flowers["colour"].to_numpy(), flowers["kind"].to_numpy(), estimator="unbiased")
    assert found["colour"]["cka"] == pytest.approx(colour, rel=1e-9)


def test_lines_are_sorted_and_corrected_by_holm(run, flowers):
    found = figures(run("test", "flowers.csv", "--y", "kind", "--json"))
    p = [test["p"] for test in found]
    assert p == sorted(p)
    raw = [min(1.0, (len(p) - k) * value) for k, value in enumerate(p)]
    assert [test["p_holm"] for test in found] == pytest.approx(np.maximum.accumulate(raw))


def test_the_table_can_be_read(run, flowers):
    result = run("test", "flowers.csv", "--y", "kind")
    lines = result.stdout.splitlines()
    assert lines[0] == "Dependence of each column on kind, by itself"
    assert lines[2].split() == ["column", "rows", "HSIC", "CKA", "p", "p", "(Holm)"]
    assert {line.split()[0] for line in lines[3:]} == {"length", "width", "noise", "colour"}
    assert "left out: Column 'name' holds 60 different texts" in result.stderr


def test_jointly_there_is_one_line(run, flowers):
    options = ("--y", "kind", "--x", "noise,colour", "--joint")
    result = run("test", "flowers.csv", *options)
    assert result.stdout.count("\n") == 1
    assert result.stdout.startswith("2 columns together and kind: HSIC ")
    (found,) = figures(run("test", "flowers.csv", *options, "--json"))
    assert found["columns"] == ["noise", "colour"]


def test_permutations_are_drawn_by_the_seed(run, flowers):
    options = ("--y", "kind", "--x", "noise", "--method", "permutation", "--permutations", "99")
    (first,) = figures(run("test", "flowers.csv", *options, "--json"))
    assert first == figures(run("test", "flowers.csv", *options, "--json"))[0]
    assert (first["p"] * 100) == pytest.approx(round(first["p"] * 100))


def test_rows_without_a_value_are_left_out_and_told(run, flowers, tmp_path):
    flowers.loc[[1, 2], "noise"] = np.nan
    flowers.loc[5, "kind"] = None
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    result = run("test", "flowers.csv", "--y", "kind", "--json")
    rows = {test["columns"][0]: test["rows"] for test in figures(result)}
    assert (rows["noise"], rows["length"]) == (57, 59)
    assert "note: rows without 'kind' are left out: 1\n" in result.stderr
    assert "note: rows without 'noise' are left out: 2\n" in result.stderr


def test_several_columns_may_be_the_other_side(run, flowers):
    found = figures(run("test", "flowers.csv", "--y", "length,width", "--x", "kind", "--json"))
    assert found[0]["p"] < 1e-6


def test_a_column_with_few_values_is_left_out_and_told(run, flowers, tmp_path):
    sparse = flowers.assign(sparse=[1.0, 2.0, 3.0, *[None] * 57])
    sparse.to_csv(tmp_path / "flowers.csv", index=False)
    for joint in ((), ("--joint",)):
        result = run("test", "flowers.csv", "--y", "kind", "--json", *joint)
        names = {name for test in figures(result) for name in test["columns"]}
        assert names == {"length", "width", "noise", "colour"}
        assert "left out: Column 'sparse' has values in 3 rows: a test needs 6" in result.stderr
    refused = run("test", "flowers.csv", "--y", "kind", "--x", "noise,sparse")
    assert refused.exit_code == 2
    assert "'sparse' has values in 3 rows" in refused.stderr


def test_a_column_cannot_be_asked_for_and_dropped(run, flowers):
    for options in (("--x", "noise,width", "--drop", "noise"), ("--drop", "kind")):
        result = run("test", "flowers.csv", "--y", "kind", *options)
        assert result.exit_code == 2
        assert "is asked for twice" in result.stderr


def test_ties_of_tiny_p_values_are_in_the_order_of_cka(run, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.standard_normal(1500)
    columns = {f"c{i}": y + noise * rng.standard_normal(1500) for i, noise in enumerate((0.2, 0.1))}
    frame = pd.DataFrame({**columns, "same": y, "y": y})
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = figures(run("test", "t.csv", "--y", "y", "--json"))
    assert all(test["p"] < 1e-300 for test in found)
    assert [test["columns"] for test in found] == [["same"], ["c1"], ["c0"]]


def test_order_among_ties_does_not_follow_rounding():
    lines = [
        {"p": p, "cka": cka} for p, cka in ((1e-310, 0.2), (0.0, 0.1), (5e-301, 0.9), (0.1, 1))
    ]
    assert [line["cka"] for line in ranked(lines)] == [0.9, 0.2, 0.1, 1]


def test_constant_columns_are_left_out_and_do_not_count(run, flowers, tmp_path):
    before = figures(run("test", "flowers.csv", "--y", "kind", "--json"))
    flowers.assign(one=1.0, same="x").to_csv(tmp_path / "flowers.csv", index=False)
    result = run("test", "flowers.csv", "--y", "kind", "--json")
    assert figures(result) == before
    assert "left out: Column 'one' is constant" in result.stderr
    assert "left out: Column 'same' is constant" in result.stderr
    refused = run("test", "flowers.csv", "--y", "kind", "--x", "one")
    assert refused.exit_code == 2
    assert "Column 'one' is constant" in refused.stderr


def test_a_target_that_does_not_vary_where_a_column_has_values(run, flowers, tmp_path):
    half = flowers.assign(half=flowers["noise"].where(flowers["kind"] == "aster"))
    half.to_csv(tmp_path / "flowers.csv", index=False)
    result = run("test", "flowers.csv", "--y", "kind", "--json")
    names = [test["columns"] for test in figures(result)]
    assert ["half"] not in names
    assert len(names) == 4
    assert "left out: 'kind' is constant where 'half' has values" in result.stderr


@pytest.fixture
def counted(flowers, tmp_path):
    """The file with a column of counts, and the options that test it; a file with repeated rows."""
    flowers["n"] = np.arange(60) % 7 % 4
    flowers.loc[:, ["noise"]] = flowers.noise.where(flowers.index != 5)
    rows = np.repeat(np.arange(60), flowers.n)
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    flowers.iloc[rows].drop(columns="n").to_csv(tmp_path / "repeated.csv", index=False)
    return "flowers.csv", "--weights", "n"


@pytest.mark.parametrize(
    "options",
    [
        ("--y", "kind", "--drop", "name"),
        ("--y", "length", "--x", "noise,colour,width", "--joint"),
        ("--y", "kind", "--x", "noise", "--method", "permutation", "--permutations", "19"),
    ],
)
def test_rows_with_weights_are_repeated_rows(run, counted, options):
    expected = figures(run("test", "repeated.csv", *options, "--json"))
    result = run("test", *counted, *options, "--json")
    for line, wanted in zip(figures(result), expected, strict=True):
        assert line["columns"] == wanted["columns"]
        assert line["weight"] == wanted["rows"] > line["rows"]
        for figure in ("hsic", "cka", "p", "p_holm"):
            assert line[figure] == pytest.approx(wanted[figure], rel=1e-10)
    assert "note: rows of weight 0 are left out: 17\n" in result.stderr


def test_weights_are_told(run, counted):
    result = run("test", *counted, "--y", "kind", "--x", "width")
    assert result.stdout.splitlines()[2].split()[:3] == ["column", "rows", "weight"]
    assert result.stdout.splitlines()[3].split()[:3] == ["width", "43", "78"]
    result = run("test", *counted, "--y", "kind", "--x", "width,length", "--joint")
    assert result.stdout.endswith("(43 rows of weight 78)\n")


def test_weights_that_are_none(run, counted, flowers, tmp_path):
    def said(values, *options):
        flowers.assign(n=values).to_csv(tmp_path / "flowers.csv", index=False)
        result = run("test", *counted, "--y", "kind", *options)
        assert result.exit_code == 2
        return result.stderr

    half = np.where(np.arange(60) == 3, 0.5, 1.0)
    assert "not whole (row 4). Use --method gamma." in said(half, "--method", "permutation")
    assert "is missing in 1 of 60 rows (row 4)" in said(np.where(half == 1, 2, np.nan))
    assert "must not be negative. It is -0.5 in row 1" in said(half - 1.5)
    assert "must hold numbers" in said("many")
    assert "asked for twice: by --x and by --weights" in said(half, "--x", "n")
    assert "Of 'kind' there are 60 rows of weight 0.6." in said(0.01)
