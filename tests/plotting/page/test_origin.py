"""Reports on other rows or other columns than those of the fit: what they must not claim."""

import re
from copy import copy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC
from hsiclearn.plotting import report
from hsiclearn.plotting.page.account import found_words, question_words, shown_words
from hsiclearn.plotting.page.figures import collect

pytestmark = pytest.mark.usefixtures("unrendered")


def story(figures):
    return " ".join([question_words(figures), *found_words(figures), *shown_words(figures)])


@pytest.fixture(scope="module")
def other_column(wine):
    return pd.Series(np.where(wine.X["ash"] > 2.3, "much", "little"), name="ashes")


@pytest.fixture(scope="module")
def partial(views):
    y = np.where(np.arange(200) < 20, views.y, -1)
    return y, SemiSupervisedHSIC(n_clusters=2, init="identity").fit(views.X, y)


def test_the_rows_of_the_fit_are_known_by_their_digest(wine, line):
    assert collect(wine.model, wine.X, wine.y)["fitted_on"] == {
        "same_rows": True,
        "n_rows": 178,
        "labels": None,
        "n_other_columns": 0,
    }
    thin = collect(line.model, sparse.csr_array(line.X), line.y)
    assert thin["fitted_on"]["same_rows"] is True
    far = SupervisedHSIC(1, bandwidth=1.0, n_init=2).fit(line.X + 1e6, line.y)
    assert collect(far, line.X + 1e6, line.y)["fitted_on"]["same_rows"] is True


def test_other_rows_are_told_from_those_of_the_fit(wine):
    figures = collect(wine.model, wine.X[60:], wine.y[60:])
    assert figures["fitted_on"] == {
        "same_rows": False,
        "n_rows": 178,
        "labels": None,
        "n_other_columns": 0,
    }
    words = story(figures)
    assert "The model was fitted on other rows (178 of them); 118 rows are shown." in words
    assert words.startswith("A table of 178 rows and 13 columns was searched")
    assert "of the target it was fitted to" in words


def test_a_number_of_rows_that_is_told_is_said_of_the_fit(wine):
    told = {"n_rows": 178, "labels": ["cultivar"]}
    words = story(collect(wine.model, wine.X[60:], wine.y[60:], fitted_on=told))
    assert words.startswith("A table of 178 rows and 13 columns was searched")
    assert "tell most about “cultivar”. " in words  # its classes are not all shown
    assert "The model was fitted on other rows (178 of them); 118 rows are shown." in words


def test_rows_in_another_order_are_not_those_of_the_fit(wine):
    """What is known of a row of the fit, such as where it is held out, goes by its number."""
    assert collect(wine.model, wine.X[::-1], wine.y[::-1])["fitted_on"]["same_rows"] is False


def test_of_a_model_without_a_record_rows_are_known_by_their_mean(line):
    early = copy(line.model)
    early.result_ = replace(early.result_, fitted_on=None)
    figures = collect(early, line.X, line.y)
    assert figures["fitted_on"]["same_rows"] is True
    assert figures["target"][0]["fitted_to"] is None
    assert figures["reproduce"]["versions"] == {}
    assert collect(early, line.X[:50], line.y[:50])["fitted_on"]["n_rows"] is None


def test_rows_shown_twice_are_not_those_of_the_fit(views):
    figures = collect(views.model, np.vstack([views.X, views.X]))
    assert figures["fitted_on"] == {
        "same_rows": False,
        "n_rows": 200,
        "labels": None,
        "n_other_columns": 0,
    }
    assert "The rows shown fall into these clusters" in story(figures)


def test_nothing_is_claimed_of_a_column_the_model_was_not_fitted_to(wine, other_column):
    told = {"n_rows": 178, "labels": ["cultivar"]}
    figures = collect(wine.model, wine.X, other_column, fitted_on=told)
    words = story(figures)
    assert "tell most about “cultivar”. " in words
    assert "96.2 % of “cultivar”, the target it was fitted to" in words
    assert "coloured by “ashes”, which the model was not fitted to." in words
    assert words.count("ashes") == 1


def test_another_column_is_found_out_without_being_told(wine, other_column):
    figures = collect(wine.model, wine.X, other_column)
    assert figures["target"][0]["fitted_to"] is None
    words = story(figures)
    assert "tell most about the target it was fitted to" in words
    assert "96.2 % of the target it was fitted to" in words
    assert words.endswith("The rows are coloured by “ashes”.")


def test_the_target_of_the_fit_is_recognised(wine, line):
    assert collect(wine.model, wine.X, wine.y)["target"][0]["fitted_to"] is True
    assert collect(line.model, line.X, line.y)["target"][0]["fitted_to"] is True
    assert collect(line.model, line.X, line.y**2)["target"][0]["fitted_to"] is None


def test_another_column_is_read_by_its_own_type(line, other_column):
    told = {"n_rows": 120, "labels": ["height"]}
    colour = pd.Series(np.where(line.y > 0.5, "red", "blue"), name="colour")
    (target,) = collect(line.model, line.X, colour, fitted_on=told)["target"]
    assert (target["kind"], target["fitted_to"]) == ("classes", False)


def test_assortativity_goes_with_the_labels_it_was_computed_for(views):
    other = {"left": np.arange(200) % 2}
    told = {"n_rows": 200, "labels": ["dept"]}
    words = story(collect(views.model, views.X, other, fitted_on=told))
    assert "2 clusters other than those of “dept”" in words
    assert re.search(r"directions show [0-9.]+ % of “dept”", words)
    assert "coloured by “left”, which the model was not fitted to" in words
    assert "% of “left”" not in words
    unknown = story(collect(views.model, views.X, other))
    assert "Of the labels it was given the model's directions show" in unknown
    assert "% of “left”" not in unknown


def test_a_fit_without_labels_is_not_said_to_be_guided(views):
    model = AlternativeHSIC(n_clusters=2, init="identity").fit(views.X)
    words = story(collect(model, views.X, views.y, fitted_on={"labels": []}))
    assert "other than" not in words
    assert "which the model was not fitted to" in words


def test_agreement_with_known_labels_is_not_stated(views, partial):
    y, model = partial
    figures = collect(model, views.X, y)
    assert figures["clusters"]["against"][0]["nmi"] is None
    words = story(figures)
    assert "is not stated: known labels guide the clusters" in words
    assert "completed by a guess where unknown" in words
    assert "mutual information" not in words


@pytest.mark.parametrize("case", ["other rows", "another column"])
def test_agreement_is_stated_where_nothing_guided(views, partial, case):
    _, model = partial
    if case == "other rows":
        figures = collect(model, views.X[50:], views.y[50:])
    else:
        told = {"n_rows": 200, "labels": ["known"]}
        figures = collect(model, views.X, {"truth": views.y}, fitted_on=told)
    assert figures["clusters"]["against"][0]["nmi"] is not None
    assert "mutual information" in story(figures)


def test_the_page_keeps_the_fit_apart_from_what_is_shown(wine, other_column, tmp_path):
    told = {"n_rows": 178, "labels": ["cultivar"]}
    path = report(
        *(wine.model, wine.X[60:], other_column[60:], tmp_path / "a.html"),
        fitted_on=told,
        warnings=["A direction is constant."],
    )
    page = path.read_text(encoding="utf-8")
    (shown,) = re.findall(r'<p id="shown">(.*?)</p>', page)
    (summary,) = re.findall(r'<p id="summary">(.*?)</p>', page)
    assert "118 rows are shown" in shown
    assert "ashes" not in summary
    assert "118" not in summary
    assert page.index("A direction is constant.") < page.index(summary)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"rows": 3}, "may have the keys"),
        ({"n_rows": 0}, "integer >= 1"),
        ({"labels": "left"}, "a list of names"),
    ],
)
def test_what_is_told_of_the_fit_is_checked(line, told, message):
    with pytest.raises(ValueError, match=message):
        collect(line.model, line.X, line.y, fitted_on=told)
