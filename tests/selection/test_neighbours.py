"""Neighbours of rows held out, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from hsiclearn import SupervisedHSIC
from hsiclearn._selection import Neighbours
from hsiclearn._selection.neighbours import neighbours_held_out
from hsiclearn._selection.sample import folds

rng = np.random.default_rng(0)
N = 90
X = rng.standard_normal((N, 4)) + 1e6  # far from 0: distances must keep their digits
Z = X[:, :2] - 1e6
SPLITS = folds(N, 3, np.random.default_rng(1))
CODES = (Z[:, 0] > 0) + (Z[:, 1] > 0.5).astype(int)
TARGETS = {
    "classes": CODES,
    "real": np.column_stack([Z[:, 0] ** 2, 100.0 * Z[:, 1]]),
    "multilabel": np.column_stack([Z[:, 0] > 0.5, Z[:, 1] > 1.0]).astype(float),
}


def by_hand(S, y, target, k):
    """Predictions for the rows held out, by scikit-learn, in the order of the splits."""
    cls = KNeighborsRegressor if target == "real" else KNeighborsClassifier
    fits = [cls(k, algorithm="brute").fit(S[train], y[train]) for train, _ in SPLITS]
    return np.concatenate([m.predict(S[test]) for m, (_, test) in zip(fits, SPLITS, strict=True)])


@pytest.mark.parametrize("target", TARGETS)
def test_figures_are_those_of_scikit_learn(target):
    y = TARGETS[target]
    found = neighbours_held_out(X, [Z] * 3, y, target, SPLITS)
    truth = np.concatenate([y[test] for _, test in SPLITS])

    def figure(S):
        predicted = by_hand(S, y, target, 12)
        if target == "real":
            return r2_score(truth, predicted, multioutput="uniform_average")
        return np.mean(predicted == truth)

    assert found.n_neighbors == 12  # a fifth of 60
    assert found.measure == ("R^2" if target == "real" else "accuracy")
    assert found.in_subspace == pytest.approx(figure(Z), rel=1e-12)
    assert found.on_all_columns == pytest.approx(figure(X - 1e6), rel=1e-12)


def test_chance_is_the_most_frequent_class_and_the_mean():
    figures = {
        name: neighbours_held_out(X, [Z] * 3, y, name, SPLITS).chance for name, y in TARGETS.items()
    }
    assert figures["real"] == 0.0
    assert figures["classes"] == pytest.approx(np.bincount(CODES).max() / N)
    shares = TARGETS["multilabel"].mean(axis=0)
    assert figures["multilabel"] == pytest.approx(np.mean(np.maximum(shares, 1.0 - shares)))


@pytest.mark.parametrize(("n", "k"), [(8, 1), (30, 4), (111, 14), (120, 15), (300, 15)])
def test_fewer_neighbours_where_rows_are_few(n, k):
    few = rng.standard_normal((n, 1))
    splits = folds(n, 3, np.random.default_rng(0))
    found = neighbours_held_out(few, [few] * 3, few, "real", splits)
    assert found.n_neighbors == k


def test_the_figure_people_know_stands_beside_the_share_in_the_feature_space():
    """A noisy target of which a line knows half: the share explained is less than half of that."""
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((300, 6))
    y = np.exp(rows[:, 0]) + 1.2 * generator.standard_normal(300)
    selection = SupervisedHSIC(1).fit(rows, y).selection_
    known = selection.neighbours
    assert known.in_subspace > 0.45 > 0.3 > selection.explained_share
    assert known.in_subspace > known.on_all_columns + 0.1
    assert f"15-NN R^2 {known.in_subspace:.2f} in this direction, " in selection.in_words()


def test_the_unit_of_y_does_not_matter():
    y = TARGETS["real"]
    figures = [
        neighbours_held_out(X, [Z] * 3, unit * y, "real", SPLITS)
        for unit in (1.0, 2.0**900, 2e-200)
    ]
    assert figures[0] == figures[1]
    assert figures[2].in_subspace == pytest.approx(figures[0].in_subspace, rel=1e-12)


def test_in_words():
    known = Neighbours(1, "accuracy", 0.5, -0.001, 0.125)
    assert known.in_words() == (
        "1-NN accuracy 0.50 in the subspace, 0.00 on all columns, 0.12 by chance"
    )
    assert known.in_words(2, 1300).startswith(
        "1-NN accuracy 0.50 in these 2 directions, 0.00 on all 1,300 columns"
    )
    assert Neighbours(15, "R^2", 0.5, 0.2, 0.0).in_words(1, 3) == (
        "15-NN R^2 0.50 in this direction, 0.20 on all 3 columns"
    )


@pytest.mark.parametrize("target", TARGETS)
def test_neighbours_vote_and_rows_count_by_weight(target):
    y, v = TARGETS[target], rng.integers(1, 5, N).astype(float)
    found = neighbours_held_out(X, [Z] * 3, y, target, SPLITS, weights=v)
    known = np.eye(3)[y] if target == "classes" else y
    told = []
    for train, test in SPLITS:
        apart = np.linalg.norm(Z[test][:, None] - Z[train], axis=2)
        near = train[np.argsort(apart, axis=1)[:, :12]]
        told.append(np.einsum("ik,ikr->ir", v[near], known[near]) / v[near].sum(axis=1)[:, None])
    told, tests = np.concatenate(told), np.concatenate([test for _, test in SPLITS])
    truth, often = known[tests], v[tests]
    if target == "real":
        expected = r2_score(truth, told, sample_weight=often)
    elif target == "classes":
        expected = np.average(told.argmax(axis=1) == truth.argmax(axis=1), weights=often)
    else:
        expected = np.average((told > 0.5) == truth, axis=0, weights=often).mean()
    assert found.in_subspace == pytest.approx(expected, rel=1e-10)
    assert found.in_subspace != neighbours_held_out(X, [Z] * 3, y, target, SPLITS).in_subspace
