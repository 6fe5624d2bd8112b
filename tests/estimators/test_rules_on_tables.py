"""The estimator choosing on tables and targets of every kind, as scikit-learn expects it."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from hsiclearn import Objective, SupervisedHSIC, certify, solve
from hsiclearn.exceptions import DegenerateDataError, DependenceWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from planted_fits import degrees, figures, fitted, planted

# As scikit-learn's estimators are -----------------------------------------------------------------


def test_the_seed_decides_and_nothing_else():
    X, y, _ = planted("sectors", 90, 3)
    first, again, other = (SupervisedHSIC(2, random_state=s).fit(X, y) for s in (1, 1, 2))
    assert first.components_.tobytes() == again.components_.tobytes()
    assert figures(first) == figures(again)
    assert first.selection_.chosen.held_out != other.selection_.chosen.held_out  # other folds


def test_parameters_are_kept_as_they_were_given():
    cv = KFold(3)
    model = SupervisedHSIC("auto", bandwidth="median-projected", init="auto", cv=cv)
    parameters = model.get_params()
    assert parameters["cv"] is cv
    assert (parameters["bandwidth"], parameters["init"]) == ("median-projected", "auto")
    copy = clone(SupervisedHSIC(1, cv=2).fit(*planted("step", 60, 3)[:2]))
    assert copy.get_params()["cv"] == 2
    assert not hasattr(copy, "selection_")


def test_rules_in_a_grid_search():
    X, y, _ = planted("step", 90, 3)
    grid = {"supervisedhsic__bandwidth": ["auto", "median"], "supervisedhsic__cv": [2, 3]}
    pipeline = make_pipeline(SupervisedHSIC(1, objective="dependence"), KNeighborsClassifier())
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.best_score_ > 0.8


def test_a_pickled_selection_is_the_same_and_small():
    model = fitted()
    stored = pickle.dumps(model.selection_)
    restored = pickle.loads(stored)
    assert restored.chosen == model.selection_.chosen
    assert repr(restored.candidates) == repr(model.selection_.candidates)
    assert len(stored) < 8_000


def test_a_refit_forgets_the_selection():
    X, y, _ = planted("step", 60, 3)
    model = SupervisedHSIC(1).fit(X, y)
    assert model.selection_ is not None
    assert model.set_params(bandwidth=1.0).fit(X, y).selection_ is None


# Tables of every kind -----------------------------------------------------------------------------


def test_the_order_of_the_rows_hardly_matters():
    """Other rows are held out together; bandwidth and plane stay about the same."""
    X, y, truth = planted()
    order = np.random.default_rng(5).permutation(len(y))
    shuffled = SupervisedHSIC(2).fit(X[order], y[order])
    assert degrees(shuffled.components_.T, fitted()) < 8
    assert degrees(truth, shuffled) < 12


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_the_rows_does_not_matter(unit):
    X, y, _ = planted("ring")
    model, scaled = fitted("ring"), SupervisedHSIC(2).fit(unit * X, y)
    assert scaled.bandwidth_ == pytest.approx(unit * model.bandwidth_, rel=1e-9)
    assert degrees(scaled.components_.T, model) < 1e-3


def test_single_precision_leads_to_the_same_choice():
    X, y, _ = planted("sine")
    single = SupervisedHSIC(1, objective="dependence").fit(X.astype(np.float32), y)
    assert single.bandwidth_ == pytest.approx(fitted("sine").bandwidth_, rel=1e-4)
    assert degrees(single.components_.T, fitted("sine")) < 0.1
    assert single.transform(X.astype(np.float32)).dtype == np.float32


def test_single_precision_leads_to_the_same_prediction():
    X, y, _ = planted("sine")
    one, other = (SupervisedHSIC(1).fit(some, y) for some in (X, X.astype(np.float32)))
    assert one.objective_ == other.objective_ == "prediction"
    assert degrees(one.components_.T, other) < 0.1


def blobs(n=40, d=120, offset=0.0):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    return rng.standard_normal((n, d)) + 6.0 * np.eye(3, d)[y] + offset, y


@pytest.mark.parametrize("settings", [{}, {"n_components": "auto", "kernel": Gaussian(5.0)}])
def test_more_columns_than_rows(settings):
    X, y = blobs()
    model = SupervisedHSIC(**settings).fit(X, y)
    assert model.components_.shape == (model.n_components_, 120)
    assert model.selection_.explained_share > 0.5
    full = certify(Objective(X, ClassTable.centered(y), model.kernel_), model.components_.T)
    assert full.stationarity <= 1e-6
    assert full.orthogonality <= 1e-12


def test_wide_rows_far_from_zero():
    """Only differences of rows count."""
    plain, far = (SupervisedHSIC(2).fit(*blobs(offset=offset)) for offset in (0.0, 1e3))
    assert far.bandwidth_ == pytest.approx(plain.bandwidth_, rel=1e-8)
    assert degrees(far.components_.T, plain) < 1e-3


@pytest.mark.parametrize("shape", [(80, 5), (40, 120)])
def test_a_sparse_table_leads_to_the_choice_of_the_dense_one(shape):
    X, y = blobs(*shape)
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    dense, thin = (SupervisedHSIC(2).fit(table, y) for table in (X, sparse.csr_array(X)))
    assert thin.bandwidth_ == pytest.approx(dense.bandwidth_, rel=1e-8)
    assert thin.selection_.chosen.start == dense.selection_.chosen.start
    assert degrees(thin.components_.T, dense) < 0.1


def test_a_thousand_rows_are_compared_and_all_are_fitted():
    X, y, truth = planted("step", 1300, 3)
    model = SupervisedHSIC(1, init="phi-zero", cv=2).fit(X, y)
    assert model.selection_.n_samples == 1000
    whole = solve(X, ClassTable.centered(y), model.kernel_, 1)
    assert model.cost_ == pytest.approx(whole.cost, rel=1e-8)
    assert degrees(truth, model) < 3


@pytest.mark.parametrize(("objective", "rtol"), [("dependence", 1e-12), ("prediction", 1e-8)])
def test_constant_columns_change_nothing(objective, rtol):
    """A descent that is not polished keeps what rounding does to a table that is laid out anew."""
    X, y, _ = planted("step", 90, 4)
    plain = SupervisedHSIC(1, objective=objective).fit(X, y)
    more = np.insert(X, [1, 3], 7.0, axis=1)
    model = SupervisedHSIC(1, objective=objective).fit(more, y)
    assert model.bandwidth_ == pytest.approx(plain.bandwidth_, rel=rtol)
    assert np.all(model.components_[:, [1, 4]] == 0.0)
    rest = np.delete(model.components_, [1, 4], axis=1)
    np.testing.assert_allclose(rest, plain.components_, atol=1e-8)


# Targets of every kind ----------------------------------------------------------------------------


def test_several_labels_at_once():
    X = np.random.default_rng(0).standard_normal((150, 4))
    model = SupervisedHSIC(2).fit(X, (X[:, [1, 3]] > 0).astype(int))
    assert model.target_ == "multilabel"
    assert degrees(np.eye(4)[:, [1, 3]], model) < 10
    assert model.selection_.explained_share > 0.5


def test_several_quantities_at_once():
    X = np.random.default_rng(0).standard_normal((150, 4))
    model = SupervisedHSIC(2).fit(X, np.column_stack([np.sin(2 * X[:, 0]), 1e3 * X[:, 2]]))
    assert model.target_ == "real"
    assert degrees(np.eye(4)[:, [0, 2]], model) < 10


def test_a_kernel_of_the_classes_leads_to_the_choice_of_the_classes():
    """The folds differ, since a kernel has no classes to stratify by: given, they are the same."""
    X, y, _ = planted("sectors", 90, 3)
    Y, cv = np.eye(3)[y], list(KFold(3).split(X))
    classes = SupervisedHSIC(2, cv=cv).fit(X, y)
    kernel = SupervisedHSIC(2, cv=cv, target="precomputed").fit(X, Y @ Y.T)
    assert kernel.bandwidth_ == classes.bandwidth_
    assert degrees(kernel.components_.T, classes) < 1e-3
    ours, theirs = kernel.selection_.chosen, classes.selection_.chosen
    assert ours.held_out == pytest.approx(theirs.held_out, rel=1e-6)
    assert ours.leave_one_out == pytest.approx(theirs.leave_one_out, rel=1e-6)


def test_a_class_with_a_single_row():
    """It is missing wherever it is held out; the others are found all the same."""
    rng = np.random.default_rng(0)
    y = np.append(np.arange(60) % 2, 2)
    X = rng.standard_normal((61, 4)) + 5.0 * np.eye(3, 4)[y]
    model = SupervisedHSIC(2).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.isfinite(model.selection_.chosen.held_out)
    assert model.selection_.explained_share > 0.5


def test_a_split_that_has_seen_one_class_only():
    """Nothing can be learned there, and nothing breaks."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 3)), np.zeros(30, int)
    y[3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        model = SupervisedHSIC(1).fit(X, y)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.selection_.chosen.held_out)


# Where a rule has to give way ---------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")
def test_more_components_than_the_rows_span():
    """12 rows span 11 dimensions; the rest of W lies where no row is."""
    X, y = blobs(12, 50)
    model = SupervisedHSIC(15).fit(X, y)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(15), atol=1e-10)


def test_a_class_too_rare_for_the_sample(monkeypatch):
    """2 rows of 300, of which 50 are looked at: a fit is possible, with either class."""
    monkeypatch.setattr("hsiclearn._selection.problem.MOST_ROWS", 50)
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 3)), np.zeros(300, int)
    y[:2] = 1
    X[:2] += 6.0
    for seed in range(4):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)
            model = SupervisedHSIC(1, random_state=seed).fit(X, y)
        assert np.isfinite(model.components_).all()
        assert model.converged_


def test_a_kernel_of_y_with_nothing_to_predict():
    X, y, _ = planted("step", 60, 3)
    Y = np.eye(2)[y]
    with pytest.raises(DegenerateDataError, match="positive eigenvalue"):
        SupervisedHSIC(1, target="precomputed").fit(X, -Y @ Y.T)


@pytest.mark.parametrize(
    "cv", ["three", [1, 2, 3], [(np.arange(40), np.arange(40, 70))], [([0, 1], [2], [3])]]
)
def test_splits_that_do_not_fit_the_rows(cv):
    X, y, _ = planted("step", 60, 3)
    with pytest.raises(ValueError, match="`cv`"):
        SupervisedHSIC(1, cv=cv).fit(X, y)


@pytest.mark.parametrize("last", [1300, 1000])
def test_pairs_need_all_rows_to_be_looked_at(last):
    """A rule sees 1000 of 1300: indices of all rows would be taken for other ones."""
    X, y, _ = planted("step", 1300, 3)
    with pytest.raises(ValueError, match="`cv`"):
        SupervisedHSIC(1, cv=[(np.arange(600), np.arange(600, last))]).fit(X, y)


def test_the_projected_median_resumes(tmp_path):
    X, y, _ = planted("ring", 90, 4)
    options = {"bandwidth": "median-projected", "checkpoint": tmp_path / "fit.npz"}
    whole = SupervisedHSIC(2, **options).fit(X, y)
    again = SupervisedHSIC(2, **options, resume=True).fit(X, y)
    assert again.components_.tobytes() == whole.components_.tobytes()
