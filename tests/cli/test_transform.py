"""``hsiclearn transform``: the same rows as the library gives."""

import io

import numpy as np
import polars as pl
import pytest

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn.tables import as_table


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
