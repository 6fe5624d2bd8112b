"""``hsiclearn transform``: the same rows as the library gives."""

import io

import numpy as np
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._cli.tables import as_table


@pytest.fixture
def model(run, flowers, tmp_path):
    options = ("--target", "kind", "--id", "name", "--model", "m.hsic", "--quiet")
    assert run("fit", "flowers.csv", *options).exit_code == 0
    return hsiclearn.load(tmp_path / "m.hsic")


def test_stdout_is_csv_with_the_names_of_rows(run, flowers, model):
    result = run("transform", "m.hsic", "flowers.csv")
    assert result.exit_code == 0
    assert result.stderr == ""
    frame = pl.read_csv(io.BytesIO(result.stdout_bytes))
    assert frame.columns == ["name", "component1", "component2"]
    assert frame["name"].to_list() == flowers["name"].to_list()
    Z = model.transform(as_table(flowers))
    found = frame.select("component1", "component2").to_numpy()
    np.testing.assert_allclose(found, Z, rtol=0, atol=1e-12)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_the_suffix_says_what_is_written(run, flowers, model, tmp_path, suffix):
    result = run("transform", "m.hsic", "flowers.csv", "--output", f"z{suffix}")
    assert result.exit_code == 0
    assert result.stdout == f"z{suffix}\n"
    read = {
        ".csv": pl.read_csv,
        ".tsv": lambda path: pl.read_csv(path, separator="\t"),
        ".parquet": pl.read_parquet,
    }[suffix]
    assert read(tmp_path / f"z{suffix}").shape == (60, 3)


def test_npy_has_no_place_for_names(run, flowers, model, tmp_path):
    result = run("transform", "m.hsic", "flowers.csv", "--output", "z.npy")
    assert result.exit_code == 2
    assert "'name' holds text" in result.stderr
    flowers.drop(columns="name").to_csv(tmp_path / "nameless.csv", index=False)
    assert run("transform", "m.hsic", "nameless.csv", "--output", "z.npy").exit_code == 0
    assert np.load(tmp_path / "z.npy").shape == (60, 2)


def test_columns_may_come_in_any_order(run, flowers, model, tmp_path):
    straight = run("transform", "m.hsic", "flowers.csv").stdout
    flowers[flowers.columns[::-1]].drop(columns="kind").to_csv(tmp_path / "back.csv", index=False)
    assert run("transform", "m.hsic", "back.csv").stdout == straight


def test_an_unknown_category_is_named(run, flowers, model, tmp_path):
    flowers.replace("grey", "pink").to_csv(tmp_path / "pink.csv", index=False)
    result = run("transform", "m.hsic", "pink.csv")
    assert result.exit_code == 2
    assert "'colour' holds 'pink'" in result.stderr


def test_clusters_come_with_the_rows(run, flowers, tmp_path):
    options = ("--clusters", "3", "--drop", "kind,name,colour,noise", "--model", "c.hsic")
    assert run("fit", "flowers.csv", *options, "--quiet").exit_code == 0
    frame = pl.read_csv(io.BytesIO(run("transform", "c.hsic", "flowers.csv").stdout_bytes))
    assert frame.columns == ["component1", "component2", "cluster"]
    expected = hsiclearn.load(tmp_path / "c.hsic")[-1].labels_
    assert np.mean(frame["cluster"].to_numpy() == expected) > 0.95


def test_a_model_saved_by_a_program_takes_numbers(run, flowers, tmp_path):
    numbers = flowers[["length", "width"]]
    model = SupervisedHSIC(1).fit(numbers.to_numpy(), flowers["kind"])
    hsiclearn.save(model, tmp_path / "own.hsic")
    numbers.to_csv(tmp_path / "numbers.csv", index=False)
    frame = pl.read_csv(io.BytesIO(run("transform", "own.hsic", "numbers.csv").stdout_bytes))
    expected = model.transform(numbers.to_numpy())[:, 0]
    np.testing.assert_allclose(frame["component1"], expected, rtol=0, atol=1e-12)
    refused = run("transform", "own.hsic", "flowers.csv")
    assert refused.exit_code == 2
    assert "2 columns of numbers" in refused.stderr


def test_a_model_fitted_on_a_data_frame_finds_its_columns_without_a_warning(run, flowers, tmp_path):
    numbers = flowers[["length", "width"]]
    model = make_pipeline(StandardScaler(), SupervisedHSIC(1)).fit(numbers, flowers["kind"])
    hsiclearn.save(model, tmp_path / "own.hsic")
    result = run("transform", "own.hsic", "flowers.csv")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    frame = pl.read_csv(io.BytesIO(result.stdout_bytes))
    expected = model.transform(numbers)[:, 0]
    np.testing.assert_allclose(frame["component1"], expected, rtol=0, atol=1e-12)


def test_every_row_comes_back(run, flowers, tmp_path):
    options = ("--target", "kind", "--drop", "name", "--impute", "--model", "i.hsic", "--quiet")
    assert run("fit", "flowers.csv", *options).exit_code == 0
    lines = (tmp_path / "flowers.csv").read_text().splitlines()
    lines[5] = "," * lines[0].count(",")
    (tmp_path / "gaps.csv").write_text("\n".join([*lines[:9], "", *lines[9:]]) + "\n")
    result = run("transform", "i.hsic", "gaps.csv")
    assert result.exit_code == 0, result.output
    assert pl.read_csv(io.BytesIO(result.stdout_bytes)).height == 60


def test_names_of_rows_keep_their_zeros(run, flowers, tmp_path):
    codes = [f"{i:03}" for i in range(60)]
    flowers.assign(name=codes, nr=2**60 + np.arange(60)).to_csv(tmp_path / "t.csv", index=False)
    options = ("--target", "kind", "--id", "name", "--drop", "nr", "--quiet")
    assert run("fit", "t.csv", *options, "--model", "m.hsic").exit_code == 0
    assert run("transform", "m.hsic", "t.csv").stdout.splitlines()[8].startswith("007,")
    lines = run("transform", "m.hsic", "t.csv", "--id", "nr").stdout.splitlines()
    assert lines[8].startswith(f"{2**60 + 7},")
    assert run("transform", "m.hsic", "t.csv", "--id", "length").exit_code == 0
    assert run("report", "m.hsic", "t.csv", "--output", "r.html").exit_code == 0
    assert '"007"' in (tmp_path / "r.html").read_text()


def test_names_of_rows_that_are_numbers_stay_numbers(run, flowers, tmp_path):
    flowers.assign(name=np.arange(60)).to_csv(tmp_path / "t.csv", index=False)
    options = ("--target", "kind", "--id", "name", "--quiet", "--model", "m.hsic")
    assert run("fit", "t.csv", *options).exit_code == 0
    assert run("transform", "m.hsic", "t.csv", "--output", "z.parquet").exit_code == 0
    assert pl.read_parquet(tmp_path / "z.parquet").schema["name"] == pl.Int64


@pytest.mark.parametrize("place", ["first", "last"])
def test_pipelines_that_the_command_cannot_use_are_named(run, flowers, tmp_path, place):
    numbers = flowers[["length", "width"]]
    scaled = make_column_transformer((StandardScaler(), ["length", "width"]))
    steps = {
        "first": (scaled, SupervisedHSIC(1, bandwidth="median")),
        "last": (SupervisedHSIC(1, bandwidth="median"), KNeighborsClassifier()),
    }[place]
    hsiclearn.save(make_pipeline(*steps).fit(numbers, flowers["kind"]), tmp_path / "own.hsic")
    result = run("transform", "own.hsic", "flowers.csv")
    assert result.exit_code == 2
    assert result.stdout == ""
    words = {"first": "begins with ColumnTransformer", "last": "ends with KNeighborsClassifier"}
    assert words[place] in result.stderr
    assert result.stderr.count("\n") == 1
