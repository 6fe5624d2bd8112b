"""Categories at transform: found whatever type they come with, or refused in clear words."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from hsiclearn import SupervisedHSIC, load, save
from hsiclearn._cli.tables import TableEncoder, TableError, as_table, read_table


def places(fitted, later, **parameters):
    """Places among the categories of fit."""
    encoder = TableEncoder("ordinal", **parameters).fit(pd.DataFrame({"c": fitted}))
    return encoder.transform(pd.DataFrame({"c": later}))[:, 0].tolist()


@pytest.mark.parametrize("name", ["True", "true", "TRUE"])
def test_booleans_match_their_text(name):
    assert (
        places([name, "maybe", "zero"], [True, True]) == [sorted([name, "maybe"]).index(name)] * 2
    )
    assert places([True, False], [name], as_category=["c"]) == [1.0]


def test_numbers_match_their_text():
    assert places(["7", "12", "A12", "B7"], [7, 12, 7]) == [1.0, 0.0, 1.0]
    assert places(["7", "12", "A12", "B7"], [7.0, np.nan], impute=True) == [1.0, 0.0]
    assert places(["0.50", "x", "y"], [0.5]) == [0.0]


def test_a_number_that_may_be_two_texts_is_refused():
    with pytest.raises(TableError, match=r"7 may be '007' or '7'.*as text"):
        places(["007", "7", "A12", "B7"], [7])
    with pytest.raises(TableError, match="true may be 'True' or 'true'"):
        places(["True", "true", "x"], [True])


def test_a_number_is_no_code_with_zeros():
    with pytest.raises(TableError, match=r"'7', which.*zeros in front"):
        places(["007", "012", "A12", "B7"], [7])


def test_text_is_not_taken_for_another_spelling_of_a_number():
    with pytest.raises(TableError, match="'07', which the model has not seen"):
        places(["7", "12", "A12", "B7"], ["07"])


def test_files_with_part_of_the_rows_are_read_alike(tmp_path):
    (tmp_path / "all.csv").write_text("part,flag\n007,True\n012,False\nA12,maybe\nB7,True\n")
    (tmp_path / "new.csv").write_text("part,flag\n007,True\n012,True\n")
    encoder = TableEncoder().fit(read_table(tmp_path / "all.csv"))
    kept = encoder.transform(read_table(tmp_path / "new.csv", text=encoder.columns_))
    assert np.array_equal(kept[0], encoder.transform(read_table(tmp_path / "all.csv"))[0])


def test_columns_are_categories_if_the_caller_says_so():
    table = as_table(pd.DataFrame({"zip": [20241, 28718, 20241], "x": [1.0, 2.0, 3.0]}))
    encoder = TableEncoder(as_category=["zip"]).fit(table)
    assert encoder.get_feature_names_out().tolist() == ["zip=28718", "x"]
    assert encoder.transform(table)[:, 0].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "cells", [["7", "12", "A12"], ["5,3", "1,2", "5,3"], ["1/2/2020", "3/4/2020", "1/2/2020"]]
)
def test_what_looks_like_something_else_may_be_a_category(cells):
    with pytest.raises(TableError):
        TableEncoder().fit(pd.DataFrame({"c": cells}))
    assert places(cells, cells[:1], as_category=["c"])


def test_a_saved_model_finds_the_same_categories(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"zip": rng.integers(3, size=60), "x": rng.standard_normal(60)})
    encoder = TableEncoder(scale=True, impute=True, as_category=("zip",))
    model = Pipeline([("table", encoder), ("hsic", SupervisedHSIC(1))]).fit(frame, frame["x"])
    again = load(save(model, tmp_path / "model.hsic"))
    assert again[0].get_params() == encoder.get_params()
    assert np.array_equal(again.transform(frame), model.transform(frame))


def test_other_columns_cannot_be_categories():
    frame = pl.DataFrame({"c": [[1], [2]]})
    with pytest.raises(TableError, match="lists or records"):
        TableEncoder(as_category=["c"]).fit(frame)


def test_as_category_must_name_columns():
    with pytest.raises(TableError, match="Did you mean 'colour'"):
        TableEncoder(as_category=["color"]).fit(pd.DataFrame({"colour": ["a", "b"]}))
    with pytest.raises(ValueError, match="list of names"):
        TableEncoder(as_category="c").fit(pd.DataFrame({"c": ["a", "b"]}))
