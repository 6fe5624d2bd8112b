"""ClusteringDisplay: counts, matching, and the figures of the title."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn import SemiSupervisedHSIC
from hsiclearn.plotting import ClusteringDisplay

GIVEN = np.array(["x"] * 5 + ["y"] * 4 + ["z"] * 3)
FOUND = np.array([2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1])


def test_columns_are_in_the_order_of_the_best_matching():
    display = ClusteringDisplay.from_labels(GIVEN, FOUND)
    assert display.found_names == ["2", "0", "1"]
    assert display.contingency.tolist() == [[4, 1, 0], [0, 3, 1], [0, 0, 3]]
    assert display.contingency.sum() == GIVEN.size
    np.testing.assert_array_equal(display.ax_.images[0].get_array(), display.contingency)


def test_the_title_has_the_figures_of_scikit_learn():
    display = ClusteringDisplay.from_labels(GIVEN, FOUND)
    assert display.nmi == pytest.approx(normalized_mutual_info_score(GIVEN, FOUND))
    assert display.accuracy_ == pytest.approx(10 / 12)
    assert display.ax_.get_title() == f"NMI {display.nmi:.3f}, 83.3 % matched"


def test_every_cell_shows_its_count():
    display = ClusteringDisplay.from_labels(GIVEN, FOUND)
    assert [int(t.get_text()) for t in display.ax_.texts] == display.contingency.ravel().tolist()


def test_clusters_without_a_match_come_last_by_size():
    display = ClusteringDisplay.from_labels(np.zeros(7, int), [0, 1, 1, 2, 2, 2, 3])
    assert display.found_names == ["2", "1", "0", "3"]
    more = ClusteringDisplay.from_labels([0, 1, 2, 2], [0, 0, 1, 1])
    assert more.contingency.shape == (3, 2)
    assert more.accuracy_ == 0.75


def test_names_can_be_given():
    display = ClusteringDisplay.from_labels(GIVEN, FOUND, given_names="abc", found_names="ABC")
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["C", "A", "B"]


def test_of_an_estimator_clusters_are_those_it_predicts(table, clusterer):
    X, y = table
    display = ClusteringDisplay.from_estimator(clusterer, X, y)
    found = clusterer.predict(X)
    assert display.nmi == pytest.approx(normalized_mutual_info_score(y, found))
    assert display.contingency.sum(axis=1).tolist() == [30, 30]


def test_labels_that_are_unknown_are_left_out(table):
    X, y = table
    partial = np.where(np.arange(60) % 2, y, -1)
    model = SemiSupervisedHSIC(n_clusters=2).fit(X, partial)
    display = ClusteringDisplay.from_estimator(model, X, partial)
    assert display.given_names == ["0", "1"]
    assert display.contingency.sum() == 30


def test_many_clusters_have_no_text():
    labels = np.arange(60)
    display = ClusteringDisplay.from_labels(labels, labels)
    assert not display.ax_.texts
    assert len(display.ax_.get_xticks()) == 30


def test_an_estimator_without_clusters_is_refused(table, supervised):
    with pytest.raises(TypeError, match=r"Got SupervisedHSIC, which finds no clusters"):
        ClusteringDisplay.from_estimator(supervised, *table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"given": GIVEN[:5]}, r"of the same length, one label per row. Got shapes \(5,\) and"),
        ({"given_names": "ab"}, r"`given_names` must name each of the 3 labels.*Got 2"),
        ({"found_names": "abcd"}, r"`found_names` must name each of the 3 labels.*Got 4"),
        ({"given": [None, *GIVEN[1:]]}, r"1 of 12 in `given` are missing: leave those rows out"),
    ],
)
def test_labels_and_names_must_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        ClusteringDisplay.from_labels(**{"given": GIVEN, "found": FOUND, **arguments})
    assert plt.get_fignums() == []


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"shape \(1, 2\). Got \(2, 2\)"):
        ClusteringDisplay(np.eye(2), given_names=["a"], found_names=["b", "c"], nmi=0.0)
