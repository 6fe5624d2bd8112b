"""The estimator choosing for its user: bandwidth, start and dimension."""

import re
import warnings

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold

from hsiclearn import Objective, SupervisedHSIC, certify, solve
from hsiclearn._selection.candidates import ARRAY, STARTS
from hsiclearn._selection.problem import SCALES
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear
from planted_fits import degrees, figures, fitted, planted
from problems import standardised


def permuted():
    X, y, _ = planted()
    return X, np.random.default_rng(0).permutation(y)


# What the default finds ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1])
def test_the_default_finds_the_plane_of_xor_that_the_median_misses(seed):
    truth = planted(seed=seed).W
    assert degrees(truth, fitted(seed=seed)) < 12
    assert degrees(truth, fitted(seed=seed, bandwidth="median")) > 45


@pytest.mark.parametrize("kind", ["ring", "sine"])
def test_the_default_is_nearer_than_the_median(kind):
    truth = planted(kind).W
    assert degrees(truth, fitted(kind)) < 10
    assert degrees(truth, fitted(kind)) < degrees(truth, fitted(kind, bandwidth="median"))


def test_what_was_chosen_is_what_was_fitted():
    model, X = fitted(), planted().X
    chosen = model.selection_.chosen
    grid = np.median(pdist(X)) * np.sqrt(2 / 5) * np.array(SCALES)
    assert model.bandwidth_ == chosen.bandwidth
    assert np.min(np.abs(grid / model.bandwidth_ - 1.0)) < 1e-10
    assert model.kernel_ == chosen.kernel == Gaussian(model.bandwidth_)
    assert model.result_.start == chosen.start
    assert chosen.start in STARTS
    assert chosen.n_components == model.n_components_ == 2
    assert chosen in model.selection_.candidates
    assert model.selection_.n_samples == 200
    assert 0.4 < model.selection_.explained_share < 1.0
    assert model.selection_.found_dependence


@pytest.mark.parametrize("kind", ["xor", "ring", "sine"])
def test_the_answer_is_polished_at_the_chosen_bandwidth(kind):
    X, y, W = planted(kind)
    model = fitted(kind)
    assert model.converged_
    assert model.certificate_.stationarity <= model.tol
    assert model.certificate_.second_order
    if model.target_ == "classes":
        gamma = ClassTable.centered(y)
        again = certify(Objective(X, gamma, model.kernel_), model.components_.T)
        assert again.stationarity <= model.tol
        start = model.selection_.chosen.start
        init = "phi-zero" if start == "path" else start
        plain = solve(X, gamma, model.kernel_, W.shape[1], init=init)
        assert model.cost_ <= plain.cost + 1e-6 * abs(plain.cost)


# Whether anything was found -----------------------------------------------------------------------


def test_a_target_that_depends_on_nothing_is_called_so():
    X, y = permuted()
    with pytest.warns(DependenceWarning, match="No dependence found") as record:
        model = SupervisedHSIC(2).fit(X, y)
    assert record[0].filename == __file__
    assert not model.selection_.found_dependence
    share = re.search(r"explains (-?[\d.]+) %", str(record[0].message)).group(1)
    assert float(share) == pytest.approx(100 * model.selection_.explained_share, abs=0.06)


@pytest.mark.parametrize("name", ["wine", "iris"])
def test_real_data_depend_on_their_classes(name):
    X, y, _ = standardised(name)
    model = SupervisedHSIC(2).fit(X[::2], y[::2])  # warnings are errors here
    assert model.selection_.explained_share > 0.6


@pytest.mark.parametrize("settings", [{"bandwidth": "median"}, {"bandwidth": 1.0}])
def test_without_rows_held_out_nothing_is_said(settings):
    assert SupervisedHSIC(2, **settings).fit(*permuted()).selection_ is None


@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": 1.0},
        {"bandwidth": "median"},
        {"bandwidth": "median-projected"},
        {"kernel": "linear"},
        {"kernel": Gaussian(2.0)},
        {"kernel": Gaussian(2.0) + Linear()},
    ],
)
def test_where_there_is_no_choice_nothing_is_held_out(settings):
    model = fitted("step", 60, 3, **settings)
    assert model.selection_ is None
    assert model.converged_


# The median in the subspace -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ring", "sine"])
def test_the_median_of_projected_rows(kind):
    X, model = planted(kind).X, fitted(kind, bandwidth="median-projected")
    assert model.bandwidth_ == pytest.approx(np.median(pdist(model.transform(X))), rel=1e-3)
    assert model.bandwidth_ < 0.8 * np.median(pdist(X))
    assert model.kernel_ == Gaussian(model.bandwidth_)
    assert model.certificate_.stationarity <= model.tol


# The dimension ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("step", {}),
        ("xor", {"bandwidth": 0.7, "init": "second-moments"}),
        ("ring", {"kernel": Gaussian(1.0)}),
    ],
)
def test_the_dimension_is_the_planted_one(kind, settings):
    X, y, truth = planted(kind, 150, 4)
    model = SupervisedHSIC("auto", objective="dependence", **settings).fit(X, y)
    assert model.n_components_ == truth.shape[1]
    assert model.components_.shape == (truth.shape[1], 4)
    assert degrees(truth, model) < 20
    assert model.bandwidth_ == model.selection_.chosen.bandwidth


@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": "median"},
        {"bandwidth": "median-projected"},
        {"bandwidth": 1.5},
        {"kernel": "linear"},
        {"kernel": Gaussian(1.0) + Linear()},
    ],
)
def test_the_dimension_is_that_of_the_lowest_held_out_loss(settings):
    """With one kernel to a dimension there is one candidate for each start."""
    X, y, _ = planted("ring", 120, 4)
    model = SupervisedHSIC("auto", **settings).fit(X, y)
    chosen, candidates = model.selection_.chosen, model.selection_.candidates
    assert chosen.n_components == model.n_components_ == len(model.components_)
    judged = [c for c in candidates if not np.isnan(c.held_out)]
    dimensions = sorted({c.n_components for c in judged})
    assert dimensions == list(range(1, len(dimensions) + 1))
    of_each = [[c for c in judged if c.n_components == q] for q in dimensions]
    best = [min(some, key=lambda c: c.criterion) for some in of_each]
    assert chosen == min(best, key=lambda c: c.held_out)
    if settings.get("bandwidth") == "median-projected":
        assert model.bandwidth_ == pytest.approx(np.median(pdist(model.transform(X))), rel=1e-3)
    else:
        assert model.bandwidth_ == chosen.bandwidth


def test_no_more_dimensions_than_columns():
    X, y, _ = planted("step", 60, 3)
    model = SupervisedHSIC("auto", kernel=Gaussian(1.0)).fit(X[:, :2], y)
    assert model.n_components_ <= 2


def test_the_eigengap_with_a_bandwidth_that_is_chosen():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 30)  # three equidistant means span two dimensions
    X = 4 * np.eye(3, 6)[y] + rng.standard_normal((90, 6))
    model = SupervisedHSIC("eigengap").fit(X, y)
    assert model.n_components_ == model.selection_.chosen.n_components == 2
    assert model.bandwidth_ == model.selection_.chosen.bandwidth
    assert model.selection_.found_dependence


# Few rows -----------------------------------------------------------------------------------------


def test_below_ten_rows_the_median_is_taken():
    X, y, _ = planted("step", 60, 3)
    few, median = (SupervisedHSIC(1, **s).fit(X[:9], y[:9]) for s in ({}, {"bandwidth": "median"}))
    assert few.selection_ is None
    assert few.bandwidth_ == pytest.approx(np.median(pdist(X[:9])), rel=1e-12)
    assert few.components_.tobytes() == median.components_.tobytes()
    assert SupervisedHSIC(1).fit(X[:10], y[:10]).selection_.n_samples == 10


def test_below_ten_rows_there_is_no_dimension_to_choose():
    X, y, _ = planted("step", 60, 3)
    with pytest.raises(ValueError, match=r"needs at least 10\. Got 9 rows"):
        SupervisedHSIC("auto", bandwidth=1.0).fit(X[:9], y[:9])


# Which rows are held out --------------------------------------------------------------------------


def test_splitters_and_pairs_stand_for_the_same():
    X, y, _ = planted("step", 90, 3)
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    splitter = SupervisedHSIC(1, objective="dependence", cv=folds).fit(X, y)
    pairs = clone(splitter).set_params(cv=list(folds.split(X, y))).fit(X, y)
    assert figures(splitter) == figures(pairs)
    other = clone(splitter).set_params(cv=KFold(2)).fit(X, y).selection_.chosen.held_out
    assert other != splitter.selection_.chosen.held_out


@pytest.mark.parametrize("cv", [1, 0, True, 2.5, None])
def test_what_is_no_way_to_hold_rows_out(cv):
    X, y, _ = planted("step", 60, 3)
    with pytest.raises(ValueError, match="The 'cv' parameter of SupervisedHSIC must be"):
        SupervisedHSIC(1, cv=cv).fit(X, y)


def test_splits_of_nothing():
    X, y, _ = planted("step", 60, 3)
    with pytest.raises(ValueError, match="at least one split"):
        SupervisedHSIC(1, cv=[]).fit(X, y)


# Starts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["phi-zero", "second-moments", "random"])
def test_a_start_by_name_is_the_only_one(name):
    X, y, _ = planted("step", 90, 3)
    model = SupervisedHSIC(1, init=name).fit(X, y)
    assert {c.start for c in model.selection_.candidates} == {name}
    assert model.result_.start == name


def test_a_start_from_components():
    """Xor from its own plane: found at any bandwidth."""
    X, y, truth = planted()
    model = SupervisedHSIC(2, init=truth.T).fit(X, y)
    assert model.result_.start == ARRAY
    assert {c.start for c in model.selection_.candidates} == {ARRAY}
    assert degrees(truth, model) < 12


def test_further_starts_are_random():
    X, y, _ = planted("xor", 90, 6)
    model = SupervisedHSIC(1, objective="dependence", n_init=3).fit(X, y)
    starts = {c.start for c in model.selection_.candidates}  # where they lead to different places
    assert {"path", "random 1", "random 2"} <= starts <= {*STARTS, "random 1", "random 2"}


def test_random_starts_follow_the_seed():
    X, y, _ = planted("product", 120, 6)
    cv = list(KFold(3).split(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # a random start may find nothing
        chosen = [
            SupervisedHSIC(1, init="random", random_state=seed, cv=cv).fit(X, y)
            for seed in (0, 1, 1)
        ]
    assert figures(chosen[0]) != figures(chosen[1])
    assert figures(chosen[1]) == figures(chosen[2])


def test_a_rare_class_among_many_rows_is_seen():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((25_000, 5)), np.zeros(25_000, dtype=int)
    y[rng.choice(25_000, 40, replace=False)] = 1
    X[y == 1, 0] += 4.0
    model = SupervisedHSIC(1).fit(X, y)  # a warning would be an error
    assert abs(model.components_[0, 0]) > 0.95
    assert model.selection_.explained_share > 0.3
