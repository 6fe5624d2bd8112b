"""SupervisedHSIC as its users meet it."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.linalg import subspace_angles
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import Objective, SupervisedHSIC, certify
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn.exceptions import SpreadWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear
from problems import ring, standardised


def angle(first, second):
    return sine_of_largest_angle(first.components_.T, second.components_.T)


def test_fitted_attributes_agree_with_each_other():
    X, y, median = standardised("wine")
    model = SupervisedHSIC(n_components=3, bandwidth="median").fit(X, y)
    objective = Objective(X, ClassTable.centered(y), Gaussian(median))

    assert model.components_.shape == (3, 13)
    assert model.n_components_ == 3
    assert model.bandwidth_ == pytest.approx(np.median(pdist(X)), rel=1e-12)
    assert model.cost_ == pytest.approx(objective.cost(model.components_.T), rel=1e-12)
    assert model.n_iter_ == len(model.result_.history) - 1
    assert model.engine_ == "dense"
    assert model.target_ == "classes"
    assert model.classes_.tolist() == [0, 1, 2]
    again = certify(objective, model.components_.T)
    assert again.curvature == pytest.approx(model.certificate_.curvature, rel=1e-6)
    assert again.second_order is model.certificate_.second_order is True


def test_components_are_the_ordered_eigenvectors_of_phi_with_fixed_signs():
    X, y, _ = standardised("wine")
    model = SupervisedHSIC(n_components=3).fit(X, y)
    W = model.components_.T
    phi = Objective(X, ClassTable.centered(y), model.kernel_).phi(W)
    rayleigh = W.T @ phi @ W

    np.testing.assert_allclose(np.diag(rayleigh), model.eigenvalues_[:3], rtol=1e-6)
    assert np.abs(rayleigh - np.diag(np.diag(rayleigh))).max() <= 1e-6 * np.abs(rayleigh).max()
    assert np.all(W[np.abs(W).argmax(axis=0), np.arange(3)] > 0)


def test_linear_kernel_is_the_closed_form():
    """With k(x, x') = x'WW'x the optimum is the top eigenspace of X' H K_Y H X."""
    X, y, _ = standardised("wine")
    U = np.eye(3)[y] - np.eye(3)[y].mean(axis=0)
    values, vectors = np.linalg.eigh((X.T @ U) @ (U.T @ X))
    model = SupervisedHSIC(n_components=2, kernel="linear").fit(X, y)

    assert sine_of_largest_angle(vectors[:, -2:], model.components_.T) <= 1e-10
    assert model.cost_ == pytest.approx(-values[-2:].sum(), rel=1e-12)
    assert model.n_iter_ == 0


@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")
@pytest.mark.parametrize("name", ["wine", "breast_cancer"])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_row_order_changes_nothing(name, q):
    X, y, median = standardised(name)
    order = np.random.default_rng(0).permutation(len(y))
    settings = {"n_components": q, "bandwidth": median, "tol": 1e-11}
    model = SupervisedHSIC(**settings).fit(X, y)
    shuffled = SupervisedHSIC(**settings).fit(X[order], y[order])
    assert angle(model, shuffled) <= 1e-8


def test_names_of_the_classes_change_nothing():
    X, y = (array[::2] for array in standardised("wine")[:2])
    names = np.array(["zinfandel", "barolo", "merlot"])
    plain = SupervisedHSIC().fit(X, y)
    for labels in (names[y], names[y].astype(object), pd.Series(names[y], dtype="category")):
        model = SupervisedHSIC().fit(X, labels)
        assert model.target_ == "classes"
        assert model.classes_.tolist() == sorted(names)
        assert model.cost_ == pytest.approx(plain.cost_, rel=1e-10)


def test_same_input_same_bytes():
    X, y, _ = standardised("digits")
    settings = {"bandwidth": "median", "n_init": 3}
    first, second = (SupervisedHSIC(**settings).fit(X[:800], y[:800]) for _ in range(2))
    assert first.components_.tobytes() == second.components_.tobytes()


def test_inputs_are_not_written_to():
    X, y, _ = standardised("iris")  # read-only: writing raises
    SupervisedHSIC(n_components=2).fit(X, y).transform(X)


@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")
def test_more_components_than_informative_directions_are_deterministic():
    """Two classes leave one informative direction in Phi(0); the rest must not be noise."""
    X, y, median = standardised("breast_cancer")
    order = np.random.default_rng(1).permutation(len(y))
    settings = {"n_components": 6, "bandwidth": median, "tol": 1e-12}
    model = SupervisedHSIC(**settings).fit(X, y)
    assert angle(model, SupervisedHSIC(**settings).fit(X[order], y[order])) <= 1e-8


def test_real_target_finds_the_direction():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 5))
    y = np.sin(2 * X[:, 3]) + 0.1 * rng.standard_normal(400)
    model = SupervisedHSIC(n_components=1, bandwidth=0.7).fit(X, y)
    assert model.target_ == "real"
    assert abs(model.components_[0, 3]) >= 0.99


def test_several_outputs_share_the_subspace_whatever_their_units():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 5))
    Y = np.column_stack([X[:, 0], 1e6 * X[:, 2]]) + 0.1 * rng.standard_normal((300, 2)) * [1, 1e6]
    model = SupervisedHSIC(n_components=2).fit(X, Y)
    truth = np.eye(5)[:, [0, 2]]
    assert np.degrees(subspace_angles(truth, model.components_.T)).max() <= 6


def test_multilabel_target():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 5))
    model = SupervisedHSIC(n_components=2).fit(X, (X[:, [1, 4]] > 0).astype(int))
    assert model.target_ == "multilabel"
    assert np.degrees(subspace_angles(np.eye(5)[:, [1, 4]], model.components_.T)).max() <= 12


def test_precomputed_target_equals_the_classes_it_is_made_of():
    X, y, _ = standardised("wine")
    Y = np.eye(3)[y]
    classes = SupervisedHSIC().fit(X, y)
    kernel = SupervisedHSIC(target="precomputed").fit(X, Y @ Y.T)
    assert kernel.cost_ == pytest.approx(classes.cost_, rel=1e-10)
    assert angle(classes, kernel) <= 1e-5


def test_balanced_weights_equal_reweighted_one_hot_columns():
    X, y, median = standardised("breast_cancer")
    counts = np.bincount(y)
    weights = len(y) / (2 * counts)
    Y = np.eye(2)[y] * np.sqrt(weights)
    U = Y - Y.mean(axis=0)
    model = SupervisedHSIC(bandwidth=median, class_weight="balanced").fit(X, y)
    objective = Objective(X, U @ U.T, Gaussian(median))
    assert model.cost_ == pytest.approx(objective.cost(model.components_.T), rel=1e-10)
    by_hand = SupervisedHSIC(bandwidth=median, class_weight=dict(enumerate(weights))).fit(X, y)
    assert by_hand.components_.tobytes() == model.components_.tobytes()


def test_eigengap_picks_the_dimension_of_a_planted_subspace():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 60)  # four equidistant means span three dimensions
    X = 4 * np.eye(4, 8)[y] + rng.standard_normal((240, 8))
    model = SupervisedHSIC(n_components="eigengap").fit(X, y)
    assert model.n_components_ == 3
    assert model.components_.shape == (3, 8)


def test_wide_data_are_solved_exactly():
    """40 x 200: the reduced problem has the cost and the certificate of the full one."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    X = rng.standard_normal((40, 200)) + np.eye(3, 200)[y] * 6
    model = SupervisedHSIC(n_components=2).fit(X, y)
    full = certify(Objective(X, ClassTable.centered(y), model.kernel_), model.components_.T)
    assert full.stationarity <= 1e-6
    assert full.second_order
    assert full.orthogonality <= 1e-12
    assert full.curvature == pytest.approx(model.certificate_.curvature, rel=0.2)


@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")
def test_wide_data_may_leave_the_row_space():
    """At a tiny bandwidth with q > c - 1 a direction that hurts is best spent on nothing."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 15)
    X = rng.standard_normal((30, 100)) + 8.0 * np.eye(1, 100) * y[:, None]
    model = SupervisedHSIC(n_components=3, bandwidth=0.5).fit(X, y)
    objective = Objective(X, ClassTable.centered(y), model.kernel_)
    full = certify(objective, model.components_.T)
    assert full.second_order
    assert full.stationarity <= 1e-6


def test_constant_columns_get_zero_loadings():
    X, y, _ = standardised("wine")
    with_constants = np.insert(X, [2, 7], 5.0, axis=1)
    for kernel in ("gaussian", "polynomial"):
        plain = SupervisedHSIC(kernel=kernel).fit(X, y)
        model = SupervisedHSIC(kernel=kernel).fit(with_constants, y)
        assert np.all(model.components_[:, [2, 8]] == 0.0)
        rest = np.delete(model.components_, [2, 8], axis=1)
        np.testing.assert_allclose(rest, plain.components_, atol=1e-12)


def test_as_many_components_as_features():
    X, y, _ = standardised("iris")
    model = SupervisedHSIC(n_components=4, objective="dependence").fit(X, y)
    assert model.converged_
    assert model.certificate_.curvature == np.inf
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(4), atol=1e-12)


def test_inverse_transform_projects_on_the_affine_subspace():
    X, y, _ = standardised("iris")
    X = X + np.array([3.0, -2.0, 0.0, 1.0])
    model = SupervisedHSIC(n_components=2).fit(X, y)
    projected = model.transform(X)
    restored = model.inverse_transform(projected)
    np.testing.assert_allclose(model.transform(restored), projected, atol=1e-12)
    P = model.components_.T @ model.components_
    np.testing.assert_allclose(restored, X.mean(axis=0) + (X - X.mean(axis=0)) @ P, atol=1e-12)


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output(container):
    X, y, _ = standardised("iris")
    frame = pd.DataFrame(X, columns=list("abcd")) if container == "pandas" else pl.DataFrame(X)
    out = SupervisedHSIC().set_output(transform=container).fit_transform(frame, y)
    assert list(out.columns) == ["supervisedhsic0", "supervisedhsic1"]
    assert isinstance(out, pd.DataFrame if container == "pandas" else pl.DataFrame)


def test_pickle_and_clone():
    X, y, _ = standardised("iris")
    model = SupervisedHSIC(kernel=Gaussian(2.0) + 0.5 * Linear()).fit(X, y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.transform(X), model.transform(X))
    assert restored.certificate_ == model.certificate_
    assert clone(model).get_params() == model.get_params()


def test_a_pickled_model_does_not_carry_the_data():
    X, y = (array[:300] for array in standardised("breast_cancer")[:2])
    with pytest.warns(SpreadWarning, match="Component 2 hardly varies beside the bandwidth"):
        model = SupervisedHSIC().fit(X, y)
    assert len(pickle.dumps(model)) < 60_000 < X.nbytes


def test_two_rows_that_carry_a_direction_are_told():
    X = np.random.default_rng(0).standard_normal((300, 2)) * [1.0, 0.005]
    y = X[:, 0] > 0
    X[[17, 142], 1] = [2.0, -1.5]
    with pytest.warns(SpreadWarning, match=r"Component 2 is carried by 2 of 300 rows") as record:
        model = SupervisedHSIC(2, bandwidth=1.0).fit(X, y)
    assert record[0].filename == __file__
    assert model.spread_.carriers[1].tolist() == [17, 142]


def test_in_a_grid_search():
    X, y, _ = standardised("wine")
    pipeline = make_pipeline(StandardScaler(), SupervisedHSIC(), KNeighborsClassifier())
    search = GridSearchCV(
        pipeline, {"supervisedhsic__bandwidth": [1.0, "median"]}, cv=3, n_jobs=2
    ).fit(X, y)
    assert search.best_score_ > 0.9


def test_init_from_components_of_another_fit():
    X, y, median = standardised("wine")
    first = SupervisedHSIC(bandwidth=median).fit(X, y)
    again = SupervisedHSIC(bandwidth=median, init=first.components_).fit(X, y)
    assert again.n_iter_ == 0
    assert angle(first, again) <= 1e-8
    assert again.result_.start == "array"


def test_more_starts_find_what_means_cannot_see():
    X, y, truth = ring()
    one = SupervisedHSIC(bandwidth=1.0).fit(X, y)
    many = SupervisedHSIC(bandwidth=1.0, n_init=3).fit(X, y)
    assert many.cost_ <= one.cost_
    assert np.degrees(subspace_angles(truth, many.components_.T)).max() <= 15


def test_verbose_prints_the_choice_and_a_line_per_step(capsys):
    X, y, _ = standardised("iris")
    model = SupervisedHSIC(objective="dependence", verbose=1).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    titles = [line for line in lines if not line.startswith(" ")]
    choosing, holding, chosen, solving, *_ = titles
    assert choosing == "choosing, 2 dimensions"
    assert holding.startswith("holding rows out, 2 dimensions, after ")
    assert chosen.startswith(f"chosen on 150 rows: bandwidth {model.bandwidth_:.4g}, q = 2, start ")
    assert solving.startswith("150 rows, dense engine, after ")
    assert sum("bandwidth" in line and "start" in line for line in lines[: lines.index(chosen)]) > 4
    steps = [line for line in lines if "gradient" in line]
    assert len(steps) == len(model.result_.history)


def test_who_listens_has_no_part_in_the_answer(capsys):
    X, y = (array[::2] for array in standardised("iris")[:2])
    silent, told = (SupervisedHSIC("auto", verbose=verbose).fit(X, y) for verbose in (0, 1))
    assert silent.components_.tobytes() == told.components_.tobytes()
    assert repr(silent.selection_.candidates) == repr(told.selection_.candidates)  # NaN among them
    assert capsys.readouterr().out
