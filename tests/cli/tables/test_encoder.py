"""TableEncoder: its matrix, its refusals, and its manners as a step of a pipeline."""

import datetime
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from hsiclearn import SupervisedHSIC
from hsiclearn._cli.tables import TableEncoder, TableError, as_table
from hsiclearn.inspection import feature_importances
from hsiclearn.inspection.fitted import fitted_step


def frame(**more):
    columns = {
        "size": [1.5, 2.0, 3.0, 2.5],
        "colour": ["red", "blue", "red", "green"],
        "sex": ["f", "m", "m", "f"],
        "paid": [True, False, True, True],
    }
    return pd.DataFrame(columns | more)


def test_one_hot():
    encoder = TableEncoder().fit(frame())
    names = ["size", "colour=blue", "colour=green", "sex=m", "paid"]
    assert encoder.get_feature_names_out().tolist() == names
    assert encoder.transform(frame()).tolist() == [
        [1.5, 0, 0, 0, 1],
        [2.0, 1, 0, 1, 0],
        [3.0, 0, 0, 1, 1],
        [2.5, 0, 1, 0, 1],
    ]
    assert encoder.n_features_out_ == 5


def test_the_most_frequent_category_has_no_column_and_of_several_the_first():
    assert TableEncoder().fit(frame()).reference_ == [None, "red", "f", None]
    assert TableEncoder("ordinal").fit(frame()).reference_ == [None] * 4


def test_columns_of_categories_are_independent():
    X = TableEncoder().fit_transform(frame()[["colour", "sex"]])
    assert np.linalg.matrix_rank(np.column_stack([X, np.ones(4)])) == X.shape[1] + 1


def test_text_that_never_changes_becomes_no_column():
    table = frame(same=["x"] * 4)
    assert np.array_equal(
        TableEncoder().fit_transform(table), TableEncoder().fit_transform(frame())
    )
    with pytest.raises(TableError, match="same text in all 4 rows"):
        TableEncoder().fit(table[["same"]])


def test_ordinal():
    encoder = TableEncoder("ordinal").fit(frame())
    assert encoder.get_feature_names_out().tolist() == ["size", "colour", "sex", "paid"]
    assert encoder.transform(frame())[:, 1].tolist() == [2, 0, 2, 1]


def test_fitted_attributes_are_plain():
    encoder = TableEncoder().fit(frame())
    assert encoder.columns_ == ["size", "colour", "sex", "paid"]
    assert encoder.kinds_ == ["number", "category", "category", "number"]
    assert encoder.categories_ == [[], ["blue", "green", "red"], ["f", "m"], []]


def test_columns_go_by_name_and_others_are_ignored():
    encoder = TableEncoder().fit(frame())
    other = frame(extra=["?", "!", "?", "!"])[["extra", "paid", "sex", "colour", "size"]]
    assert np.array_equal(encoder.transform(other), encoder.transform(frame()))


def test_a_missing_column_is_named():
    encoder = TableEncoder().fit(frame())
    with pytest.raises(TableError, match="2 of them are not there: 'colour', 'paid'"):
        encoder.transform(frame().drop(columns=["colour", "paid"]))


def test_an_unknown_category_is_named():
    encoder = TableEncoder().fit(frame())
    with pytest.raises(TableError, match=r"'colour' holds 'pink'.*'blue', 'green', 'red'"):
        encoder.transform(frame(colour=["red", "pink", "red", "red"]))


def test_missing_values_are_counted_and_both_remedies_named():
    gaps = frame(size=[np.nan, 2.0, np.nan, 1.0], age=[3.0, np.nan, 1.0, 2.0])
    with pytest.raises(TableError) as caught:
        TableEncoder().fit(gaps)
    assert "2 in 'size' (rows 1, 3), 1 in 'age' (row 2)" in str(caught.value)
    assert "impute=True" in str(caught.value)
    assert "--impute" in caught.value.for_command


@pytest.mark.filterwarnings("ignore:Many values were missing")
def test_imputation_takes_the_median_and_in_an_order_the_most_frequent():
    gaps = frame(size=[np.nan, 2.0, 5.0, 1.0], sex=["f", None, "m", "f"])
    encoder = TableEncoder("ordinal", impute=True).fit(gaps)
    assert encoder.fill_ == [2.0, "red", "f", 1.0]
    assert encoder.imputed_ == {"size": 1, "sex": 1}
    X = encoder.transform(gaps)
    assert X[0, 0] == 2.0
    assert X[1, 2] == 0.0  # f
    with pytest.raises(TableError, match="1 in 'sex'"):
        TableEncoder("ordinal").fit(frame(sex=gaps["sex"]))


@pytest.mark.parametrize("impute", [False, True])
def test_blank_text_is_a_category_of_its_own(impute):
    gaps = frame(sex=["f", None, "m", None], colour=["red", "(blank)", None, "red"])
    encoder = TableEncoder(impute=impute).fit(gaps)
    assert encoder.categories_[1:3] == [["(blank)", "red", "(blank 2)"], ["f", "m", "(blank)"]]
    assert encoder.reference_[1:3] == ["red", "(blank)"]
    assert (encoder.blank_, encoder.imputed_) == ({"colour": 1, "sex": 2}, {})
    later = encoder.transform(frame(sex=[None, "m", "f", "f"], colour=["red"] * 4))
    assert later[:, 3:5].tolist() == [[0, 0], [0, 1], [1, 0], [1, 0]]


def test_blank_codes_are_a_category_too():
    encoder = TableEncoder(as_category=["size"]).fit(frame(size=[1.0, np.nan, 1.0, 3.0]))
    assert encoder.get_feature_names_out()[:2].tolist() == ["size=3", "size=(blank)"]


def test_many_filled_values_are_warned_of():
    table = frame(size=[np.nan, 2.0, 5.0, 1.0])
    with pytest.warns(UserWarning, match=r"'size' \(25%\)"):
        TableEncoder(impute=True).fit(table)
    TableEncoder(impute=True).fit(pd.concat([table, frame()]))


def test_every_problem_of_a_table_is_told():
    odd = frame(nothing=[None] * 4, when=["3/4/2020", "5/6/2020", "7/8/2020", "1/2/2020"])
    odd = odd.assign(**{"a,b": [np.inf, 1, 2, 3], "gap": [1.0, np.nan, 2.0, 3.0]})
    with pytest.raises(TableError) as caught:
        TableEncoder().fit(odd)
    parts = caught.value.parts
    assert [part.problem.split("'")[1] for part in parts] == ["nothing", "when", "a,b", "gap"]
    assert caught.value.cure == ("--drop", "nothing,when", "--drop", "a,b", "--impute")
    assert str(caught.value).count("\n") == 4
    later = frame(size=[1.0, np.nan, 2.0, 3.0], colour=["pink"] * 4, sex=["x"] * 4)
    with pytest.raises(TableError, match=r"(?s)3 problems.*'colour'.*'sex'.*'size'"):
        TableEncoder().fit(frame()).transform(later)


def test_values_that_are_missing_only_later_are_filled_or_refused():
    later = frame(size=[np.nan] * 4)
    assert TableEncoder(impute=True).fit(frame()).transform(later)[:, 0].tolist() == [2.25] * 4
    with pytest.raises(TableError, match="4 in 'size'"):
        TableEncoder().fit(frame()).transform(later)


def test_a_number_that_comes_as_text_later_is_named():
    encoder = TableEncoder().fit(frame())
    with pytest.raises(TableError, match=r"'size'.*'old' is none \(row 3\)"):
        encoder.transform(frame(size=["1", "2", "old", "4"]))
    with pytest.raises(TableError, match="'size' held numbers"):
        encoder.transform(frame(size=["a", "b", "c", "d"]))


REFUSED = {
    "infinite": ([1.0, np.inf, 2.0, -np.inf], r"2 infinite values \(rows 2, 4\)"),
    "bad cell": (["1", "2", "abc", "4"], r"'abc' is none \(row 3\)"),
    "unclear dates": (["1/2/2020", "3/10/2020", "1/2/2021", "3/4/2021"], "cannot be told apart"),
    "both ways": (["31/2/2020", "3/31/2020", "1/2/2021", "3/4/2021"], "cannot be told apart"),
    "short years": (["1.2.20", "13.10.20", "1.2.21", "3.4.21"], "dates such as"),
    "no such day": (["2020-01-01", "2020-02-30", "2021-05-05", "2020-01-02"], r"none \(row 2\)"),
    "times": (["8:15", "10:30", "23:59", "10:30"], "times of day such as '10:30'"),
    "real times": ([datetime.time(8, 15)] * 4, "times of day"),
    "durations": (pd.to_timedelta([1, 2, 3, 4], unit="s"), r"holds durations.*seconds"),
    "binary": ([b"a", b"b", None, b"a"], "binary data"),
    "lists": ([[1], [2], [1, 2], None], "lists or records"),
    "numbers as text": (["1", "2", "3", "4"], "numbers as text"),
    "empty": ([None] * 4, "is empty in all 4 rows"),
    "nothing but NaN": ([np.nan] * 4, "is empty in all 4 rows"),
}


@pytest.mark.parametrize("impute", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_a_column_that_is_no_feature_is_refused_by_name(name, impute):
    values, rule = REFUSED[name]
    with pytest.raises(TableError, match=rule) as caught:
        TableEncoder(impute=impute).fit(frame(odd=values))
    assert "'odd'" in str(caught.value)
    assert re.search("--(drop|category) odd", caught.value.for_command)


def test_names_of_rows_are_no_categories():
    table = pd.DataFrame({"name": [f"n{i}" for i in range(60)], "x": np.arange(60.0)})
    with pytest.raises(TableError, match="60 different texts in 60 rows") as caught:
        TableEncoder().fit(table)
    assert "--id name" in caught.value.for_command


def test_too_many_categories_for_columns_are_refused():
    table = pd.DataFrame({"zip": [f"z{i % 1001}" for i in range(3000)]})
    with pytest.raises(TableError, match="1001 categories"):
        TableEncoder().fit(table)
    assert TableEncoder("ordinal").fit_transform(table).max() == 1000


@pytest.mark.parametrize("empty", [pd.DataFrame({"a": []}), pd.DataFrame(index=[0, 1])])
def test_nothing_is_refused(empty):
    with pytest.raises(TableError, match="rows and columns"):
        TableEncoder().fit(empty)


def test_a_wrong_parameter_is_named_at_fit():
    with pytest.raises(ValueError, match=r"one-hot.*Got 'dummies'"):
        TableEncoder("dummies").fit(frame())


def test_it_is_cloned_with_its_parameters_alone():
    copy = clone(TableEncoder("ordinal", impute=True).fit(frame()))
    rest = {"scale": False, "as_category": ()}
    assert copy.get_params() == {"categories": "ordinal", "impute": True} | rest
    assert not hasattr(copy, "columns_")


def test_it_leads_a_pipeline_whose_features_have_names():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(60)
    table = pd.DataFrame({"x": x, "noise": rng.standard_normal(60), "c": ["a", "b", "c"] * 20})
    steps = [("table", TableEncoder(scale=True)), ("hsic", SupervisedHSIC(1))]
    model = Pipeline(steps).fit(table, x**2)
    names = fitted_step(model, as_table(table))[2]
    assert names == ["x", "noise", "c=b", "c=c"]
    assert names[feature_importances(model, table).argmax()] == "x"


def test_what_was_given_is_left_alone():
    X = np.array([[1.0, np.nan], [2.0, 3.0], [0.0, 1.0]])
    before = X.copy()
    with pytest.warns(UserWarning, match="Many values were missing"):
        matrix = TableEncoder(impute=True).fit_transform(X)
    assert matrix[0, 1] == 2.0
    assert np.array_equal(X, before, equal_nan=True)


def test_features_must_have_different_names():
    with pytest.raises(TableError, match="Two features would be called 'colour=blue'"):
        TableEncoder().fit(frame(**{"colour=blue": [1.0, 2.0, 3.0, 4.0]}))


def test_a_fit_that_fails_leaves_what_there_was():
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0]})
    encoder = TableEncoder(scale=True).fit(table)
    before = encoder.transform(table)
    with pytest.raises(TableError, match="Two features would be called 'c=y'"):
        encoder.fit(pd.DataFrame({"c=y": [1.0, 2.0, 3.0], "c": ["x", "y", "x"]}))
    assert np.array_equal(encoder.transform(table), before)
