"""Rows on a map that was drawn without them."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import ortho_group
from sklearn.model_selection import ShuffleSplit

from hsiclearn import SupervisedHSIC
from hsiclearn._selection.sample import folds
from hsiclearn._selection.selection import positions_held_out
from hsiclearn.datasets import make_planted


def test_a_rotated_and_shifted_map_is_put_back_in_place():
    rng = np.random.default_rng(0)
    F = rng.standard_normal((40, 3)) + 5.0
    splits = folds(40, 4, rng)
    turned = [(F - rng.standard_normal(3)) @ ortho_group.rvs(3, random_state=k) for k in range(4)]
    index = np.sort(rng.choice(1000, 40, replace=False))
    found = positions_held_out(turned, F, splits, index)
    np.testing.assert_array_equal(found.rows, index)
    np.testing.assert_allclose(found.Z, F, atol=1e-12)


def test_rows_held_out_do_not_move_the_map_and_count_the_first_time():
    rng = np.random.default_rng(1)
    F = rng.standard_normal((20, 2))
    far = F.copy()
    far[15] += 1e3  # held out: it moves alone
    everything = np.arange(20)
    splits = [(everything[:15], everything[15:]), (everything[5:], everything[:7])]
    found = positions_held_out([far, F], F, splits, everything)
    np.testing.assert_array_equal(found.rows, [*range(7), *range(15, 20)])
    np.testing.assert_allclose(found.Z[8:], F[16:], atol=1e-12)
    np.testing.assert_allclose(found.Z[7], F[15] + 1e3, atol=1e-9)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_every_row_once_and_no_perfect_map_of_noise(make):
    """64 rows, 500 columns: classes lie apart where they were fitted, and only there."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((64, 500)), np.arange(64) % 2
    with pytest.warns(UserWarning, match="No dependence found"):
        model = SupervisedHSIC(1).fit(make(X), y)
    found = model.selection_.out_of_fold
    np.testing.assert_array_equal(found.rows, np.arange(64))
    fitted = model.transform(X)[:, 0]

    def apart(z):
        return abs(z[y == 0].mean() - z[y == 1].mean()) / z.std()

    assert apart(fitted) > 1.9
    assert apart(found.Z[:, 0]) < 0.8


def test_positions_are_on_the_axes_of_transform():
    X, y, _ = make_planted("ring", 200, 4, random_state=0)
    X = np.column_stack([X + 100.0, np.full(200, 3.0)])  # a constant column, and far from 0
    model = SupervisedHSIC(2, objective="dependence").fit(X, y)
    found = model.selection_.out_of_fold
    np.testing.assert_array_equal(found.rows, np.arange(200))
    assert np.abs(found.Z - model.transform(X)).max() < 0.5
    assert np.abs(found.Z - model.transform(X)).max() > 1e-3  # not those of the fit itself


def test_a_splitter_that_leaves_rows_out_never_holds_them_out():
    X, y, _ = make_planted("step", 120, 3, random_state=0)
    cv = ShuffleSplit(2, test_size=0.25, random_state=0)
    model = SupervisedHSIC(1, cv=cv).fit(X, y)
    held_out = np.unique(np.concatenate([test for _, test in cv.split(X)]))
    np.testing.assert_array_equal(model.selection_.out_of_fold.rows, held_out)
    selection = model.selection_
    assert selection.n_held_out == selection.neighbours.n_held_out == held_out.size < 60


def test_a_kernel_of_y_has_positions_but_nothing_for_neighbours_to_know():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    K = np.equal.outer(y, y).astype(float)
    selection = SupervisedHSIC(1, target="precomputed").fit(X, K).selection_
    assert selection.neighbours is None
    assert selection.out_of_fold.Z.shape == (60, 1)
