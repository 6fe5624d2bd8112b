"""The figures: equal to what their sources say, and fit for JSON."""

import json
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn import SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.inspection import bootstrap_stability, feature_importances, feature_shares
from hsiclearn.kernels import Custom
from hsiclearn.plotting.page.figures import collect, plain


def strict(figures):
    return json.loads(json.dumps(figures, allow_nan=False))


def test_loadings_are_on_the_scale_of_each_column(wine):
    figures = collect(wine.model, wine.X, wine.y)
    rows = wine.model[:-1].transform(wine.X)
    expected = wine.model[-1].components_ * rows.std(axis=0)
    np.testing.assert_allclose(figures["components"]["standardised"], expected)
    np.testing.assert_allclose(figures["components"]["shares"], feature_shares(wine.model, wine.X))
    np.testing.assert_allclose(
        figures["components"]["importances"], feature_importances(wine.model, wine.X)
    )


def test_the_selection_marks_what_was_chosen(wine):
    figures, chosen = collect(wine.model, wine.X, wine.y)["selection"], wine.model[-1].selection_
    marked = [c for c in figures["candidates"] if c["chosen"]]
    assert [c["bandwidth"] for c in marked] == [wine.model[-1].bandwidth_]
    assert figures["explained_share"] == chosen.explained_share
    assert figures["found_dependence"] is True


def test_the_target_is_counted_and_named(wine):
    (target,) = collect(wine.model, wine.X, wine.y, class_names=["a", "b", "c"])["target"]
    assert target["name"] == "cultivar"
    assert target["classes"] == [
        {"name": "a", "n_rows": 59},
        {"name": "b", "n_rows": 71},
        {"name": "c", "n_rows": 48},
    ]


def test_clusters_are_counted_against_given_labels(views):
    given = np.where(np.arange(200) < 30, 2, views.y)
    clusters = collect(views.model, views.X, given)["clusters"]
    found = views.model.predict(views.X)
    (against,) = clusters["against"]
    assert against["nmi"] == normalized_mutual_info_score(given, found)
    assert against["counts"] == pd.crosstab(given, found).to_numpy().tolist()
    assert [size["n_rows"] for size in clusters["sizes"]] == np.bincount(found).tolist()
    assert clusters["assortativity"] == views.model.assortativity_.tolist()


def test_unknown_labels_take_no_part_in_the_comparison(views):
    partial = np.where(np.arange(200) < 20, views.y, -1)
    model = SemiSupervisedHSIC(n_clusters=2, init="identity").fit(views.X, partial)
    figures = collect(model, views.X, partial, class_names=["up", "down"])
    assert figures["clusters"]["against"][0]["n_rows"] == 20
    assert figures["target"][0]["n_unknown"] == 180
    assert {size["name"] for size in figures["clusters"]["sizes"]} == {"up", "down"}


def test_what_is_no_number_is_null_or_a_string():
    values = {"a": float("nan"), "b": np.array([np.inf, -np.inf]), "c": np.int64(3), "d": True}
    expected = {"a": None, "b": ["Infinity", "-Infinity"], "c": 3, "d": True}
    assert plain(values) == expected


def test_a_square_basis_has_infinite_curvature_and_still_valid_json(line):
    model = SupervisedHSIC(3, bandwidth=1.0).fit(line.X, line.y)
    figures = strict(collect(model, line.X, line.y))
    assert figures["certificate"]["curvature"] == "Infinity"


def test_the_same_fit_gives_the_same_figures_without_seconds(line):
    again = SupervisedHSIC(1, bandwidth=1.0, n_init=2).fit(line.X, line.y)
    one, two = (json.dumps(collect(m, line.X, line.y)) for m in (line.model, again))
    assert one == two
    assert "seconds" not in one


def test_addresses_in_memory_are_left_out(line):
    kernel = Custom(
        lambda b: np.exp(-b), lambda b: -np.exp(-b), lambda b: np.exp(-b), pair="difference"
    )
    model = SupervisedHSIC(1, kernel=kernel).fit(line.X, line.y)
    assert "0x" not in json.dumps(collect(model, line.X, line.y)["reproduce"])


def test_sparse_rows_give_the_figures_of_dense_ones(line):
    dense = collect(line.model, line.X, line.y)
    thin = collect(line.model, sparse.csr_array(line.X), line.y)
    np.testing.assert_allclose(
        thin["components"]["standardised"], dense["components"]["standardised"]
    )


def test_stability_is_passed_on(line):
    stability = bootstrap_stability(line.model, line.X, line.y, n_resamples=5)
    figures = collect(line.model, line.X, line.y, stability=stability)["stability"]
    assert figures["typical_angle"] == stability.typical_angle
    assert np.shape(figures["loading_spread"]) == (1, 3)


def test_labels_need_not_be_given(views):
    model = UnsupervisedHSIC(n_clusters=2, init="identity").fit(views.X)
    figures = strict(collect(model, views.X))
    assert figures["target"] == []
    assert figures["clusters"]["against"] == []


def test_several_real_columns_are_all_described(line):
    Y = np.column_stack([line.y, line.X[:, 1]])
    model = SupervisedHSIC(1, bandwidth=1.0).fit(line.X, Y)
    names = [column["name"] for column in collect(model, line.X, Y)["target"]]
    assert names == ["target 1", "target 2"]


def test_a_target_of_another_length_is_refused(wine):
    with pytest.raises(ValueError, match="one entry for each of the 178 rows"):
        collect(wine.model, wine.X, wine.y[:-1])


def test_too_few_class_names_are_refused(wine):
    with pytest.raises(ValueError, match="each of the 3 classes"):
        collect(wine.model, wine.X, wine.y, class_names=["a", "b"])


def test_no_matplotlib_is_needed(line, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert collect(line.model, line.X, line.y)["format"] == 1
