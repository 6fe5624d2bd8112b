"""Words: what each kind of fit says of itself."""

import numpy as np
import pytest

from hsiclearn.plotting.page.account import found_words, question_words, shown_words
from hsiclearn.plotting.page.figures import collect
from hsiclearn.plotting.page.words import (
    engine_words,
    listed,
    local_words,
    number,
    percent,
    spread_notes,
    warnings_of,
)


@pytest.fixture
def of_wine(wine):
    return collect(wine.model, wine.X, wine.y)


@pytest.fixture
def of_views(views):
    return collect(views.model, views.X, views.y)


def test_a_target_of_classes_is_named_with_what_was_explained(of_wine):
    question = question_words(of_wine)
    assert "178 rows and 13 columns" in question
    assert "2 directions that tell most about “cultivar”, 3 classes (0, 1 and 2)" in question
    assert "explain 96.2 % of “cultivar”, the target it was fitted to" in found_words(of_wine)[0]
    assert warnings_of(of_wine) == shown_words(of_wine) == []


def test_candidates_are_counted_where_they_were_held_out(of_wine):
    losses = [0.2, None, 0.1, None]
    of_wine["selection"]["candidates"] = [{"held_out": loss} for loss in losses]
    assert "the best of 2 candidates" in found_words(of_wine)[0]
    of_wine["selection"]["candidates"] = [{"held_out": 0.1}, {"held_out": None}]
    assert "candidates" not in found_words(of_wine)[0]
    assert "a little optimistic" in found_words(of_wine)[0]


def test_a_real_target_is_said_not_to_be_r_squared(line):
    figures = collect(line.model, line.X, line.y)
    assert "a quantity from" in question_words(figures)
    assert found_words(figures) == [
        "No rows were held out, so how well this holds for new rows was not measured."
    ]
    figures["selection"] = {"found_dependence": True, "explained_share": 0.5, "candidates": []}
    assert "not R²" in found_words(figures)[0]


def test_no_dependence_is_a_warning_and_no_claim(of_wine):
    of_wine["selection"] |= {"found_dependence": False, "explained_share": -0.021}
    assert found_words(of_wine) == []
    ((head, words),) = warnings_of(of_wine)
    assert head == "No dependence found"
    assert "\N{MINUS SIGN}2.1 % of “cultivar”, the target it was fitted to" in words
    assert "noise has local optima" in local_words(of_wine)


def test_few_rows_are_a_warning(of_wine):
    of_wine["selection"]["caution"] = "The choice was made on 99 rows."
    assert warnings_of(of_wine) == [("Few rows", "The choice was made on 99 rows.")]


def test_a_fit_that_did_not_converge_says_so(of_wine):
    of_wine["solver"] |= {"converged": False, "sentence": "The budget ran out."}
    assert warnings_of(of_wine) == [("Not converged", "The budget ran out.")]


def test_an_alternative_clustering_is_judged_by_what_it_hides(of_views):
    assert "2 clusters other than those of the labels it was given" in question_words(of_views)
    words = " ".join(found_words(of_views))
    assert "cluster 0 with" in words
    assert "little was wanted" in words
    assert "normalised mutual information" in words


def test_clusters_without_labels_claim_nothing_about_labels(of_views):
    of_views |= {"target": [], "paradigm": "unsupervised"}
    of_views["clusters"] |= {"assortativity": [], "against": [], "levels": "Only the levels of x."}
    assert "other than" not in question_words(of_views)
    found, levels = found_words(of_views)
    assert "pure noise included" in found
    assert levels == "Only the levels of x."


def test_guidance_is_told_with_the_rows_that_are_unknown(of_views):
    of_views |= {"paradigm": "semi-supervised"}
    of_views["target"][0] |= {"n_unknown": 180, "fitted_to": True}
    assert "guided by what is known of the given labels" in question_words(of_views)
    assert "unknown in 180 rows" in question_words(of_views)
    assert "much was wanted" in " ".join(found_words(of_views))


def test_a_direction_that_says_little_is_pointed_out(of_wine):
    assert spread_notes(of_wine) == []
    of_wine["components"]["remarks"] = ["component 2 hardly varies beside the bandwidth"]
    assert spread_notes(of_wine) == ["Component 2 hardly varies beside the bandwidth."]
    of_wine["fitted_on"]["same_rows"] = False
    of_wine["components"] |= {"remarks": ["component 1 is carried by 2 rows"], "sd": [1.6, 0.019]}
    carried, narrow = spread_notes(of_wine)
    assert carried == "In the fit, component 1 is carried by 2 rows."
    assert narrow.startswith("Along component 2 the rows shown hardly vary beside the bandwidth")
    of_wine["reproduce"]["fitted"]["bandwidth_"] = None
    assert spread_notes(of_wine) == [carried]


def test_warnings_that_are_given_come_first(wine):
    figures = collect(wine.model, wine.X, wine.y, warnings=["A direction is constant."])
    assert warnings_of(figures) == [("Warning", "A direction is constant.")]


def test_an_engine_states_its_error(of_wine):
    assert engine_words(of_wine).endswith("It is exact, up to rounding.")
    error = {"relative": 1e-5, "guaranteed": True, "angle": np.sin(np.radians(0.5))}
    of_wine["solver"]["engine_error"] = error
    assert "a proven bound" in engine_words(of_wine)
    assert "at most 0.5 degrees" in engine_words(of_wine)
    of_wine["solver"]["engine_error"] = error | {"guaranteed": False, "angle": "Infinity"}
    assert engine_words(of_wine).endswith("an estimate.")


def test_numbers_and_lists_read_well():
    assert number(None) == "\N{EN DASH}"
    assert number(-1234567) == "\N{MINUS SIGN}1,234,567"
    assert number(0.000123456) == "0.0001235"
    assert number("Infinity") == "infinite"
    assert percent(-0.00001) == "0.0 %"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([str(i) for i in range(20)]).endswith("7 and 12 more")
