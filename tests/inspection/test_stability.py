"""How far a subspace turns on resampled rows."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DegenerateDataError, SpreadWarning
from hsiclearn.inspection import bootstrap_stability

X, y, _ = make_planted("ring", 150, 4)


@cache
def fitted():
    return SupervisedHSIC(2, objective="dependence").fit(X, y)


@cache
def stable():
    return bootstrap_stability(fitted(), X, y, n_resamples=12)


def test_a_row_of_angles_per_resample_in_ascending_order():
    assert stable().angles.shape == (12, 2)
    assert stable().components.shape == (12, 2, 4)
    assert (np.diff(stable().angles, axis=1) >= 0).all()
    assert stable().angles.min() >= 0
    assert 0 < stable().angles.max() < 45
    assert stable().typical_angle == np.median(stable().angles.max(axis=1))


def test_angles_are_those_between_the_components():
    for angles, components in zip(stable().angles, stable().components, strict=True):
        expected = np.degrees(subspace_angles(components.T, fitted().components_.T))
        np.testing.assert_allclose(angles, np.sort(expected), rtol=1e-6, atol=1e-6)


def test_components_are_orthonormal_and_as_near_as_they_can_be():
    """No turn of the basis brings them nearer: W' reference is symmetric and positive."""
    for components in stable().components:
        np.testing.assert_allclose(components @ components.T, np.eye(2), atol=1e-12)
        overlap = components @ fitted().components_.T
        np.testing.assert_allclose(overlap, overlap.T, atol=1e-10)
        assert np.linalg.eigvalsh(overlap).min() > 0


def test_a_resample_by_hand():
    """The first one: rows drawn with replacement, same kernel, from the answer."""
    index = np.random.default_rng(0).integers(0, 150, 150)
    again = SupervisedHSIC(2, kernel=fitted().kernel_, init=fitted().components_).fit(
        X[index], y[index]
    )
    expected = np.degrees(subspace_angles(again.components_.T, fitted().components_.T))
    np.testing.assert_allclose(stable().angles[0], np.sort(expected), rtol=1e-6)


def test_a_warm_refit_starts_from_the_answer():
    """XOR, where the start of a fit with this kernel alone leads elsewhere."""
    table, target, _ = make_planted("xor", 150, 6, random_state=2)
    model = SupervisedHSIC(2).fit(table, target)
    cold = SupervisedHSIC(2, kernel=model.kernel_)
    found = bootstrap_stability(model, table, target, n_resamples=2)
    rng = np.random.default_rng(0)
    _, index = (rng.integers(0, 150, 150) for _ in range(2))
    elsewhere = cold.fit(table[index], target[index]).components_
    assert np.degrees(subspace_angles(elsewhere.T, model.components_.T)).max() > 60
    assert found.angles[1].max() < 20


def test_spread_is_the_standard_deviation_of_every_loading():
    mean = sum(stable().components) / 12
    expected = np.sqrt(sum((one - mean) ** 2 for one in stable().components) / 12)
    np.testing.assert_allclose(stable().loading_spread, expected, rtol=1e-10)
    assert stable().loading_spread.shape == fitted().components_.shape


def test_deterministic_by_seed():
    again = bootstrap_stability(fitted(), X, y, n_resamples=12)
    assert again.angles.tobytes() == stable().angles.tobytes()
    other = bootstrap_stability(fitted(), X, y, n_resamples=12, random_state=1)
    assert not np.array_equal(other.angles, stable().angles)


@pytest.mark.parametrize("refit", ["warm", "whole"])
def test_the_model_is_not_changed(refit):
    before = pickle.dumps(fitted())
    bootstrap_stability(fitted(), X, y, n_resamples=1, refit=refit)
    assert pickle.dumps(fitted()) == before


def test_more_rows_make_it_firmer():
    few, many = (make_planted("sine", n, 4, random_state=1) for n in (60, 600))
    angles = []
    for table, target, _ in (few, many):
        model = SupervisedHSIC(1, bandwidth=0.6).fit(table, target)
        angles.append(bootstrap_stability(model, table, target, n_resamples=15).typical_angle)
    assert angles[1] < 0.6 * angles[0]


def test_a_strong_signal_is_firm():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((150, 4)) * [1.0, 0.01, 0.01, 0.01]
    model = SupervisedHSIC(1, bandwidth=1.0).fit(table, table[:, 0])
    assert bootstrap_stability(model, table, table[:, 0], n_resamples=8).angles.max() < 1
    with pytest.warns(SpreadWarning, match="Components 2, 3, 4 hardly vary"):
        whole_space = SupervisedHSIC(4, bandwidth=1.0).fit(table, table[:, 0])
    found = bootstrap_stability(whole_space, table, table[:, 0], n_resamples=3)
    np.testing.assert_allclose(found.angles, 0.0, atol=1e-6)


def test_noise_is_not_as_firm_as_a_signal():
    table, target, _ = make_planted("sine", 100, 5)
    angles = []
    for one in (target, np.random.default_rng(0).permutation(target)):
        model = SupervisedHSIC(1, bandwidth=0.6).fit(table, one)
        angles.append(bootstrap_stability(model, table, one, n_resamples=15).typical_angle)
    assert angles[1] > 3 * angles[0]


@pytest.mark.long
def test_a_whole_refit_chooses_anew():
    table, target, _ = make_planted("sine", 100, 4)
    model = SupervisedHSIC(1).fit(table, target)
    warm, whole = (
        bootstrap_stability(model, table, target, n_resamples=4, refit=refit)
        for refit in ("warm", "whole")
    )
    assert whole.angles.shape == warm.angles.shape
    assert not np.allclose(whole.angles, warm.angles, rtol=1e-3)
    assert whole.typical_angle < 3 * warm.typical_angle + 1
    index = np.random.default_rng(0).integers(0, 100, 100)
    again = SupervisedHSIC(1).fit(table[index], target[index])
    expected = np.degrees(subspace_angles(again.components_.T, model.components_.T))
    np.testing.assert_allclose(whole.angles[0], expected, rtol=1e-6)


def test_a_dimension_that_was_chosen_stays():
    table, target, _ = make_planted("step", 60, 3)
    model = SupervisedHSIC("auto").fit(table, target)
    found = bootstrap_stability(model, table, target, n_resamples=2, refit="whole")
    assert found.angles.shape == (2, model.n_components_)


def test_a_pipeline_is_as_good_as_its_last_step():
    scale = 10.0 ** np.arange(4)
    table = pd.DataFrame(X * scale, columns=list("abcd"))
    model = make_pipeline(StandardScaler(), SupervisedHSIC(2, bandwidth=1.0)).fit(table, y)
    found = bootstrap_stability(model, table, y, n_resamples=3)
    rows = model[0].transform(table)
    assert (
        found.angles.tobytes()
        == bootstrap_stability(model[-1], rows, y, n_resamples=3).angles.tobytes()
    )


@pytest.mark.parametrize(
    "make", [np.ndarray.tolist, pd.DataFrame, sparse.csr_matrix, sparse.csc_array]
)
def test_the_answer_does_not_depend_on_what_holds_the_rows(make):
    target = pd.Series(np.array(["in", "out"])[y], index=range(150, 300))
    model = SupervisedHSIC(2, kernel=fitted().kernel_, init=fitted().components_).fit(X, target)
    found = bootstrap_stability(model, make(X), target, n_resamples=2)
    np.testing.assert_allclose(found.angles, stable().angles[:2], rtol=1e-2)


def test_targets_of_other_kinds():
    same = (y[:, None] == y).astype(float)
    model = SupervisedHSIC(2, kernel=fitted().kernel_, target="precomputed").fit(X, same)
    found = bootstrap_stability(model, X, same, n_resamples=2)
    np.testing.assert_allclose(found.angles, stable().angles[:2], rtol=1e-2)
    both = np.stack([X[:, 0], X[:, 1] ** 2], axis=1)
    model = SupervisedHSIC(2, bandwidth=1.0).fit(X, both)
    assert bootstrap_stability(model, X, both, n_resamples=2).angles.shape == (2, 2)


def test_columns_that_a_resample_makes_constant():
    table = np.hstack([X[:40], np.eye(40)[:, :2]])  # each in a single row
    model = SupervisedHSIC(2, bandwidth=1.0).fit(table, y[:40])
    found = bootstrap_stability(model, table, y[:40], n_resamples=6)
    assert np.isfinite(found.angles).all()


@pytest.mark.usefixtures("without_refits")
def test_clusterers_are_refused():
    model = UnsupervisedHSIC(2, 1, init="identity").fit(X[:40])
    with pytest.raises(TypeError, match=r"Need a SupervisedHSIC: .* Got UnsupervisedHSIC"):
        bootstrap_stability(model, X[:40], model.labels_)


def test_a_class_that_a_resample_misses():
    lonely = (np.arange(150) == 0).astype(int)
    model = SupervisedHSIC(1, bandwidth=1.0).fit(X, lonely)
    with pytest.raises(DegenerateDataError, match="Rows drawn with replacement must still vary"):
        bootstrap_stability(model, X, lonely, n_resamples=20)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"refit": "cold"}, "`refit` must be 'warm' or 'whole'. Got 'cold'"),
        ({"n_resamples": 0}, "`n_resamples` must be an integer >= 1. Got 0"),
        ({"n_resamples": 2.5}, "Got 2.5"),
        ({"y": y[:-1]}, r"y must have shape \(150,\), .* Got \(149,\)"),
        ({"y": np.append(y, 0)}, r"Got \(151,\)"),
        ({"X": X[:, :3]}, "expecting 4 features"),
        ({"X": np.where(X > 2, np.nan, X)}, "X contains NaN"),
    ],
)
def test_bad_input(settings, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_stability(**{"model": fitted(), "X": X, "y": y} | settings)


def test_a_kernel_matrix_is_asked_for_where_one_was_given():
    model = SupervisedHSIC(1, bandwidth=1.0, target="precomputed").fit(X, X @ X.T)
    with pytest.raises(ValueError, match=r"y must have shape \(150, 150\)"):
        bootstrap_stability(model, X, y)
    with pytest.raises(NotFittedError):
        bootstrap_stability(SupervisedHSIC(), X, y)


def test_a_model_of_an_early_file_has_no_metric():
    early = pickle.loads(pickle.dumps(fitted()))
    del early.metric_, early.objective_
    found = bootstrap_stability(early, X, y, n_resamples=2)
    np.testing.assert_array_equal(found.angles, stable().angles[:2])
