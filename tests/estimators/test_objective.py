"""Fits that are made to predict, and the choice between them and HSIC."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import LeaveOneOut

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._selection.predictive import predictive_fit
from hsiclearn._selection.rules import held_out
from hsiclearn.datasets import make_planted
from hsiclearn.inspection import bootstrap_stability, feature_importances
from hsiclearn.plotting import SpectrumDisplay

X, y, TRUTH = make_planted("product", 200, 6)
DIGITS = tuple(part[:400] for part in load_digits(return_X_y=True))


@pytest.fixture(scope="module")
def model():
    return SupervisedHSIC(2, objective="prediction").fit(X, y)


def test_it_finds_what_is_planted(model):
    assert (model.objective_, model.metric_) == ("prediction", "free")
    basis = np.linalg.qr(model.components_.T)[0]
    assert np.linalg.norm(basis - TRUTH @ (TRUTH.T @ basis), 2) < 0.1
    assert model.selection_.chosen.objective == "prediction"


def test_directions_are_orthogonal_the_longest_first(model):
    gram = model.components_ @ model.components_.T
    np.testing.assert_allclose(gram, np.diag(np.diag(gram)), atol=1e-12)
    assert gram[0, 0] >= gram[1, 1]
    assert np.trace(gram) == pytest.approx(2.0)
    np.testing.assert_allclose(model.components_ @ model.patterns_.T, np.eye(2), atol=1e-12)
    Z = model.transform(X)
    np.testing.assert_allclose(model.transform(model.inverse_transform(Z)), Z, atol=1e-10)


def test_the_record_says_what_was_done_and_what_was_not(model):
    proof = model.certificate_
    assert model.converged_
    assert proof.settled
    assert not proof.verified
    assert proof.second_order is None
    assert "of the variance" in proof.verdict
    assert model.cost_ == model.result_.history[-1].cost
    assert 0.0 < model.cost_ < 1.0 - model.selection_.explained_share + 0.1
    assert (np.diff([record.cost for record in model.result_.history]) <= 1e-12).all()


def test_a_model_file_keeps_it(model, tmp_path):
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model.hsic"))
    assert again.objective_ == "prediction"
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


def test_what_looks_at_a_model_takes_it(model):
    assert feature_importances(model, X).sum() == pytest.approx(1.0)
    assert model.score(X, y) > 0.7
    assert bootstrap_stability(model, X, y, n_resamples=3).angles.shape == (3, 2)


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": "median"},
        {"bandwidth": 1.0, "metric": "covariance"},
        {"n_components": "auto"},
        {"kernel": "linear"},
    ],
)
def test_it_is_made_of_any_fit(settings):
    model = SupervisedHSIC(2, objective="prediction").set_params(**settings).fit(X, y)
    assert model.objective_ == "prediction"
    assert model.kernel_.scale == model.bandwidth_


@pytest.mark.long
def test_with_many_rows_of_many_classes_it_is_chosen():
    chosen = SupervisedHSIC(5, objective="auto").fit(*DIGITS)
    candidates = chosen.selection_.candidates
    assert chosen.objective_ == chosen.selection_.chosen.objective
    assert {one.objective for one in candidates} == {"dependence", "prediction"}


def test_where_it_does_not_help_hsic_stays():
    noise = np.random.default_rng(0).standard_normal((60, 5))
    target = (noise[:, 0] + 0.5 * np.random.default_rng(1).standard_normal(60) > 0).astype(int)
    model = SupervisedHSIC(1, objective="auto").fit(noise, target)
    assert model.objective_ == "dependence"
    assert model.certificate_.verified


@pytest.mark.parametrize(
    "settings", [{"engine": "tiled"}, {"kernel": "cauchy"}, {"init": "random"}]
)
def test_who_asks_for_more_of_hsic_gets_hsic(settings):
    assert SupervisedHSIC(2, objective="auto", **settings).fit(X, y).objective_ == "dependence"


def test_two_fits_are_equal_to_the_bit(model):
    again = SupervisedHSIC(2, objective="prediction").fit(X, y)
    assert again.components_.tobytes() == model.components_.tobytes()


def test_more_columns_than_a_descent_takes_are_refused(monkeypatch):
    monkeypatch.setattr("hsiclearn._estimators._choice.MOST_COLUMNS", 5)
    with pytest.raises(ValueError, match=r"takes 5 columns at most\. Got 6"):
        SupervisedHSIC(2, objective="prediction").fit(X, y)


def test_rows_held_out_lie_on_the_scale_of_the_map():
    wide = SupervisedHSIC(2, objective="prediction", metric="covariance").fit(100.0 * X, y)
    out = wide.selection_.out_of_fold
    ratio = out.Z.std(axis=0) / wide.transform(100.0 * X[out.rows]).std(axis=0)
    assert (ratio > 0.5).all()
    assert (ratio < 2.0).all()


def test_of_a_start_that_was_held_out_nothing_is_claimed():
    model = SupervisedHSIC("auto", objective="prediction", bandwidth=1.0).fit(X, y)
    assert (model.objective_, model.selection_) == ("prediction", None)


def test_directions_are_where_rows_differ(tmp_path):
    flat = X[:, :3] @ np.random.default_rng(0).standard_normal((3, 6))
    model = SupervisedHSIC(2, objective="prediction").fit(flat, X[:, 0] * X[:, 1])
    assert model.transform(flat).std(axis=0).min() > 1e-3
    assert np.isfinite(model.patterns_).all()
    hsiclearn.load(hsiclearn.save(model, tmp_path / "model.hsic"))


def test_max_iter_is_a_budget_of_the_descent():
    with pytest.warns(ConvergenceWarning, match="iteration budget ran out"):
        model = SupervisedHSIC(2, objective="prediction", max_iter=2).fit(X, y)
    assert model.n_iter_ == 2
    assert not model.converged_


def test_groups_ask_for_hsic():
    groups = np.arange(200) // 3
    assert SupervisedHSIC(2, objective="auto").fit(X, y, groups=groups).objective_ == "dependence"


def test_the_budget_is_that_of_the_fits_compared_as_well():
    short, long = (SupervisedHSIC(2, objective="prediction", max_iter=m) for m in (1, 100))
    with pytest.warns(ConvergenceWarning):
        short.fit(X, y)
    long.fit(X, y)
    assert short.selection_.explained_share != long.selection_.explained_share


def test_there_is_nothing_to_write_on_the_way(tmp_path):
    model = SupervisedHSIC(2, objective="prediction", checkpoint=tmp_path / "fit.npz")
    with pytest.raises(ValueError, match="`checkpoint` is written by the descent of HSIC"):
        model.fit(X, y)
    model.set_params(objective="auto").fit(X, y)
    assert model.objective_ == "dependence"


def test_there_is_no_spectrum_to_draw():
    model = SupervisedHSIC(2, objective="prediction").fit(X, y)
    with pytest.raises(ValueError, match="no spectrum of Phi"):
        SpectrumDisplay.from_estimator(model)


def ripples(n, seed):
    """Two sines of high frequency: a regression on all columns has hardly any gradient."""
    rows = np.random.default_rng(seed).standard_normal((n, 5))
    return rows, np.sin(3.0 * rows[:, 0]) * np.sin(3.0 * rows[:, 1])


@pytest.mark.long
def test_where_gradients_of_all_rows_lead_nowhere_the_descent_is_from_hsic():
    rows, target = ripples(2500, 0)
    model = SupervisedHSIC(2).fit(rows, target)
    assert model.selection_.chosen.start == "gradients"  # as 1000 of the rows said
    assert model.result_.start == "dependence"
    assert model.cost_ < 0.8


@pytest.mark.long
def test_directions_that_predict_have_no_gap_to_choose_their_number_by():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 6))
    target = np.sin(2.0 * rows[:, 0]) + rows[:, 1] + 0.1 * rng.standard_normal(400)
    models = [
        SupervisedHSIC("eigengap", objective=objective).fit(rows, target)
        for objective in ("dependence", "auto", "prediction")
    ]
    assert len({model.n_components_ for model in models}) == 1
    assert [model.objective_ for model in models] == ["dependence", "dependence", "prediction"]


@pytest.mark.long
def test_with_each_row_held_out_by_itself_predictions_compete():
    model = SupervisedHSIC(2, cv=LeaveOneOut()).fit(X[:48, :4], y[:48])
    found = [one.held_out for one in model.selection_.candidates if one.objective == "prediction"]
    assert np.isfinite(found).any()  # by one row alone none would be worth the others


@pytest.mark.parametrize(("above", "objective"), [(-1e-9, "prediction"), (1e-9, "dependence")])
def test_a_descent_that_falls_short_stays_where_it_explains_more_than_hsic(
    monkeypatch, above, objective
):
    """HSIC is what was best on rows held out before there were predictions."""
    rows, target, _ = make_planted("sectors", 240, 8)
    assert SupervisedHSIC(2).fit(rows, target).objective_ == "prediction"
    plain = SupervisedHSIC(2, objective="dependence").fit(rows, target)

    def poor(*given):
        fitted = predictive_fit(*given)
        cost = plain.selection_.chosen.held_out + above
        return fitted._replace(result=replace(fitted.result, cost=cost))

    monkeypatch.setattr(held_out, "_TOO_FAR", 0.0)
    monkeypatch.setattr(held_out, "predictive_fit", poor)
    model = SupervisedHSIC(2).fit(rows, target)
    assert model.objective_ == objective
    assert "prediction" in {one.objective for one in model.selection_.candidates}
    if objective == "dependence":
        np.testing.assert_array_equal(model.components_, plain.components_)
