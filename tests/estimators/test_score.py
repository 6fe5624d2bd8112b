"""``score`` and ``groups``: what scikit-learn's tools ask of an estimator."""

from dataclasses import replace

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_wine
from sklearn.metrics import r2_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneGroupOut,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn._selection.ridge import SubspaceRidge
from hsiclearn.datasets import make_planted

SINE = make_planted("sine", 300, 4, random_state=0)
FAST = {"bandwidth": 0.7, "n_init": 3}


def test_a_quantity_is_scored_by_r_squared():
    X, y, _ = SINE
    model = SupervisedHSIC(1, **FAST).fit(X[:200], y[:200])
    Z = (X - model.mean_) @ model.components_.T
    predicted = SubspaceRidge(Z[:200], y[:200, None]).predict(Z[200:])
    expected = r2_score(y[200:], predicted[:, 0])
    assert model.score(X[200:], y[200:]) == pytest.approx(expected, abs=1e-5)
    assert expected > 0.8


def test_neither_unit_nor_place_of_the_rows_or_of_y_matter():
    X, y, _ = SINE
    score = SupervisedHSIC(1, **FAST).fit(X[:200], y[:200]).score(X[200:], y[200:])
    moved = SupervisedHSIC(1, **FAST).fit(X[:200] + 1e6, 1e200 * y[:200])
    assert moved.score(X[200:] + 1e6, 1e200 * y[200:]) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("names", [np.arange(3), np.array(["a", "b", "c"], dtype=object)])
def test_classes_are_scored_one_hot(names):
    X, codes = load_wine(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), names[codes]
    model = SupervisedHSIC(2, bandwidth="median").fit(X[::2], y[::2])
    Z = (X - model.mean_) @ model.components_.T
    Y = np.eye(3)[codes]
    missed = SubspaceRidge(Z[::2], Y[::2]).error(Z[1::2], Y[1::2])
    total = np.square(Y[1::2] - Y[1::2].mean(axis=0)).sum()
    # Features of the ridge are exact to 1e-6; rounding of Z moves which ones are taken.
    assert model.score(X[1::2], y[1::2]) == pytest.approx(1.0 - missed / total, abs=1e-5)
    assert model.score(X[1::2], y[1::2]) > 0.8


def test_a_class_that_was_never_seen_is_missed():
    X, y, _ = make_planted("step", 100, 3, random_state=0)
    model = SupervisedHSIC(1, **FAST).fit(X, y)
    assert model.score(X, np.where(y == 0, 0, 7)) < model.score(X, y) - 0.3


def test_labels_of_another_type_are_refused():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    model = SupervisedHSIC(1, **FAST).fit(X, y)
    with pytest.raises(ValueError, match=r"none of those in y was seen.*\['0', '1'\].*\[0, 1\]"):
        model.score(X, y.astype(str))
    assert model.score(X, y.astype(float)) == model.score(X, y)


@pytest.mark.parametrize("target", ["classes", "real"])
def test_many_rows_are_scored_in_blocks(monkeypatch, target):
    X, y, _ = make_planted("step", 150, 3, random_state=0)
    y = y if target == "classes" else X[:, :2] * [1.0, 1e6] + [0.0, 1e9]
    model = SupervisedHSIC(1, **FAST).fit(X, y)
    whole = model.score(X, y)
    monkeypatch.setattr("hsiclearn._selection.known._BLOCK", 40)
    assert model.score(X, y) == pytest.approx(whole, rel=1e-12)


def test_of_one_class_or_value_there_is_nothing_to_explain():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    assert SupervisedHSIC(1, **FAST).fit(X, y).score(X, np.zeros(60, dtype=int)) == 0.0
    assert SupervisedHSIC(1, **FAST).fit(X, X[:, 0]).score(X, np.full(60, 0.1)) == 0.0


def test_several_columns_and_labels():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4))
    Y = np.column_stack([X[:, 0], 1e-9 * X[:, 1]])
    model = SupervisedHSIC(2, **FAST).fit(X[:100], Y[:100])
    assert model.score(X[100:], Y[100:]) > 0.8
    labels = (Y > 0).astype(int)
    assert SupervisedHSIC(2, **FAST).fit(X[:100], labels[:100]).score(X[100:], labels[100:]) > 0.4


def test_a_kernel_of_y_has_no_score():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    model = SupervisedHSIC(1, target="precomputed", **FAST).fit(X, np.equal.outer(y, y) * 1.0)
    with pytest.raises(ValueError, match="needs the target itself"):
        model.score(X, y)


def test_a_model_without_rows_has_no_score():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    model = SupervisedHSIC(1, **FAST).fit(X, y)
    del model.known_rows_  # as of an earlier version
    with pytest.raises(ValueError, match=r"predicts from rows of the fit .* Fit it again"):
        model.score(X, y)


def test_what_a_fit_holds_can_be_compared_and_hashed():
    X, y, _ = SINE
    model = SupervisedHSIC(1, max_iter=200).fit(X[:60], y[:60])
    for record in (model.known_rows_, model.spread_, model.selection_.out_of_fold):
        assert record == record
        assert record != replace(record)
        assert len({record, record}) == 1


def test_a_grid_search_needs_no_scorer():
    X, y, _ = SINE
    pipeline = make_pipeline(StandardScaler(), SupervisedHSIC(1, n_init=3))
    search = GridSearchCV(pipeline, {"supervisedhsic__bandwidth": [0.5, 50.0]}, cv=2).fit(X, y)
    assert search.best_params_ == {"supervisedhsic__bandwidth": 0.5}
    assert search.best_score_ > 0.8


GROUPS = np.repeat(np.arange(30), 4)


def copies():
    """30 rows of noise, each four times over with its label: only the copies tell anything."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((30, 8)), 4, axis=0) + 1e-3 * rng.standard_normal((120, 8))
    return X, np.repeat(rng.standard_normal(30), 4)


def test_copies_of_a_row_are_no_evidence_where_groups_are_told():
    X, y = copies()
    assert SupervisedHSIC(1).fit(X, y).selection_.explained_share > 0.4
    with pytest.warns(UserWarning, match="No dependence found"):
        model = SupervisedHSIC(1).fit(X, y, groups=GROUPS)
    assert model.selection_.explained_share < 0.02
    assert model.selection_.out_of_fold.rows.size == 120
    assert model.selection_.n_held_out == 30  # four copies are one piece of evidence


def measured(rng, n, times, deviation=1e-3):
    """n subjects measured several times over, and ``y = 2 sin(x_0)`` plus noise of each subject."""
    X = rng.standard_normal((n, 5))
    y = 2.0 * np.sin(X[:, 0]) + rng.standard_normal(n)
    many = np.repeat(X, times, axis=0)
    return many + deviation * rng.standard_normal(many.shape), np.repeat(y, times)


def test_dependence_is_found_among_copies_as_it_is_without_them():
    rng = np.random.default_rng(0)
    X, y = measured(rng, 60, 5)
    groups = np.repeat(np.arange(60), 5)
    model = SupervisedHSIC(1).fit(X, y, groups=groups)
    alone = SupervisedHSIC(1).fit(X[::5], y[::5])
    assert model.selection_.found_dependence
    assert model.selection_.explained_share == pytest.approx(
        alone.selection_.explained_share, abs=0.1
    )
    assert abs(model.components_[0, 0]) > 0.9
    new = measured(rng, 400, 1)
    assert model.score(*new) == pytest.approx(alone.score(*new), abs=0.1)
    assert model.score(*new) > 0.2


def test_groups_without_rows_held_out_are_warned_about():
    X, y, _ = make_planted("step", 60, 3, random_state=0)
    with pytest.warns(UserWarning, match=r"groups had no part in this fit.*bandwidth='auto'"):
        SupervisedHSIC(1, **FAST).fit(X, y, groups=np.arange(60) // 2)


class Recording(LeaveOneGroupOut):
    """Notes what it was passed."""

    def split(self, X, y, groups):
        self.groups = groups
        return super().split(X, y, groups)


def test_groups_reach_a_splitter():
    X, y, _ = make_planted("step", 90, 3, random_state=0)
    groups = np.repeat(["a", "b", "c"], 30)
    splitter = Recording()
    SupervisedHSIC(1, cv=splitter).fit(X, y, groups=groups)
    np.testing.assert_array_equal(splitter.groups, groups)


def test_groups_are_routed_to_fit():
    X, y = copies()
    with sklearn.config_context(enable_metadata_routing=True):
        model = SupervisedHSIC(1).set_fit_request(groups=True)
        with pytest.warns(UserWarning, match="No dependence found"):
            scores = cross_val_score(model, X, y, cv=GroupKFold(2), params={"groups": GROUPS})
    assert scores.max() < 0.5


@pytest.mark.parametrize(
    ("cv", "groups", "message"),
    [
        (3, np.arange(300) % 2, "as many different values as there are folds, 3. Got 2"),
        (3, np.arange(299), "inconsistent numbers of samples"),
        ([(np.arange(200), np.arange(200, 300))], np.arange(300), "Leave one of them out"),
        (3, [None] * 300, "must be known for every row, but 300 of 300 are missing"),
        (3, np.r_[np.nan, np.arange(299)], "must be known for every row, but 1 of 300"),
        (3, np.zeros((300, 2)), r"a vector. Got shape \(300, 2\)"),
        (3, np.array([*range(299), "a"], dtype=object), "in groups must be comparable"),
    ],
)
def test_groups_that_do_not_fit_are_refused(cv, groups, message):
    X, y, _ = SINE
    with pytest.raises(ValueError, match=message):
        SupervisedHSIC(1, cv=cv).fit(X, y, groups=groups)
