"""SpectrumDisplay: the eigenvalues drawn, the chosen number, the gaps."""

import numpy as np
import pytest

from hsiclearn._selection import widest_gap
from hsiclearn.plotting import SpectrumDisplay

VALUES = np.array([-5.0, -4.0, -1.5, -1.0, 4.0, 5.0])


def texts(display):
    return [text.get_text() for text in display.ax_.texts if text.get_text()]


def test_the_chosen_eigenvalues_have_a_colour_of_their_own():
    display = SpectrumDisplay(VALUES, n_components=2).plot()
    inside, outside = (line.get_xydata() for line in display.ax_.lines[:2])
    np.testing.assert_array_equal(inside, [[1, -5], [2, -4]])
    np.testing.assert_array_equal(outside[:, 1], VALUES[2:])
    assert display.ax_.lines[0].get_color() != display.ax_.lines[1].get_color()
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["in the subspace (2)", "outside (4)"]


def test_the_gap_and_a_wider_one_elsewhere_are_marked():
    display = SpectrumDisplay(VALUES, n_components=2).plot()
    assert (display.gap_, display.widest_) == (2.5, 4)
    assert texts(display) == ["gap after 2: 2.5", "widest gap, after 4: 5"]


def test_where_the_chosen_gap_is_widest_nothing_else_is_marked():
    assert texts(SpectrumDisplay(VALUES, n_components=4).plot()) == ["gap after 4: 5"]


@pytest.mark.parametrize(("size", "q"), [(1, 1), (3, 3)])
def test_all_eigenvalues_may_belong_to_the_subspace(size, q):
    display = SpectrumDisplay(VALUES[:size], n_components=q).plot()
    assert np.isnan(display.gap_)
    assert len(display.ax_.get_legend().get_texts()) == 1


@pytest.mark.parametrize(("q", "drawn"), [(2, 12), (25, 35)])
def test_of_two_hundred_the_first_are_drawn(q, drawn):
    display = SpectrumDisplay(np.arange(200.0), n_components=q).plot()
    assert sum(line.get_xdata().size for line in display.ax_.lines[:2]) == drawn
    assert display.ax_.get_xlabel() == f"number, the first {drawn} of 200"


def test_the_widest_gap_is_where_the_rule_for_the_dimension_looks():
    values = np.cumsum([1.0] * 15 + [4.0] + [1.0] * 10 + [900.0])
    near = SpectrumDisplay(values, n_components=10).plot()
    assert near.widest_ == widest_gap(values, values.size) == 15
    far = SpectrumDisplay(values, n_components=2).plot()
    assert far.widest_ == 15
    assert texts(far) == ["gap after 2: 1"]
    assert far.ax_.get_xlabel().endswith("widest gap, not drawn, after 15: 4")


def test_of_an_estimator_it_is_the_spectrum_of_the_fit(supervised):
    display = SpectrumDisplay.from_estimator(supervised)
    np.testing.assert_array_equal(display.eigenvalues, supervised[-1].eigenvalues_)
    assert display.n_components == 2


def test_of_a_clusterer_it_is_the_graph_with_one_per_cluster(clusterer):
    display = SpectrumDisplay.from_estimator(clusterer, kind="graph")
    np.testing.assert_array_equal(display.eigenvalues, clusterer[-1].graph_eigenvalues_)
    assert display.n_components == clusterer[-1].n_clusters_
    assert display.gap_ == pytest.approx(-np.diff(display.eigenvalues)[1])


def test_a_graph_needs_a_clusterer(supervised):
    with pytest.raises(TypeError, match=r"needs a clustering estimator. Got SupervisedHSIC"):
        SpectrumDisplay.from_estimator(supervised, kind="graph")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 7}, r"at least `n_components` >= 1 numbers. Got shape \(6,\)"),
        ({"n_components": 0}, r"n_components=0"),
        ({"n_components": 2, "kind": "x"}, r"one of \['phi', 'graph'\]. Got 'x'"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        SpectrumDisplay(VALUES, **settings)
