"""``sample_weight`` of the clustering estimators, as their users meet it.

From one start: a search draws rows and starts at random, and draws others from a longer table.
"""

import inspect
from functools import cache

import dask.array as da
import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clusterings import ESTIMATORS, guide_of, two_views
from hsiclearn import SemiSupervisedHSIC, find_views, load, save
from hsiclearn._linalg import sine_of_largest_angle

N = 60
X, GIVEN, OTHER = (values[:N] for values in two_views())
V = np.random.default_rng(90).integers(0, 4, N)
TABLE = np.repeat(np.arange(N), V)
KEPT = np.flatnonzero(V)
SCORES = X[:, :1] ** 2

pytestmark = pytest.mark.usefixtures("without_refits")


def model_of(name, **settings):
    """From a start that is no optimum of anything."""
    init = np.linalg.qr(np.random.default_rng(91).standard_normal((X.shape[1], 2)))[0].T
    usual = {"init": init, "tol": 1e-9, "max_iter": 400}
    return ESTIMATORS[name](**{**usual, **settings})


def fit(name, rows, y, weights=None, **settings):
    return model_of(name, **settings).fit(
        X[rows], None if y is None else y[rows], sample_weight=weights
    )


EVERYTHING = np.arange(N)
CASES = {  # estimator, y, settings, and the angle that kinks of the scales leave
    "unsupervised": ("unsupervised", None, {"kernel": "gaussian"}, 1e-7),
    "unsupervised-hkh": ("unsupervised", None, {"kernel": "gaussian", "normalize": "none"}, 1e-7),
    "unsupervised-relative": ("unsupervised", None, {}, 1e-4),
    "labels": ("semi-supervised", guide_of("semi-supervised", GIVEN), {"kernel": "gaussian"}, 1e-7),
    "scores": ("semi-supervised", SCORES, {"kernel": "gaussian"}, 1e-7),
    "too-many-labels": (
        "semi-supervised",
        np.where(np.arange(N) < 40, np.arange(N) % 3, -1),
        {"kernel": "gaussian"},
        1e-7,
    ),
    "alternative": ("alternative", GIVEN, {"kernel": "gaussian"}, 1e-7),
    "alternative-relative": ("alternative", GIVEN, {}, 1e-4),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weight_two_is_a_row_twice_and_weight_zero_none(case):
    name, y, settings, angle = CASES[case]
    ours, theirs = (
        fit(name, EVERYTHING, y, V, **settings),
        fit(name, TABLE, y, **settings),
    )
    assert sine_of_largest_angle(ours.components_.T, theirs.components_.T) < angle
    assert ours.cost_ == pytest.approx(theirs.cost_, rel=angle)
    np.testing.assert_array_equal(ours.labels_[TABLE], theirs.labels_)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.kernel_ == theirs.kernel_ or angle == 1e-7
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12)
    np.testing.assert_allclose(ours.assortativity_, theirs.assortativity_, atol=100 * angle)
    np.testing.assert_allclose(ours.graph_eigenvalues_, theirs.graph_eigenvalues_, atol=10 * angle)
    absent = fit(name, KEPT, y, V[KEPT], **settings)
    for attribute in ("components_", "cost_", "mean_", "graph_eigenvalues_", "eigenvalues_"):
        assert np.array_equal(getattr(ours, attribute), getattr(absent, attribute)), attribute
    np.testing.assert_array_equal(ours.labels_[KEPT], absent.labels_)
    np.testing.assert_array_equal(ours.embedding_[KEPT], absent.embedding_)
    assert ours.result_.fitted_on.n_rows == KEPT.size


def test_a_row_of_weight_zero_is_labelled_as_a_new_one():
    model = fit("unsupervised", EVERYTHING, None, V, kernel="gaussian")
    out = np.setdiff1d(EVERYTHING, KEPT)
    np.testing.assert_array_equal(model.labels_[out], model.predict(X[out]))
    assert model.embedding_.shape == (N, 2)
    assert np.all(np.linalg.norm(model.embedding_[out], axis=1) > 0.0)
    np.testing.assert_allclose(V @ model.embedding_**2, np.ones(2), rtol=1e-9)


@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_small_weights_are_nearly_none(normalize):
    """Rows of next to no weight are embedded as exactly as others, as new rows would be."""
    settings = {"kernel": "gaussian", "normalize": normalize, "bandwidth": 3.0}
    none = fit("unsupervised", EVERYTHING, None, V, **settings)
    little = fit("unsupervised", EVERYTHING, None, np.maximum(V, 1e-13), **settings)
    signs = np.sign(np.sum(little.embedding_ * none.embedding_, axis=0))
    np.testing.assert_allclose(little.embedding_, none.embedding_ * signs, atol=1e-10)
    np.testing.assert_array_equal(little.labels_, none.labels_)


def test_a_label_of_a_row_that_does_not_count_names_nothing():
    y = np.full(N, "-1", dtype=object)
    y[KEPT[:6]] = np.array(["a", "b"])[GIVEN[KEPT[:6]]]
    y[np.flatnonzero(V == 0)[0]] = "nobody"
    model = fit("semi-supervised", EVERYTHING, y, V, kernel="gaussian")
    assert sorted(model.classes_) == ["a", "b"]
    assert set(model.labels_) == {"a", "b"}


def test_weights_that_are_all_one_are_none():
    plain = fit("unsupervised", EVERYTHING, None, kernel="gaussian")
    for ones in (np.ones(N), np.full(N, 1 / N), np.full(N, 0.3)):  # and equal shares of a whole
        model = fit("unsupervised", EVERYTHING, None, ones, kernel="gaussian")
        assert np.array_equal(model.components_, plain.components_)
        assert np.array_equal(model.embedding_, plain.embedding_)


def test_shares_are_as_many_rows_as_they_are_worth():
    shares = np.random.default_rng(92).uniform(0.2, 1.0, N)
    ours, theirs = (
        fit("unsupervised", EVERYTHING, None, weights, tol=1e-3)
        for weights in (shares / shares.sum(), shares * shares.sum() / np.sum(shares**2))
    )
    assert ours.kernel_ == theirs.kernel_
    assert ours.cost_ == pytest.approx(theirs.cost_, rel=1e-6)


def test_views_with_weights():
    views = find_views(X, 2, sample_weight=V, init="identity", kernel="gaussian")
    assert [view.labels_.shape for view in views] == [(N,), (N,)]
    assert abs(adjusted_rand_score(*(view.labels_[KEPT] for view in views))) < 0.2


@pytest.mark.parametrize("name", ESTIMATORS)
def test_refits_take_weights(name, request):
    request.getfixturevalue("monkeypatch").undo()
    y = guide_of(name, GIVEN)
    agreement = model_of(name, kernel="gaussian").fit(X, y, sample_weight=V).agreement_
    assert agreement.n_resamples == 4
    assert -0.5 < agreement.resamples <= 1.0


@cache
def weighted():
    return fit("unsupervised", EVERYTHING, None, V + 0.5, kernel="gaussian", tol=1e-6)


def test_tables_of_other_kinds():
    model, weights = model_of("unsupervised", kernel="gaussian", tol=1e-6), V + 0.5
    sparse = model.fit(csr_array(X), sample_weight=weights.tolist()).labels_
    np.testing.assert_array_equal(sparse, weighted().labels_)
    assert np.array_equal(model.fit_predict(X, sample_weight=weights), weighted().labels_)
    chunks = da.from_array(X, chunks=(25, X.shape[1]))
    for given in (weights, da.from_array(weights, chunks=20)):
        there = model.fit(chunks, sample_weight=given)
        np.testing.assert_array_equal(there.labels_, weighted().labels_)
    with pytest.raises(ValueError, match=r"Rows of Dask that do not count.*Got \d+ weights of 0"):
        model.set_params(engine="landmarks").fit(chunks, sample_weight=V)
    far = model.fit(chunks, sample_weight=weights)
    np.testing.assert_array_equal(np.asarray(far.labels_), weighted().labels_)


def test_a_model_with_weights_through_a_file(tmp_path):
    model = fit("unsupervised", EVERYTHING, None, V)
    again = load(save(model, tmp_path / "model.hsic") or tmp_path / "model.hsic")
    np.testing.assert_array_equal(again.predict(X + 0.1), model.predict(X + 0.1))


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_routing_and_what_is_refused(name):
    estimator = ESTIMATORS[name]
    assert inspect.signature(estimator.fit).parameters["sample_weight"].kind.name == "KEYWORD_ONLY"
    with config_context(enable_metadata_routing=True):
        model = model_of(name, kernel="gaussian", tol=1e-6, max_iter=3)
        pipeline = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            model.set_fit_request(sample_weight=True),
        )
        y = guide_of(name, GIVEN)
        routed = pipeline.fit(X, y, sample_weight=V)[-1]
        scaled = StandardScaler().fit_transform(X)
        direct = model_of(name, kernel="gaussian", tol=1e-6, max_iter=3)
        direct.fit(scaled, y, sample_weight=V)
        assert np.array_equal(routed.components_, direct.components_)
    for weights, message in (
        (-V, "no negative number"),
        (V[:5], "one number for each of the 60 rows"),
        (np.eye(N)[0], "zero on all rows but one"),
        (np.where(EVERYTHING == 3, np.nan, 1.0), "must be finite"),
    ):
        with pytest.raises(ValueError, match=message):
            model_of(name).fit(X, sample_weight=weights)
    with pytest.raises(ValueError, match="objective='paper' runs as printed"):
        model_of(name, objective="paper").fit(X, sample_weight=V)
    with pytest.raises(ValueError, match=r"sum must be 1e\+50 at most"):
        model_of(name).fit(X, sample_weight=1e60 * (V + 1.0))
    lopsided = np.where(EVERYTHING == 0, 1.0, 1e-9)
    with pytest.raises(ValueError, match="worth n_clusters=3 rows at least"):
        model_of(name, n_clusters=3).fit(X, sample_weight=lopsided)
    with pytest.raises(ValueError, match="y must have one entry per row of X, 60"):
        model_of(name).fit(X, GIVEN[:50], sample_weight=V) if name != "unsupervised" else (
            SemiSupervisedHSIC().fit(X, GIVEN[:50], sample_weight=V)
        )
