"""Columns of codes: numbers that are none, and texts that look like numbers."""

import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import hsiclearn

pytestmark = pytest.mark.usefixtures("unrendered")

PARTS = np.array(["007", "012", "A12", "B7"])


@pytest.fixture
def parts(tmp_path):
    """60 rows: a part number, its plant as an integer, a flag with a third answer."""
    rng = np.random.default_rng(3)
    part, plant = rng.integers(4, size=60), rng.choice([10, 20, 30], size=60)
    frame = pd.DataFrame(
        {
            "x": rng.standard_normal(60).round(4),
            "part": PARTS[part],
            "plant": plant,
            "flag": np.array(["True", "False", "maybe"])[rng.integers(3, size=60)],
            "y": np.where(plant == 20, "u", "v"),
        }
    )
    frame.to_csv(tmp_path / "parts.csv", index=False)
    return frame


def fit(run, *options):
    result = run("fit", "parts.csv", "--target", "y", *options)
    assert result.exit_code == 0, result.output
    return result


def test_integer_codes_become_columns_of_0_and_1(run, parts):
    result = fit(run, "--category", "plant", "--drop", "part,flag", "--json")
    found = json.loads(result.stdout)
    most = str(parts["plant"].mode()[0])
    others = [f"plant={code}" for code in ("10", "20", "30") if code != most]
    assert found["features"] == ["x", *others]
    assert f"'plant' becomes 2 columns of 0 and 1; '{most}', the most frequent" in result.stderr


def test_several_may_be_named_with_commas_and_zeros_stay(run, parts, tmp_path):
    fit(run, "--category", "plant,part", "--drop", "flag", "--model", "m.hsic")
    encoder = hsiclearn.load(tmp_path / "m.hsic")[0]
    categories = dict(zip(encoder.columns_, encoder.categories_, strict=True))
    assert categories == {"x": [], "part": PARTS.tolist(), "plant": ["10", "20", "30"]}


def test_indicators_are_not_standardised(run, parts, tmp_path):
    fit(run, "--category", "plant", "--drop", "part", "--model", "m.hsic")
    X = hsiclearn.load(tmp_path / "m.hsic")[0].transform(parts)
    assert X[:, 0].std() == pytest.approx(1.0)
    assert set(np.unique(X[:, 1:])) == {0.0, 1.0}


@pytest.mark.parametrize(("column", "kept"), [("part", "007"), ("flag", "True"), ("plant", 10)])
def test_the_rows_of_a_file_do_not_change_what_its_columns_are(run, parts, tmp_path, column, kept):
    fit(run, "--category", "plant,part", "--model", "m.hsic", "--quiet")
    whole = pl.read_csv(io.BytesIO(run("transform", "m.hsic", "parts.csv").stdout_bytes))
    some = (parts[column] == kept).to_numpy()
    parts[some].to_csv(tmp_path / "some.csv", index=False)
    result = run("transform", "m.hsic", "some.csv")
    assert result.exit_code == 0, result.output
    found = pl.read_csv(io.BytesIO(result.stdout_bytes))
    np.testing.assert_allclose(found.to_numpy(), whole.filter(some).to_numpy(), atol=1e-12)
    assert run("report", "m.hsic", "some.csv", "--output", "r.html").exit_code == (
        0 if parts[some]["y"].nunique() > 1 else 2
    )


def test_a_category_can_be_tested(run, parts):
    options = ("test", "parts.csv", "--y", "y", "--x", "plant", "--json")
    (as_numbers,) = json.loads(run(*options).stdout)["tests"]
    (as_labels,) = json.loads(run(*options, "--category", "plant").stdout)["tests"]
    expected = hsiclearn.hsic_test(parts["plant"].astype(str).to_numpy(), parts["y"].to_numpy())
    assert as_labels["hsic"] == pytest.approx(expected.statistic, rel=1e-9)
    assert as_labels["hsic"] != pytest.approx(as_numbers["hsic"], rel=0.01)


def test_names_of_rows_as_a_category_are_warned_of(run, parts, tmp_path):
    parts.assign(nr=np.arange(60)).to_csv(tmp_path / "parts.csv", index=False)
    result = fit(run, "--category", "nr", "--drop", "part,flag", "--components", "1")
    assert "warning: column 'nr' has 60 categories in 60 rows" in result.stderr
    assert "--drop" in result.stderr


@pytest.mark.parametrize("other", ["--target", "--drop", "--id"])
def test_a_category_is_a_feature(run, parts, other):
    asked = ("--target", "y") if other != "--target" else ()
    result = run("fit", "parts.csv", *asked, other, "plant", "--category", "plant")
    assert result.exit_code == 2
    assert "'plant' is asked for twice" in result.stderr


def test_the_command_of_the_record_has_it(run, parts, tmp_path):
    fit(run, "--category", "plant,part", "--model", "m.hsic", "--quiet")
    _, notes = hsiclearn._persistence.load_with_notes(tmp_path / "m.hsic")
    assert notes["command"]["line"].endswith("--category plant,part")
