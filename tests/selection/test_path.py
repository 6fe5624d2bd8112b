"""The whole grid of bandwidths and dimensions, against what the estimator chooses on it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.model_selection import KFold

from hsiclearn import SupervisedHSIC, hsic_path
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._selection import median_distance
from hsiclearn._selection.problem import SCALES, bandwidth_grid
from hsiclearn._selection.sample import folds
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Cauchy, Gaussian

LOSSES = ("leave_one_out", "held_out")


def planted(kind, n=120, d=4, seed=0):
    return make_planted(kind, n, d, random_state=seed)


@cache
def ring_path():
    X, y, _ = planted("ring")
    return hsic_path(X, y, n_components=(2, 1, 3), scales=(0.5, 4.0, 1.5))


def small(X, y, **settings):
    """A path that is quick."""
    return hsic_path(X, y, **{"n_components": (1,), "scales": (1.5, 0.5)} | settings)


def assert_same(path, other):
    for name in LOSSES:
        np.testing.assert_allclose(getattr(path, name), getattr(other, name), rtol=1e-6)


def test_one_row_per_dimension_as_given_and_one_column_per_scale_from_the_largest():
    path, (X, _, _) = ring_path(), planted("ring")
    assert path.n_components.tolist() == [2, 1, 3]
    assert path.scales.tolist() == [4.0, 1.5, 0.5]
    assert path.leave_one_out.shape == path.held_out.shape == path.bandwidths.shape == (3, 3)
    median = median_distance(X, np.random.default_rng(0))
    expected = [bandwidth_grid(median, q, 4, path.scales) for q in (2, 1, 3)]
    np.testing.assert_allclose(path.bandwidths, expected, rtol=1e-14)
    assert [len(row) for row in path.starts] == [3, 3, 3]
    assert {start for row in path.starts for start in row} <= {"path", "second-moments"}


def test_all_scales_and_three_dimensions_unless_told_otherwise():
    X, y, _ = planted("step", 40, 3)
    path = hsic_path(X, y)
    assert path.n_components.tolist() == [1, 2, 3]
    assert path.scales.tolist() == list(SCALES)


def test_criterion_is_the_mean_of_both_losses():
    path = ring_path()
    np.testing.assert_array_equal(path.criterion, (path.leave_one_out + path.held_out) / 2)
    np.testing.assert_array_equal(path.explained_share, 1 - path.held_out)
    assert path.leave_one_out.min() > 0
    assert path.held_out.mean() > path.leave_one_out.mean()  # the honest one


def test_the_best_cell_is_the_lowest_criterion_in_its_row_and_the_lowest_held_out_loss():
    path = ring_path()
    row, column = path.best
    assert path.criterion[row, column] == path.criterion[row].min()
    rivals = [path.held_out[i, np.argmin(path.criterion[i])] for i in range(3)]
    assert path.held_out[row, column] == min(rivals)
    assert path.n_components[row] == 2


@pytest.mark.parametrize(
    ("leave_one_out", "held_out", "best"),
    [
        # In the first row J takes the first cell, although HO is lower in the second.
        ([[0.1, 0.6], [0.5, 0.5]], [[0.5, 0.4], [0.9, 0.9]], (0, 0)),
        # Between rows HO takes the second, although J is lower in the first.
        ([[0.1, 0.9], [0.4, 0.9]], [[0.5, 0.9], [0.4, 0.9]], (1, 0)),
        # Of equals the first.
        ([[0.1, 0.1], [0.1, 0.1]], [[0.5, 0.5], [0.5, 0.5]], (0, 0)),
    ],
)
def test_the_best_cell_by_hand(leave_one_out, held_out, best):
    losses = {"leave_one_out": np.array(leave_one_out), "held_out": np.array(held_out)}
    assert replace(ring_path(), **losses).best == best


@pytest.mark.parametrize(("kind", "q"), [("sine", 1), ("ring", 2)])
def test_the_best_cell_is_what_the_estimator_chooses(kind, q):
    """Its HO within 1e-3: starts that meet are one to the estimator, two to the path."""
    X, y, W = planted(kind, 100)
    labels = y if kind == "ring" else None
    cv = folds(100, 3, np.random.default_rng(3), labels)
    path = hsic_path(X, y, n_components=(1, 2, 3, 4), cv=cv)
    model = SupervisedHSIC("auto", objective="dependence", cv=cv).fit(X, y)
    row, column = path.best
    chosen = model.selection_.chosen
    assert path.n_components[row] == model.n_components_ == q
    assert path.bandwidths[row, column] == model.bandwidth_
    assert path.leave_one_out[row, column] == pytest.approx(chosen.leave_one_out, abs=1e-3)
    assert path.held_out[row, column] == pytest.approx(chosen.held_out, abs=1e-3)
    found = path.components[row][column].T
    assert sine_of_largest_angle(found, model.components_.T) < 0.02  # before and after polish
    assert sine_of_largest_angle(found, W) < 0.2


def test_components_are_orthonormal_with_fixed_signs():
    path = ring_path()
    for q, row in zip(path.n_components, path.components, strict=True):
        for components in row:
            assert components.shape == (q, 4)
            np.testing.assert_allclose(components @ components.T, np.eye(q), atol=1e-12)
            largest = np.argmax(np.abs(components), axis=1)
            assert (components[np.arange(q), largest] > 0).all()


def test_two_paths_are_equal_to_the_bit():
    X, y, _ = planted("sine", 60)
    first, second = (small(X, y, random_state=5) for _ in range(2))
    for name in LOSSES:
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    assert first.components[0][0].tobytes() == second.components[0][0].tobytes()
    other = small(X, y, random_state=6)  # other folds
    assert not np.array_equal(first.held_out, other.held_out)


def test_wide_data():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((24, 60))
    path = small(X, X[:, 0] > 0, n_components=(1, 23))
    for q, row in zip((1, 23), path.components, strict=True):
        assert row[0].shape == (q, 60)
        np.testing.assert_allclose(row[0] @ row[0].T, np.eye(q), atol=1e-10)
    assert np.isfinite(path.criterion).all()
    with pytest.raises(ValueError, match=r"in 1 \.\. 23, .* 24 rows and 60 columns"):
        small(X, X[:, 0] > 0, n_components=(1, 24))


def test_wide_data_have_the_grid_of_the_estimator():
    X = np.random.default_rng(1).standard_normal((24, 60))
    X[:, 0] *= 10.0  # enough to be found among 60
    path, model = hsic_path(X, X[:, 0], n_components=1), SupervisedHSIC(1).fit(X, X[:, 0])
    np.testing.assert_allclose(path.bandwidths[0, path.best[1]], model.bandwidth_, rtol=1e-12)


def test_as_many_directions_as_columns_leave_nothing_to_choose():
    X, y, _ = planted("sine", 60)
    path = small(X, y, n_components=(4,))
    np.testing.assert_allclose(path.held_out[0, 0], path.held_out[0, 1], rtol=1e-9)
    one = small(X[:, :1], y)
    np.testing.assert_array_equal(one.components[0][0], [[1.0]])


def test_columns_that_do_not_vary_change_nothing():
    """As in a fit: the grid is that of the others, and their loadings are 0."""
    X, y, _ = planted("sine", 60)
    more = np.insert(X, 1, 7.0, axis=1)
    path, plain = small(more, y), small(X, y)
    np.testing.assert_array_equal(path.bandwidths, plain.bandwidths)
    assert_same(path, plain)
    assert path.components[0][0].shape == (1, 5)
    assert path.components[0][0][0, 1] == 0.0
    model = SupervisedHSIC(1, objective="dependence").fit(more, y)
    assert model.bandwidth_ in hsic_path(more, y, n_components=1).bandwidths


def test_the_answer_does_not_depend_on_what_holds_the_rows():
    X, y, _ = planted("sine", 60)
    plain = small(X, y)
    for table in (
        X.tolist(),
        pd.DataFrame(X, columns=list("abcd")),
        pd.DataFrame(X).astype(object),
        sparse.csr_matrix(X),
        sparse.csc_array(X),
        lambda: iter([X[:25], X[25:]]),
    ):
        assert_same(small(table, pd.Series(y, index=range(100, 160))), plain)
    single = small(X.astype(np.float32), y.tolist())
    np.testing.assert_allclose(single.held_out, plain.held_out, rtol=1e-2)
    assert np.isfinite(small((10 * X).astype(int), y).criterion).all()


def test_targets_of_every_kind():
    X, y, _ = planted("step", 60)
    names = np.array(["no", "yes"])[y]
    plain = small(X, y)
    assert_same(small(X, names), plain)
    assert_same(small(X, pd.Series(names, dtype="category")), plain)
    cv = folds(60, 3, np.random.default_rng(0), y)
    same = (y[:, None] == y).astype(float)
    assert_same(small(X, same, target="precomputed", cv=cv), small(X, y, cv=cv))
    assert_same(small(X, np.eye(2, dtype=int)[y], cv=cv), small(X, y, cv=cv))
    both = np.stack([X[:, 0], y.astype(float)], axis=1)
    assert np.isfinite(small(X, both).criterion).all()


def test_a_splitter_and_pairs_of_indices():
    X, y, _ = planted("sine", 60)
    splitter = KFold(3)
    assert_same(small(X, y, cv=splitter), small(X, y, cv=list(splitter.split(X))))


def test_of_more_rows_some_are_drawn():
    X, y, _ = planted("sine", 200)
    path = small(X, y, max_rows=60)
    assert path.held_out[0].min() > small(X, y).held_out[0].min()
    with pytest.raises(ValueError, match=r"of 200 rows only 60 are"):
        small(X, y, max_rows=60, cv=list(KFold(3).split(X)))


def test_another_kernel():
    X, y, _ = planted("sine", 60)
    path = small(X, y, kernel="cauchy")
    assert not np.allclose(path.leave_one_out, small(X, y).leave_one_out)
    model = SupervisedHSIC(1, kernel=Cauchy(path.bandwidths[0, 1])).fit(X, y)
    assert sine_of_largest_angle(path.components[0][1].T, model.components_.T) < 0.05


X, y, _ = planted("sine", 40)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": (0,)}, r"integers in 1 \.\. 4, .* Got \(0,\)"),
        ({"n_components": (1, 5)}, r"Got \(1, 5\)"),
        ({"n_components": ()}, r"Got \(\)"),
        ({"n_components": (1.0,)}, r"Got \(1.0,\)"),
        ({"n_components": "auto"}, "Got 'auto'"),
        ({"scales": ()}, "at least one"),
        ({"scales": (1.0, 0.0)}, "positive numbers"),
        ({"scales": (1.0, np.nan)}, "positive numbers"),
        ({"scales": (np.inf,)}, "positive numbers"),
        ({"kernel": "linear"}, "has a bandwidth .* Got 'linear'"),
        ({"kernel": "multiquadratic"}, "falls with distance"),
        ({"kernel": "gauss"}, "Got 'gauss'"),
        ({"kernel": Gaussian(1.0)}, r"Got Gaussian\(bandwidth=1.0\)"),
        ({"target": "labels"}, "`target` must be one of .* Got 'labels'"),
        ({"cv": 1}, "`cv` as a number of folds must lie in 2"),
        ({"cv": True}, "`cv` as a number of folds must lie in 2"),
        ({"cv": None}, "Got None"),
        ({"cv": [(np.arange(30), np.arange(30, 41))]}, "indices of the 40 rows .* Got 40"),
        ({"max_rows": 5}, "need 10 of them or more, .* max_rows=5"),
        ({"max_rows": 20.0}, "max_rows an integer"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(ValueError, match=message):
        hsic_path(X, y, **settings)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.where(X > 2, np.nan, X), y, "Input X contains NaN"),
        (np.where(X > 2, np.inf, X), y, "Input X contains infinity"),
        (1e200 * X, y, "squares of X must be finite"),
        (X[:, 0], y, "Expected 2D array"),
        (X + 1j, y, "Complex data"),
        (X, y[:-1], r"each of the 40 rows of X. Got shape \(39,\)"),
        (X, None, r"each of the 40 rows of X. Got shape \(\)"),
        (X, np.where(y > 1, np.nan, y), "Input y contains NaN"),
        (X[:2], y[:2], "need 10 of them or more, .* Got 2 rows"),
    ],
)
def test_bad_tables(X, y, message):
    with pytest.raises(ValueError, match=message):
        hsic_path(X, y)


def test_nothing_that_varies():
    with pytest.raises(DegenerateDataError, match="All 3 columns of X are constant over 40 rows"):
        hsic_path(np.ones((40, 3)), y)
    with pytest.raises(DegenerateDataError, match="y is constant"):
        hsic_path(X, np.ones(40))
