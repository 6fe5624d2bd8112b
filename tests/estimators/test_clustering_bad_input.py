"""Bad input to clustering: the rule, the values seen and the remedy; nothing half-fitted."""

import re

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from clusterings import ESTIMATORS
from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, UnsupervisedHSIC, find_views
from hsiclearn.exceptions import DegenerateDataError, DependenceWarning
from hsiclearn.kernels import Gaussian, Linear, Polynomial, RelativeGaussian, Squared

pytestmark = pytest.mark.usefixtures("without_refits")
rng = np.random.default_rng(0)
X = rng.standard_normal((30, 3))
LABELS = rng.integers(0, 2, 30)
SCORES = rng.standard_normal((30, 2))
NAN = np.where(np.arange(30) == 4, np.nan, 1.0 * LABELS)
MISSING = np.array(["a", "b", None] * 10, object)


def with_entry(value):
    bad = X.copy()
    bad[3, 1] = value
    return bad


FOR_ALL = {
    "NaN": ({}, with_entry(np.nan), "Input X contains NaN"),
    "infinity": ({}, with_entry(np.inf), "Input X contains infinity"),
    "one row": ({}, X[:1], "minimum of 2 is required"),
    "complex": ({}, X + 1j, "Complex data not supported"),
    "huge": ({}, 1e160 * X, "The largest entry seen is"),
    "too few rows": ({"n_clusters": 31}, X, "Got n_clusters=31 and n_samples=30"),
    "no cluster": ({"n_clusters": 0}, X, "Got 0 instead"),
    "a rule unknown": ({"n_clusters": "many"}, X, "Got 'many' instead"),
    "q > d": ({"n_components": 4}, X, "Got n_components=4 and n_features=3"),
    "q by eigengap": ({"n_components": "eigengap"}, X, "Got 'eigengap' instead"),
    "equal rows": ({}, np.tile(X[:1], (30, 1)), "All 3 columns of X are constant over 30 rows"),
    "two places": ({}, np.tile(X[:2], (15, 1)), "about 90 % of the 30 rows have 7 duplicates"),
    "median 0": (
        {"kernel": "gaussian"},
        np.concatenate([X[:3], np.zeros((27, 3))]),
        "median distance is 0 over 30 rows",
    ),
    "negative degrees": (
        {"kernel": Linear()},
        X,
        "use a kernel that is positive, such as 'gaussian', or normalize='none'",
    ),
    "odd polynomial": ({"kernel": "polynomial"}, X, "must not be negative, nor grow with distance"),
    "growing": ({"kernel": "squared"}, X, "or normalize='none'"),
    "negative": ({"kernel": -Squared()}, X, "Got -1*Squared(): use a kernel that is positive"),
    "negative, as printed": (
        {"kernel": -Squared(), "objective": "paper"},
        X,
        "objective='paper' takes the values of the kernel for the weights of a graph",
    ),
    "unknown normalisation": ({"normalize": "rows"}, X, "Got 'rows' instead"),
    "unknown start": ({"init": "best"}, X, "Got 'best' instead"),
    "shape of init": (
        {"init": np.eye(3)},
        X,
        "(n_components, n_features) = (2, 3), like `components_`. Got (3, 3)",
    ),
    "dependent init": ({"init": np.ones((2, 3))}, X, "rank is 1"),
    "NaN in init": ({"init": np.full((2, 3), np.nan)}, X, "finite"),
}
NO_EDGES = "The kernel graph has no edges"
DIFFERENCES = "Guidance needs a kernel of differences"
GUIDED = {
    "one class": (AlternativeHSIC, {}, np.ones(30), "at least 2 classes. Got one, 1.0, in 30 rows"),
    "all different": (AlternativeHSIC, {}, np.arange(30), "Got 30 different labels in 30 rows"),
    "one of two constant": (
        AlternativeHSIC,
        {},
        np.stack([LABELS, np.zeros(30, int)], axis=1),
        "at least 2 classes. Got one, 0, in 30 rows",
    ),
    "short labelling": (AlternativeHSIC, {}, LABELS[:-1], "shape (30, m). Got shape (29,)"),
    "cube": (AlternativeHSIC, {}, np.zeros((30, 2, 2)), "Got shape (30, 2, 2)"),
    "NaN in labelling": (AlternativeHSIC, {}, NAN, "must be finite. Got 1 NaN or infinite"),
    "missing in labelling": (AlternativeHSIC, {}, MISSING, "missing"),
    "no edges, away": (AlternativeHSIC, {"kernel": Gaussian(1e-4)}, LABELS, NO_EDGES),
    "inner, away": (AlternativeHSIC, {"kernel": "linear"}, LABELS, DIFFERENCES),
    "negative mu": (AlternativeHSIC, {"mu": -1.0}, LABELS, "Got -1.0 instead"),
    "all unknown": (SemiSupervisedHSIC, {}, np.full(30, -1), "All 30 labels are -1"),
    "all unknown names": (SemiSupervisedHSIC, {}, np.full(30, "-1"), "All 30 labels are -1"),
    "short labels": (SemiSupervisedHSIC, {}, LABELS[:-1], "shape (30,). Got shape (29,)"),
    "labels in columns": (
        SemiSupervisedHSIC,
        {"guidance": "labels"},
        np.zeros((30, 2), int),
        "shape (30,). Got shape (30, 2)",
    ),
    "fractions": (
        SemiSupervisedHSIC,
        {"guidance": "labels"},
        SCORES[:, 0],
        "Got fractions: for scores pass guidance='scores'",
    ),
    "NaN as label": (SemiSupervisedHSIC, {"guidance": "labels"}, NAN, "Labels must be finite"),
    "infinity as label": (
        SemiSupervisedHSIC,
        {"guidance": "labels"},
        np.where(LABELS == 1, np.inf, 0.0),
        "Labels must be finite",
    ),
    "missing label": (SemiSupervisedHSIC, {}, MISSING, "missing"),
    "short scores": (SemiSupervisedHSIC, {}, SCORES[:-1], "one row per row of X, 30. Got 29"),
    "NaN in scores": (SemiSupervisedHSIC, {}, NAN, "contains NaN"),
    "constant scores": (SemiSupervisedHSIC, {}, np.ones((30, 2)), "constant over 30 rows"),
    "no edges, follow": (SemiSupervisedHSIC, {"kernel": Gaussian(1e-4)}, SCORES, NO_EDGES),
    "inner, follow": (SemiSupervisedHSIC, {"kernel": Linear()}, SCORES, DIFFERENCES),
}


def assert_refused(model, X_bad, y, message):
    before = dict(vars(model))
    with pytest.raises(ValueError, match=re.escape(message)):
        model.fit(X_bad, y)
    assert vars(model) == before
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(NotFittedError):
        model.transform(X)


@pytest.mark.parametrize("case", FOR_ALL)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_rows_and_parameters(name, case):
    settings, X_bad, message = FOR_ALL[case]
    assert_refused(ESTIMATORS[name](**settings), X_bad, None, message)


@pytest.mark.parametrize("case", GUIDED)
def test_what_guides(case):
    estimator, settings, y, message = GUIDED[case]
    assert_refused(estimator(**settings), X, y, message)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_remedy_for_too_many_components_is_one_that_works(name):
    """``n_components='eigengap'`` is for SupervisedHSIC only."""
    with pytest.raises(ValueError, match="Need n_components <= n_features") as error:
        ESTIMATORS[name](n_components=4).fit(X)
    assert "eigengap" not in str(error.value)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_failed_refit_leaves_the_first_fit(name):
    model = ESTIMATORS[name](init="identity").fit(X)
    labels, predicted = model.labels_, model.predict(X)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(with_entry(np.nan)[:, :2])
    assert model.labels_ is labels
    np.testing.assert_array_equal(model.predict(X), predicted)


def test_a_failure_late_in_a_fit_leaves_nothing_behind():
    """The graph is empty only in the subspace: found out after kernel and bandwidth were chosen."""
    model = AlternativeHSIC(kernel="gaussian", bandwidth=1e-3)
    before = dict(vars(model))
    with pytest.raises(DegenerateDataError, match="Raise the bandwidth"):
        model.fit(X, LABELS)
    assert vars(model) == before


def test_a_refit_forgets_the_last_guidance():
    model = SemiSupervisedHSIC(init="identity").fit(X, np.where(np.arange(30) < 8, LABELS, -1))
    assert model.guidance_ == "labels"
    assert model.classes_.tolist() == [0, 1]
    model.fit(X)
    assert model.guidance_ is None
    assert getattr(model, "classes_", None) is None
    assert set(model.labels_) == set(model.predict(X)) == {0, 1}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_not_converging_warns_at_the_line_that_called_fit(name):
    with pytest.warns(ConvergenceWarning, match="iteration budget ran out") as record:
        model = ESTIMATORS[name](max_iter=1, init="identity").fit(X)
    assert record[0].filename == __file__
    assert not model.converged_
    assert model.labels_.shape == (30,)


@pytest.mark.parametrize("bandwidth", [1e-4, 0.05])
@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_a_graph_of_single_rows_warns(bandwidth, normalize):
    """Every row is a perfect cluster: the cost is at its bound and the labels mean nothing."""
    model = UnsupervisedHSIC(
        kernel="gaussian", bandwidth=bandwidth, normalize=normalize, init="identity"
    )
    with pytest.warns(DependenceWarning, match=r"rows are out of reach .* Raise the bandwidth"):
        model.fit(X)
    assert model.n_alone_ > 2
    assert UnsupervisedHSIC(kernel="gaussian", init="identity").fit(X).n_alone_ == 0


@pytest.mark.parametrize("kernel", [Polynomial(2), 2 * Gaussian(1.0) + Polynomial(4)])
def test_kernels_that_are_never_negative_make_a_graph(kernel):
    model = UnsupervisedHSIC(kernel=kernel, init="identity").fit(X)
    assert np.all(model.graph_eigenvalues_ <= 1.0 + 1e-9)


def test_inner_products_without_degrees_have_no_bound_to_be_at():
    """-n is none there: a search must not end at its first start for being below it."""
    model = UnsupervisedHSIC(2, 1, kernel="linear", normalize="none").fit(10.0 * X)
    assert len(model.starts_) > 5
    assert model.cost_ == pytest.approx(-(np.linalg.norm(10.0 * (X - X.mean(axis=0)), 2) ** 2))


def test_new_rows_must_fit():
    model = UnsupervisedHSIC(init="identity").fit(X)
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 3"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(with_entry(np.nan))


def test_find_views_needs_a_view():
    with pytest.raises(ValueError, match=r"Need n_views >= 1\. Got n_views=0"):
        find_views(X, 0)
    with pytest.raises(ValueError, match="Got n_clusters=31"):
        find_views(X, 2, 31)


def test_fewer_rows_than_neighbours_are_fine():
    model = UnsupervisedHSIC(2, kernel=RelativeGaussian(7)).fit(X[:4])
    assert model.labels_.shape == (4,)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("rows", "given"),
    [
        (np.repeat([[0.0, 0.0], [127.0, 40.0]], [10, 2], axis=0), [1, 1, 0, 0, 0, 1] * 2),
        (np.array([[-1.57, 7e-323], [0.07, -4.4e-323], [-0.37, 4e-323]]), [1, 0, 1]),
    ],
    ids=["most rows equal", "a subnormal column"],
)
def test_hardly_any_rows_to_search_among_are_fine(rows, given):
    """A median distance of 0 is that of the rows that differ; a column may have no variance."""
    model = AlternativeHSIC(2, 1).fit(rows, given)
    assert np.linalg.norm(model.components_) == pytest.approx(1.0, abs=1e-10)
