"""SemiSupervisedHSIC: a few labels, or scores, say which clustering is meant."""

from functools import cache

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score as nmi

from clusterings import N_TRAIN, fit, guide_of, two_views
from hsiclearn import SemiSupervisedHSIC

X, GIVEN, OTHER = (array[:N_TRAIN] for array in two_views())
KNOWN = np.arange(N_TRAIN) < 12

quick = pytest.mark.usefixtures("without_refits")  # where refits are not in question
fitted = cache(fit)  # not those that others share: these are without refits


@quick
@pytest.mark.parametrize("truth", [GIVEN, OTHER], ids=["first", "second"])
def test_labels_choose_the_view(truth):
    model = SemiSupervisedHSIC().fit(X, np.where(KNOWN, truth, -1))
    assert model.guidance_ == "labels"
    assert np.mean(model.labels_ == truth) >= 0.95


@quick
@pytest.mark.parametrize("truth", [GIVEN, OTHER], ids=["first", "second"])
def test_scores_choose_the_view(truth):
    scores = truth + 0.2 * np.random.default_rng(0).standard_normal(N_TRAIN)
    model = SemiSupervisedHSIC().fit(X, scores)
    assert model.guidance_ == "scores"
    assert nmi(truth, model.labels_) >= 0.8
    assert model.assortativity_[0] >= 0.5


@quick
def test_known_rows_keep_their_labels_and_clusters_their_names():
    model = fitted("semi-supervised")
    np.testing.assert_array_equal(model.labels_[KNOWN], GIVEN[KNOWN])
    assert model.classes_.tolist() == [0, 1]
    for names in (np.array(["x", "y"]), np.array([40, 7])):
        unknown = "-1" if names.dtype.kind == "U" else -1
        y = np.where(KNOWN, names[GIVEN], unknown)
        named = SemiSupervisedHSIC(init="identity").fit(X, y)
        assert named.classes_.tolist() == sorted(names)
        np.testing.assert_array_equal(named.labels_[KNOWN], names[GIVEN][KNOWN])
        assert nmi(named.labels_, model.labels_) >= 0.9
        assert set(named.predict(X)) <= set(names)


def test_a_label_that_contradicts_all_others_is_kept():
    y = guide_of("semi-supervised", GIVEN).copy()
    y[0] = 1 - y[0]
    assert SemiSupervisedHSIC(init="identity").fit(X, y).labels_[0] == y[0]


@pytest.mark.parametrize(
    ("guidance", "y", "kind"),
    [
        ("auto", GIVEN, "labels"),
        ("auto", GIVEN.astype(bool), "labels"),
        ("auto", np.array(["a", "b"])[GIVEN], "labels"),
        ("auto", 1.0 * GIVEN, "scores"),
        ("auto", np.stack([GIVEN, OTHER], axis=1), "scores"),
        ("scores", GIVEN, "scores"),
        ("labels", 1.0 * GIVEN, "labels"),
    ],
)
def test_what_y_is(guidance, y, kind):
    model = SemiSupervisedHSIC(guidance=guidance, init="identity", kernel="gaussian")
    assert model.fit(X[:40], y[:40]).guidance_ == kind


def test_more_names_than_clusters_only_guide():
    y = np.where(KNOWN, np.arange(N_TRAIN) % 3, -1)
    model = SemiSupervisedHSIC(2, init="identity").fit(X, y)
    assert set(model.labels_) == {0, 1}
    assert getattr(model, "classes_", None) is None


@pytest.mark.filterwarnings("ignore:Only .* clusters have rows")
def test_clusters_without_a_name_get_a_new_one():
    numbers = SemiSupervisedHSIC(4, init="identity").fit(X, np.where(KNOWN, 3 + GIVEN, -1))
    assert numbers.classes_.tolist() == [3, 4, 5, 6]
    y = np.where(KNOWN, np.array(["x", "y"])[GIVEN], "-1")
    names = SemiSupervisedHSIC(4, init="identity").fit(X, y)
    assert names.classes_.tolist() == ["x", "y", "unnamed-1", "unnamed-2"]
    for model in (numbers, names):
        assert set(model.labels_) <= set(model.classes_)
        assert set(model.predict(X)) <= set(model.classes_)


@quick
def test_the_unit_of_the_scores_does_not_count():
    scores = GIVEN + 0.2 * np.random.default_rng(0).standard_normal(N_TRAIN)
    one, two = (SemiSupervisedHSIC(init="identity").fit(X, y) for y in (scores, 1e3 * scores - 5.0))
    assert one.cost_ == pytest.approx(two.cost_, rel=1e-6)


@quick
def test_whole_numbers_of_any_type_stay_numbers():
    """A column of objects, as pandas hands it over, holds the same labels."""
    y = guide_of("semi-supervised", GIVEN)
    model = SemiSupervisedHSIC(init="identity").fit(X, y.astype(object))
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(model.labels_, fitted("semi-supervised").labels_)


def test_whole_numbers_in_floating_point_with_minus_one_are_ambiguous():
    X = np.random.default_rng(0).standard_normal((20, 3))
    with pytest.raises(ValueError, match=r"guidance='labels' or guidance='scores'"):
        SemiSupervisedHSIC().fit(X, np.where(np.arange(20) < 5, 1.0, -1.0))


def test_an_array_is_where_labels_are_guessed():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    X[:, 0] += 6.0 * (np.arange(60) % 2)
    partial = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    model = SemiSupervisedHSIC(2, 2, init=np.eye(4)[:2]).fit(X, partial)
    assert model.result_.start == "array"
    assert np.mean(model.labels_ == np.arange(60) % 2) > 0.95
