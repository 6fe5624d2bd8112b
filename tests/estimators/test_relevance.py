"""Directions in columns that are weighed by their part in them."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import hsiclearn
from hsiclearn import Status, SupervisedHSIC
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._selection.relevance import basis_of_weights, weighed
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.inspection import bootstrap_stability
from hsiclearn.kernels import Gaussian

USED = 10
ALL, LABELS, _ = make_planted("sectors", 900, 40, n_noise=30, random_state=3)
X, y = ALL[:300], LABELS[:300]


@pytest.fixture(scope="module")
def model():
    return SupervisedHSIC(2, objective="dependence").fit(X, y)


@pytest.fixture(scope="module")
def asked():
    return SupervisedHSIC(2, metric="relevance").fit(X, y)


def test_where_many_columns_are_noise_it_is_chosen(model):
    plain = SupervisedHSIC(2, metric="identity", objective="dependence").fit(X, y)
    assert model.metric_ == "relevance"
    assert model.selection_.chosen.metric == "relevance"
    assert model.selection_.explained_share > plain.selection_.explained_share + 0.05
    noise = model.feature_importances_[USED:].sum()
    assert noise < 0.5 * plain.feature_importances_[USED:].sum()


def test_a_prediction_may_begin_with_columns_weighed(model):
    best = SupervisedHSIC(2).fit(X, y)
    chosen = best.selection_.chosen
    assert (chosen.objective, chosen.metric, chosen.start) == (
        "prediction",
        "relevance",
        "dependence",
    )
    assert (best.objective_, best.metric_) == ("prediction", "free")
    assert best.selection_.explained_share > model.selection_.explained_share
    assert best.feature_importances_[USED:].sum() < 0.1
    assert best.result_.status is Status.SETTLED
    assert best.cost_ < chosen.held_out  # on rows that the descent has seen
    assert best.certificate_.n_columns == np.count_nonzero(best.components_.any(axis=0))
    assert best.score(ALL[300:], LABELS[300:]) > best.selection_.explained_share - 0.1


@pytest.mark.long
def test_where_weights_of_all_rows_lead_elsewhere_the_promise_is_not_kept():
    """Of all rows they keep three columns, without a third of them 22 at most."""
    A, new = (
        sparse.random(n, 60, 0.1, random_state=seed, format="csr").toarray()
        for n, seed in ((200, 0), (2000, 100))
    )
    z, labels = (np.asarray(rows[:, :5].sum(axis=1) > 0.3, dtype=int) for rows in (A, new))
    model = SupervisedHSIC(2).fit(A, z)
    assert model.objective_ == "dependence"
    assert model.score(new, labels) > model.selection_.explained_share - 0.05


def test_where_no_round_leaves_enough_columns_all_count_alike():
    table = np.random.default_rng(0).standard_normal((100, 4))
    table[:, 2:] = 0.0  # two columns cannot carry three directions
    gamma = supervised_gamma(read_target(table[:, 0]))
    found = weighed(table, gamma, Gaussian(1.0), np.eye(4)[:, :3] * [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(found.weights, 1.0)
    assert np.isfinite(found.cost)
    np.testing.assert_allclose(found.W.T @ found.W, np.eye(3), atol=1e-12)


def test_it_is_not_where_all_columns_have_a_part():
    dense, target, _ = make_planted("xor", 300, 10, random_state=0)
    assert SupervisedHSIC(2).fit(dense, target).metric_ != "relevance"


def test_beside_columns_that_do_not_vary(asked):
    wide = np.insert(X, [0, 7], 5.0, axis=1)
    model = clone(asked).fit(wide, y)
    assert model.certificate_.n_columns == asked.certificate_.n_columns
    left = np.delete(model.components_, [0, 8], axis=1)
    np.testing.assert_allclose(left, asked.components_, atol=1e-12)
    assert not model.components_[:, [0, 8]].any()


def test_few_columns_are_not_weighed():
    few, target, _ = make_planted("sectors", 100, 7, n_noise=5, random_state=0)
    model = SupervisedHSIC(2).fit(few, target)
    assert {one.metric for one in model.selection_.candidates} == {"identity", "covariance"}


def test_directions_are_orthonormal_in_the_columns_rescaled(asked):
    W = asked.components_.T
    assert asked.metric_ == "relevance"
    assert asked.certificate_.verified
    np.testing.assert_allclose(asked.components_ @ asked.patterns_.T, np.eye(2), atol=1e-10)
    assert np.count_nonzero(~W.any(axis=1)) >= 1


def test_back_and_forth(asked):
    Z = asked.transform(X)
    np.testing.assert_allclose(asked.transform(asked.inverse_transform(Z)), Z, atol=1e-8)


def test_it_is_the_same_problem_in_rescaled_columns():
    gamma = supervised_gamma(read_target(y, "auto"), np.random.default_rng(0))
    W = SupervisedHSIC(2, metric="identity", bandwidth=1.5).fit(X, y).components_.T
    s, found, cost = weighed(X, gamma, Gaussian(1.5), W)
    kept = s > 0.0
    V = found[kept] / s[kept, None]
    np.testing.assert_allclose(V.T @ V, np.eye(2), atol=1e-12)
    assert not found[~kept].any()
    objective = hsiclearn.Objective(X[:, kept] * s[kept], gamma, Gaussian(1.5))
    assert objective.cost(V) == pytest.approx(
        cost, rel=1e-6
    )  # compared fits are of single precision
    np.testing.assert_allclose(basis_of_weights(s).lift(V), found, atol=1e-12)


def test_columns_are_weighed_as_those_of_repeated_rows():
    v, some = np.arange(1, 61) % 3 + 1, X[:60, :12]
    rows, W = np.repeat(np.arange(60), v), np.eye(12)[:, :2]
    gamma = supervised_gamma(read_target(y[:60], "auto"), weights=v.astype(float))
    often = supervised_gamma(read_target(y[:60][rows], "auto"))
    weighted = weighed(some, gamma, Gaussian(1.5), W)
    repeated = weighed(some[rows], often, Gaussian(1.5), W)
    np.testing.assert_allclose(weighted.weights, repeated.weights, atol=1e-4)
    assert weighted.cost == pytest.approx(repeated.cost, rel=1e-5)


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": 1.0},
        {"bandwidth": "median"},
        {"bandwidth": "median-projected"},
        {"n_components": "auto", "bandwidth": 1.0},
        {"n_components": "eigengap", "bandwidth": 1.0},
        {"n_features_to_select": 12, "bandwidth": 1.0},
    ],
)
def test_it_goes_with_every_rule(settings):
    model = SupervisedHSIC(2, metric="relevance").set_params(**settings).fit(X[:150], y[:150])
    assert model.metric_ == "relevance"
    # Who asks a rule for the dimension has asked for none: of two true ones it finds no more.
    q = model.n_components_
    assert 1 <= q <= 2 if "n_components" in settings else q == 2
    np.testing.assert_allclose(model.components_ @ model.patterns_.T, np.eye(q), atol=1e-8)
    assert np.count_nonzero(model.components_.any(axis=0)) <= settings.get(
        "n_features_to_select", 40
    )


@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")  # of eight rows
@pytest.mark.parametrize(("n", "k", "bandwidth"), [(40, 60, "median"), (8, 20, "auto")])
def test_of_more_columns_selected_than_rows_those_are_weighed(n, k, bandwidth):
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((n, 100))
    model = SupervisedHSIC(2, metric="relevance", n_features_to_select=k, bandwidth=bandwidth)
    model.fit(wide, wide[:, 0] + 0.1 * rng.standard_normal(n))
    assert model.metric_ == "relevance"
    assert model.n_features_selected_ == k
    assert not model.components_[:, ~model.support_].any()


def test_of_a_permuted_target_nothing_is_explained():
    shuffled = np.random.default_rng(0).permutation(y)
    with pytest.warns(DependenceWarning, match="No dependence"):
        model = SupervisedHSIC(2, metric="relevance").fit(X, shuffled)
    assert model.selection_.explained_share < 0.02


def test_more_columns_than_rows():
    few, target = X[:30], y[:30]
    model = SupervisedHSIC(2, metric="relevance", bandwidth=1.0).fit(few, target)
    assert model.metric_ == "relevance"


def test_the_same_input_gives_the_same_bytes(asked):
    assert clone(asked).fit(X, y).components_.tobytes() == asked.components_.tobytes()


def test_through_a_file(asked, tmp_path):
    hsiclearn.save(asked, tmp_path / "model")
    again = hsiclearn.load(tmp_path / "model")
    assert again.metric_ == "relevance"
    np.testing.assert_array_equal(again.components_, asked.components_)
    np.testing.assert_array_equal(again.patterns_, asked.patterns_)
    assert again.selection_.chosen == asked.selection_.chosen


def test_its_stability_can_be_measured(asked):
    found = bootstrap_stability(asked, X, y, n_resamples=2)
    assert np.isfinite(found.angles).all()


@pytest.mark.long
@pytest.mark.parametrize("q", [2, 5])
def test_as_many_directions_as_asked_for_where_one_column_is_all(q):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 20))
    target = np.sin(2.0 * X[:, 0]) + 0.1 * rng.standard_normal(300)
    X[:, 0] *= 3.0
    for metric in ("auto", "relevance"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = SupervisedHSIC(q, metric=metric).fit(X, target)
        assert model.components_.shape == (q, 20)
        assert model.n_components_ == q


def test_the_certificate_says_of_how_many_columns_directions_are_made():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 30))
    target = X[:, 0] * X[:, 1] > 0.0
    model = SupervisedHSIC(2, metric="relevance").fit(X, target)
    left = int(np.count_nonzero(model.components_.any(axis=0)))
    assert left < 30
    assert model.certificate_.n_columns == left
    assert f"made of the {left} columns" in model.certificate_.verdict


def test_weights_are_not_for_predictions():
    with pytest.raises(ValueError, match="metric='relevance' weighs columns for HSIC"):
        SupervisedHSIC(1, metric="relevance", objective="prediction").fit(X, y)
