"""Directions that are orthonormal in the covariance of the columns."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.covariance import ledoit_wolf
from sklearn.exceptions import NotFittedError

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._rows import inverse_root
from hsiclearn.exceptions import ModelFileError

rng = np.random.default_rng(0)
N, D = 240, 6
LATENT = rng.standard_normal((N, D))
# Columns that nearly all say the same; what tells the classes is in what little is left of them.
X = 3.0 * rng.standard_normal((N, 1)) + 0.3 * LATENT
y = (LATENT[:, 0] * LATENT[:, 1] > 0).astype(int)
S = ledoit_wolf(X)[0]
MEDIAN = {"bandwidth": "median", "tol": 1e-9}


def fitted(metric="covariance", **settings):
    return SupervisedHSIC(2, metric=metric, **settings).fit(X, y)


def test_it_is_the_same_problem_in_other_coordinates():
    B = inverse_root(S)
    plain = SupervisedHSIC(2, metric="identity", **MEDIAN).fit(X @ B, y)
    model = fitted(**MEDIAN)
    assert model.cost_ == pytest.approx(plain.cost_, rel=1e-9)
    assert model.bandwidth_ == pytest.approx(plain.bandwidth_, rel=1e-9)
    Z, expected = model.transform(X), plain.transform(X @ B)
    signs = np.sign(np.einsum("ij,ij->j", Z - Z.mean(0), expected - expected.mean(0)))
    np.testing.assert_allclose(Z, expected * signs, atol=1e-6)


@pytest.mark.parametrize("settings", [{}, MEDIAN, {"n_components": "eigengap"}, {"init": "random"}])
def test_directions_are_orthonormal_in_the_covariance(settings):
    model = SupervisedHSIC(metric="covariance").set_params(**settings).fit(X, y)
    W = model.components_
    assert model.metric_ == "covariance"
    np.testing.assert_allclose(W @ S @ W.T, np.eye(W.shape[0]), atol=1e-8)
    np.testing.assert_allclose(model.patterns_, W @ S, atol=1e-8)
    assert (W[np.arange(W.shape[0]), np.abs(W).argmax(axis=1)] > 0).all()
    assert model.certificate_.verified


def test_in_the_metric_of_the_columns_patterns_are_the_components():
    model = fitted("identity", **MEDIAN)
    np.testing.assert_array_equal(model.patterns_, model.components_)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-12)


def test_back_and_forth():
    model = fitted()
    Z = model.transform(X)
    back = model.inverse_transform(Z)
    np.testing.assert_allclose(model.transform(back), Z, atol=1e-8)
    np.testing.assert_allclose(back.mean(axis=0), X.mean(axis=0), atol=1e-8)
    # The nearest point in the metric of the inverse covariance: what is left is at right angles.
    rest = np.linalg.solve(S, (X - back).T)
    np.testing.assert_allclose(model.patterns_ @ rest, 0.0, atol=1e-8)


def test_the_better_metric_is_chosen_on_rows_held_out():
    model = fitted("auto")
    losses = {
        metric: np.nanmin([c.criterion for c in model.selection_.candidates if c.metric == metric])
        for metric in ("identity", "covariance")
    }
    assert model.metric_ == model.selection_.chosen.metric == "covariance"
    assert losses["covariance"] < 0.9 * losses["identity"]


def test_of_columns_that_are_alike_already_the_simplest_is_kept():
    assert SupervisedHSIC(2, objective="dependence").fit(LATENT, y).metric_ == "identity"


@pytest.mark.parametrize("settings", [{"bandwidth": 1.0}, {"kernel": "linear"}, MEDIAN])
def test_a_kernel_that_is_given_is_that_of_the_columns(settings):
    assert fitted("auto", **settings).metric_ == "identity"


@pytest.mark.parametrize("make", [sparse.csr_array, lambda X: lambda: iter([X[:100], X[100:]])])
@pytest.mark.parametrize("settings", [MEDIAN, {"bandwidth": "auto", "tol": 1e-9}])
def test_the_answer_does_not_depend_on_what_holds_the_rows(make, settings):
    expected = SupervisedHSIC(2, metric="covariance", engine="nystrom", **settings).fit(X, y)
    model = SupervisedHSIC(2, metric="covariance", engine="nystrom", **settings).fit(make(X), y)
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-6)


def test_with_too_few_rows_to_hold_out_it_is_still_what_was_asked_for():
    model = SupervisedHSIC(1, metric="covariance").fit(X[:8], y[:8])
    assert (model.metric_, model.selection_) == ("covariance", None)


def test_columns_that_do_not_vary_have_no_part():
    constant = np.column_stack([X[:, :3], np.full(N, 7.0), X[:, 3:]])
    model = SupervisedHSIC(2, metric="covariance", **MEDIAN).fit(constant, y)
    np.testing.assert_array_equal(model.components_[:, 3], 0.0)
    np.testing.assert_array_equal(model.patterns_[:, 3], 0.0)
    kept = np.delete(model.components_, 3, axis=1)
    np.testing.assert_allclose(kept, fitted(**MEDIAN).components_, atol=1e-6)


def test_a_start_is_in_the_columns():
    model = fitted(**MEDIAN)
    again = SupervisedHSIC(2, metric="covariance", init=model.components_, **MEDIAN).fit(X, y)
    assert again.n_iter_ <= 1
    np.testing.assert_allclose(again.components_, model.components_, atol=1e-6)


def test_more_columns_than_a_covariance_is_made_of(monkeypatch):
    monkeypatch.setattr("hsiclearn._selection.metric.MOST_COLUMNS", 5)
    with pytest.warns(UserWarning, match="covariance of 6 columns is not made"):
        assert fitted(**MEDIAN).metric_ == "identity"


def test_a_model_file_keeps_it(tmp_path):
    model = fitted()
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model.hsic"))
    assert again.metric_ == "covariance"
    np.testing.assert_array_equal(again.patterns_, model.patterns_)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


@pytest.mark.parametrize(
    "change", [{"patterns_": np.ones((2, D))}, {"metric_": "identity"}, {"metric_": 3}]
)
def test_a_file_that_contradicts_itself_is_refused(tmp_path, change):
    model = fitted()
    vars(model).update(change)
    hsiclearn.save(model, tmp_path / "model.hsic")
    with pytest.raises(ModelFileError):
        hsiclearn.load(tmp_path / "model.hsic")


def test_an_unknown_metric_is_refused():
    model = SupervisedHSIC(metric="euclidean")
    with pytest.raises(ValueError, match="'metric' parameter"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.transform(X)
